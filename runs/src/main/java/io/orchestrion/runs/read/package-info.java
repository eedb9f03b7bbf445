/// Runs and what they are made of, as people look at them.
@NullMarked
package io.orchestrion.runs.read;

import org.jspecify.annotations.NullMarked;
