/// The names of what the engine of runs commits, for tests that kill a program there.
@NullMarked
package io.orchestrion.runs.fault;

import org.jspecify.annotations.NullMarked;
