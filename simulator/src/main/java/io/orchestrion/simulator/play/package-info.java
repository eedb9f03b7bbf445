/// The clients and receivers that a run plays, and what they do.
@NullMarked
package io.orchestrion.simulator.play;

import org.jspecify.annotations.NullMarked;
