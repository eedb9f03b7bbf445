/// What an operator sees: metrics, logs of what happens, and traces, for every door.
@NullMarked
package io.orchestrion.server.observe;

import org.jspecify.annotations.NullMarked;
