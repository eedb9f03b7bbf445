package io.orchestrion.kernel.identity;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// A key that an account asks for.
///
/// @param scopes null for those of the key that asks
/// @param expiry null for a key that does not expire
public record NewKey(String name, @Nullable Set<Scope> scopes, @Nullable Expiry expiry) {

    /// When a key stops working: at a moment, or some time after it is made.
    public sealed interface Expiry {
        record At(long ms) implements Expiry {}

        record After(long ms) implements Expiry {}

        default long from(long nowMs) {
            return switch (this) {
                case At(var ms) -> ms;
                case After(var ms) -> nowMs + ms;
            };
        }
    }
}
