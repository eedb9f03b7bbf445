/// Agents, tasks, steps and the attempts of steps as they are stored.
@NullMarked
package io.orchestrion.runs.tree;

import org.jspecify.annotations.NullMarked;
