package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Set;

/// A key to make; each method returns a changed copy.
///
/// ```java
/// client.keys().create(NewKey.named("ci").withScopes(Set.of(Scope.PRODUCER)).expiringInDays(90));
/// ```
///
/// @param name 1 to 200 characters
/// @param scopes null for those of the key that asks
public record NewKey(
        String name,
        @Nullable Set<Scope> scopes,
        @Nullable Instant expiresAt,
        @Nullable Integer expiresInDays) {

    /// One that does not expire, for everything that the key which asks is for.
    public static NewKey named(String name) {
        return new NewKey(name, null, null, null);
    }

    /// At most those of the key that asks.
    public NewKey withScopes(Set<Scope> scopes) {
        return new NewKey(name, Set.copyOf(scopes), expiresAt, expiresInDays);
    }

    /// One minute to ten years ahead.
    public NewKey expiringAt(Instant at) {
        return new NewKey(name, scopes, at, null);
    }

    /// 1 to 3650.
    public NewKey expiringInDays(int days) {
        return new NewKey(name, scopes, null, days);
    }
}
