/// The runs door: runs of agents over HTTP, with what they cost and what they leave behind.
@NullMarked
package io.orchestrion.server.runs;

import org.jspecify.annotations.NullMarked;
