/// Writes plans of runs in Java: agents, their tasks and the steps of each, as the server takes
/// them.
@NullMarked
package io.orchestrion.sdk.plan;

import org.jspecify.annotations.NullMarked;
