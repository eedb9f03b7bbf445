/// The histories of all items of an account as one log that is read with a cursor and followed.
@NullMarked
package io.orchestrion.kernel.events;

import org.jspecify.annotations.NullMarked;
