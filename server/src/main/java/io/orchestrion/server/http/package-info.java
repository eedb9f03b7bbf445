/// The HTTP foundation under every door: a catalogue of endpoints, routing, bounded requests, and a
/// server that drains.
@NullMarked
package io.orchestrion.server.http;

import org.jspecify.annotations.NullMarked;
