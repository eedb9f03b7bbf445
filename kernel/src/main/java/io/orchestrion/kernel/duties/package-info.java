/// What every node does to items again and again: expire, promote, give up, resolve and purge.
@NullMarked
package io.orchestrion.kernel.duties;

import org.jspecify.annotations.NullMarked;
