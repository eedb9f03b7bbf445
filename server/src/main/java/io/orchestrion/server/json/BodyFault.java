package io.orchestrion.server.json;

import org.jspecify.annotations.Nullable;

/// One thing wrong with a body or a query string.
///
/// @param field path of the field, such as `payload` or `items[2].name`; empty when the body as a
///     whole is at fault
/// @param message a whole sentence for the caller, naming the field and its bound
/// @param bound the bound that was missed in a short form, such as `0..100` or `65536`; null when
///     there is none
public record BodyFault(String field, String message, @Nullable String bound) {}
