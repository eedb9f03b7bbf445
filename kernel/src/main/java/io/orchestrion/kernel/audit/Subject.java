package io.orchestrion.kernel.audit;

import java.util.UUID;

/// What it was done to: `key` or `operation`, and which.
public record Subject(String kind, String id) {
    public static Subject of(String kind, UUID id) {
        return new Subject(kind, id.toString());
    }
}
