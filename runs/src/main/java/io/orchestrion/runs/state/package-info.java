/// Where runs, agents, tasks and steps are, and what they may become. Nothing here is stored or
/// decided.
@NullMarked
package io.orchestrion.runs.state;

import org.jspecify.annotations.NullMarked;
