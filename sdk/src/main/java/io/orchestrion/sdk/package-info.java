/// A Java client for Orchestrion's tasks and a runtime for workers; it knows the wire only.
@NullMarked
package io.orchestrion.sdk;

import org.jspecify.annotations.NullMarked;
