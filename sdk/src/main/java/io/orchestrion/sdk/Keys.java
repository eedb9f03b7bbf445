package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;
import java.util.UUID;

/// The keys of the account. From [OrchestrionClient#keys]. The client's own key needs the scope
/// `admin`.
///
/// ```java
/// CreatedKey made = client.keys().create(NewKey.named("ci").withScopes(Set.of(Scope.PRODUCER)));
/// client.keys().revoke(made.key().id());
/// ```
///
/// Everything but creating is repeated when an answer is lost. If the answer to a create is lost,
/// the key may exist, but nobody has its secret: revoke it.
public final class Keys {
    private final Transport transport;

    Keys(Transport transport) {
        this.transport = transport;
    }

    /// Creates another key of the account.
    public CreatedKey create(NewKey key) {
        ObjectNode body = Json.object().put("name", key.name());
        if (key.scopes() != null) {
            ArrayNode scopes = body.putArray("scopes");
            key.scopes().stream()
                    .sorted(Comparator.naturalOrder())
                    .forEach(scope -> scopes.add(scope.word()));
        }
        if (key.expiresAt() != null) {
            body.put("expiresAt", key.expiresAt().toString());
        }
        if (key.expiresInDays() != null) {
            body.put("expiresInDays", key.expiresInDays());
        }
        return transport.send(Call.post("/v1/keys", body), Wire::createdKey);
    }

    /// The first page of keys, expired and revoked ones included.
    public KeyPage list() {
        return list(null);
    }

    /// @param cursor the [KeyPage#nextCursor] of the page before; null for the first page
    public KeyPage list(@Nullable String cursor) {
        var from = new Parameters().with("cursor", cursor);
        return transport.send(Call.get("/v1/keys" + from), Wire::keyPage);
    }

    /// Reads one key.
    public Key get(UUID id) {
        return transport.send(Call.get(path(id)), Wire::key);
    }

    /// Changes the name of a key.
    ///
    /// @param name 1 to 200 characters
    public Key rename(UUID id, String name) {
        return transport.send(Call.patch(path(id), Json.object().put("name", name)), Wire::key);
    }

    /// Revokes a key. Other nodes of the server refuse it within two seconds. The last key that can
    /// manage keys is not revoked (`last_key`).
    public Key revoke(UUID id) {
        return transport.send(Call.delete(path(id)), Wire::key);
    }

    private static String path(UUID id) {
        return "/v1/keys/" + id;
    }
}
