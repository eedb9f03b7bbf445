/// The log that an item keeps of itself: the lines of its holder, and the changes of the item.
@NullMarked
package io.orchestrion.kernel.itemlog;

import org.jspecify.annotations.NullMarked;
