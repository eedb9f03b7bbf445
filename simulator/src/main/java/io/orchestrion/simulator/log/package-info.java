/// Tries the event log: many tasks on two servers that are killed, and a check of what the log
/// told.
@NullMarked
package io.orchestrion.simulator.log;

import org.jspecify.annotations.NullMarked;
