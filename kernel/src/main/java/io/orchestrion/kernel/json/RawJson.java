package io.orchestrion.kernel.json;

/// Compact JSON text that was checked when it came in.
record RawJson(String text) {}
