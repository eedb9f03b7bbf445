/// Where runs, agents, tasks and steps are, and what they may become; nothing is decided here.
@NullMarked
package io.orchestrion.runs.state;

import org.jspecify.annotations.NullMarked;
