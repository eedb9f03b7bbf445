/// The log that an item keeps of itself: what its holder says, beside what happens to it.
@NullMarked
package io.orchestrion.kernel.itemlog;

import org.jspecify.annotations.NullMarked;
