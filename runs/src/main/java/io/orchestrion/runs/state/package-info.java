/// Where runs, agents, tasks and steps are, and what they may become.
@NullMarked
package io.orchestrion.runs.state;

import org.jspecify.annotations.NullMarked;
