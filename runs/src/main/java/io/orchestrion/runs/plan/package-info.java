/// The document that says which agents, tasks and steps a run has, and its checks.
@NullMarked
package io.orchestrion.runs.plan;

import org.jspecify.annotations.NullMarked;
