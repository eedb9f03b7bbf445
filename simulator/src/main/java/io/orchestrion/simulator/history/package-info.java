/// What a run saw, as plain data, and the rules that it is held to.
@NullMarked
package io.orchestrion.simulator.history;

import org.jspecify.annotations.NullMarked;
