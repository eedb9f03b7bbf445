/// Artifacts of runs over HTTP: bodies that are streamed both ways, signed addresses, and where the
/// bytes are kept.
@NullMarked
package io.orchestrion.server.runs.artifacts;

import org.jspecify.annotations.NullMarked;
