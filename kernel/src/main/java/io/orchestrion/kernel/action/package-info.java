/// What engines do for each other's steps: functions with names, registered by the engine that has
/// them.
@NullMarked
package io.orchestrion.kernel.action;

import org.jspecify.annotations.NullMarked;
