package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;
import java.util.UUID;

/// The keys of the account; the client's own key needs the scope `admin` for all of it. From
/// [OrchestrionClient#keys].
///
/// Everything but creating is sent again by itself when an answer is lost. A key whose answer is
/// lost may be there all the same, and nobody has it: revoke it.
public final class Keys {
    private final Transport transport;

    Keys(Transport transport) {
        this.transport = transport;
    }

    /// Makes another key of the account.
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

    /// The first page, those that no longer work among them.
    public KeyPage list() {
        return list(null);
    }

    /// @param cursor the [KeyPage#nextCursor] of the page before; null for the first
    public KeyPage list(@Nullable String cursor) {
        var from = new Parameters().with("cursor", cursor);
        return transport.send(Call.get("/v1/keys" + from), Wire::keyPage);
    }

    public Key get(UUID id) {
        return transport.send(Call.get(path(id)), Wire::key);
    }

    /// @param name 1 to 200 characters
    public Key rename(UUID id, String name) {
        return transport.send(Call.patch(path(id), Json.object().put("name", name)), Wire::key);
    }

    /// From now on the key opens nothing; other nodes of the server know within two seconds. The
    /// last one that can manage keys is not revoked (`last_key`).
    public Key revoke(UUID id) {
        return transport.send(Call.delete(path(id)), Wire::key);
    }

    private static String path(UUID id) {
        return "/v1/keys/" + id;
    }
}
