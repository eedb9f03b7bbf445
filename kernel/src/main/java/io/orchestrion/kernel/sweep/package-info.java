/// What every node does by itself: expire, promote, purge, deliver.
@NullMarked
package io.orchestrion.kernel.sweep;

import org.jspecify.annotations.NullMarked;
