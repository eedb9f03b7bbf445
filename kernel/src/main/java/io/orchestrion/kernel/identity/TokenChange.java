package io.orchestrion.kernel.identity;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// The fields of a worker token that are to change; null for those that stay.
public record TokenChange(
        @Nullable String description,
        @Nullable To<Set<String>> repositories,
        @Nullable To<Set<String>> kinds,
        @Nullable To<Set<String>> capabilities,
        @Nullable To<NewKey.Expiry> expiry) {

    /// A new value, which may be none at all.
    public record To<T>(@Nullable T value) {}

    static <T> @Nullable T orElse(@Nullable To<T> change, @Nullable T now) {
        return change == null ? now : change.value();
    }
}
