/// A Java client of an Orchestrion server and a runtime for workers, which know the HTTP interface
/// and nothing of the server.
@NullMarked
package io.orchestrion.sdk;

import org.jspecify.annotations.NullMarked;
