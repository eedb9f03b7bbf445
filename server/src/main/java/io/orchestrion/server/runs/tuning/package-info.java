/// What the operator sets of the engine of runs: its times, its bounds and its prices.
@NullMarked
package io.orchestrion.server.runs.tuning;

import org.jspecify.annotations.NullMarked;
