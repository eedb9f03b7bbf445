/// The documents by which agents and people find out what the tasks door can do, all made from the
/// catalogue that the server runs on.
@NullMarked
package io.orchestrion.server.discovery;

import org.jspecify.annotations.NullMarked;
