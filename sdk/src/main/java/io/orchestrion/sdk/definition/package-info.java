/// Writes definitions of orchestrations in Java, as the JSON document that the server takes.
@NullMarked
package io.orchestrion.sdk.definition;

import org.jspecify.annotations.NullMarked;
