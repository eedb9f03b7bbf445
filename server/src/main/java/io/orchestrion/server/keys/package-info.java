/// The keys of an account, and the log of who did what with them, over HTTP.
@NullMarked
package io.orchestrion.server.keys;

import org.jspecify.annotations.NullMarked;
