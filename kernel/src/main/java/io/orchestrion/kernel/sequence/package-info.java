/// Gives the events of an account their places in its log, after their commit.
@NullMarked
package io.orchestrion.kernel.sequence;

import org.jspecify.annotations.NullMarked;
