/// The queue door: `/api/queue`, for workers with tokens, policies and event logs, in the words of
/// its contract.
@NullMarked
package io.orchestrion.server.queue;

import org.jspecify.annotations.NullMarked;
