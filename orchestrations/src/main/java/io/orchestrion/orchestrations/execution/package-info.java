/// Executions: how they go from step to step, what follows from each end, and what people decide.
@NullMarked
package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.NullMarked;
