/// Waking claimers that wait for work, on this node and on the others.
@NullMarked
package io.orchestrion.kernel.wake;

import org.jspecify.annotations.NullMarked;
