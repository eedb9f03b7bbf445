/// The jobs door, `/v1/jobs` and `/v1/clients`: jobs that built-in runners do, the clients that
/// hand them in and their keys, and errors as problem documents with a page for each.
@NullMarked
package io.orchestrion.server.jobs;

import org.jspecify.annotations.NullMarked;
