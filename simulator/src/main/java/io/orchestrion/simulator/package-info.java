/// Plays many clients at once and checks everything that they saw.
@NullMarked
package io.orchestrion.simulator;

import org.jspecify.annotations.NullMarked;
