package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Set;

/// A key to create. Each method returns a changed copy.
///
/// ```java
/// client.keys().create(NewKey.named("ci").withScopes(Set.of(Scope.PRODUCER)).expiringInDays(90));
/// ```
///
/// @param name 1 to 200 characters
/// @param scopes null for the scopes of the calling key
public record NewKey(
        String name,
        @Nullable Set<Scope> scopes,
        @Nullable Instant expiresAt,
        @Nullable Integer expiresInDays) {

    /// A key that does not expire, with the scopes of the calling key.
    public static NewKey named(String name) {
        return new NewKey(name, null, null, null);
    }

    /// At most the scopes of the calling key.
    public NewKey withScopes(Set<Scope> scopes) {
        return new NewKey(name, Set.copyOf(scopes), expiresAt, expiresInDays);
    }

    /// One minute to ten years ahead.
    public NewKey expiringAt(Instant at) {
        return new NewKey(name, scopes, at, null);
    }

    /// 1 to 3650 days.
    public NewKey expiringInDays(int days) {
        return new NewKey(name, scopes, null, days);
    }
}
