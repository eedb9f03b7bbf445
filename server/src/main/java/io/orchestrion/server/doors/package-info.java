/// The one list of doors, and how each is put together and opened.
@NullMarked
package io.orchestrion.server.doors;

import org.jspecify.annotations.NullMarked;
