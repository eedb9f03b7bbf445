package io.orchestrion.kernel.audit;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What it was done to: `key` or `operation`, and which.
///
/// @param within what it is a part of, by which its entries are found too; null for none
public record Subject(String kind, String id, @Nullable String within) {
    public Subject(String kind, String id) {
        this(kind, id, null);
    }

    public static Subject of(String kind, UUID id) {
        return new Subject(kind, id.toString());
    }

    public Subject within(UUID whole) {
        return new Subject(kind, id, whole.toString());
    }
}
