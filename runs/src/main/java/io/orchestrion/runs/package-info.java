/// The engine of runs: its tables, and what the server needs to open it.
@NullMarked
package io.orchestrion.runs;

import org.jspecify.annotations.NullMarked;
