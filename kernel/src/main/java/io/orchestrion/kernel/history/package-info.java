/// The lines of items' histories, as they are written, read, and put into the rows of a log.
@NullMarked
package io.orchestrion.kernel.history;

import org.jspecify.annotations.NullMarked;
