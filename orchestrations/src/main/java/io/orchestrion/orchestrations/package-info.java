/// The orchestration engine: definitions are published, executions go through their steps, and
/// people approve, compensate and put back what failed.
@NullMarked
package io.orchestrion.orchestrations;

import org.jspecify.annotations.NullMarked;
