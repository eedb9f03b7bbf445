/// Webhooks of all doors: who wants to hear of which events, and telling them, once and in order,
/// however long a receiver is away and whatever it does to us.
@NullMarked
package io.orchestrion.server.webhooks;

import org.jspecify.annotations.NullMarked;
