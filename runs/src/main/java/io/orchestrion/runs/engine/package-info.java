/// What happens to runs: the verbs, the driver, what follows from the end of a step, and clocks.
@NullMarked
package io.orchestrion.runs.engine;

import org.jspecify.annotations.NullMarked;
