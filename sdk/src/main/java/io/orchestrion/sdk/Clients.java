package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import java.util.UUID;

/// Accounts and keys in the terms of `/v1/clients`. A client is an account, and its keys open every
/// door. From [OrchestrionClient#clients].
///
/// ```java
/// UUID account = client.clients().create();
/// String secret = client.clients().key(account).apiKey();
/// ```
///
/// Creating a client and its first key needs no key. Requests that make a secret are sent once. If
/// the answer is lost, nobody has the secret; rotate the key to get another.
public final class Clients {
    private final Transport transport;

    Clients(Transport transport) {
        this.transport = transport;
    }

    /// Creates a client. Keep its id secret until its first key is made: until then, whoever knows
    /// the id can make that key.
    ///
    /// @param idempotencyKey your name for this request; sent again with the same key, it makes no
    ///     second client
    /// @return the client's id
    public UUID create(String idempotencyKey) {
        return transport.send(
                Call.post("/v1/clients", Json.object()).withKey(idempotencyKey),
                answer -> UUID.fromString(Wire.text(answer, "client_id")));
    }

    /// Creates a client, with a random idempotency key.
    public UUID create() {
        return create(UUID.randomUUID().toString());
    }

    /// Makes the first key of a client. If there is one already, the answer describes that key and
    /// has no secret.
    public ClientKey key(UUID client) {
        return transport.send(Call.post(keys(client), Json.object()), JobsWire::clientKey);
    }

    /// Makes a new key and revokes the old one.
    public ClientKey rotate(UUID client) {
        return transport.send(
                Call.post(keys(client), Json.object().put("rotate", true)), JobsWire::clientKey);
    }

    /// Gives the calling key a new secret and a later expiry. The old secret stops working.
    public ClientKey renew(UUID client) {
        return transport.send(
                Call.post(keys(client) + "/renew", Json.object()), JobsWire::clientKey);
    }

    /// Revokes a key. Doing it twice is the same as once.
    public boolean revoke(UUID client, UUID keyId) {
        return transport.send(
                Call.post(keys(client) + "/revoke", Json.object().put("key_id", keyId.toString()))
                        .repeated(true),
                answer -> answer.path("revoked").booleanValue(false));
    }

    private static String keys(UUID client) {
        return "/v1/clients/" + client + "/keys";
    }
}
