/// Events of tasks and of the subjects of engines, as pages, as a stream and for webhooks.
@NullMarked
package io.orchestrion.server.events;

import org.jspecify.annotations.NullMarked;
