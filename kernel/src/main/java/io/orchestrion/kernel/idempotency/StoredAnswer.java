package io.orchestrion.kernel.idempotency;

/// An answer that is given again, word for word.
public record StoredAnswer(int status, String body) {}
