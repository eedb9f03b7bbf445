package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import java.util.UUID;

/// Accounts and keys by the words of `/v1/clients`: a client is an account, and its keys open every
/// door. From [OrchestrionClient#clients].
///
/// Creating a client and its first key needs no key. Everything that makes a secret is sent once: a
/// secret whose answer is lost is nobody's, and the next rotation replaces it.
public final class Clients {
    private final Transport transport;

    Clients(Transport transport) {
        this.transport = transport;
    }

    /// Makes a client. Its id is worth keeping to oneself until the first key is made.
    ///
    /// @param idempotencyKey a name of yours for this request: sent twice it is one client
    /// @return its id
    public UUID create(String idempotencyKey) {
        return transport.send(
                Call.post("/v1/clients", Json.object()).withKey(idempotencyKey),
                answer -> UUID.fromString(Wire.text(answer, "client_id")));
    }

    public UUID create() {
        return create(UUID.randomUUID().toString());
    }

    /// The first key of a client, or, when there is one, what is known about it and no secret.
    public ClientKey key(UUID client) {
        return transport.send(Call.post(keys(client), Json.object()), JobsWire::clientKey);
    }

    /// A new key; the old one stops working.
    public ClientKey rotate(UUID client) {
        return transport.send(
                Call.post(keys(client), Json.object().put("rotate", true)), JobsWire::clientKey);
    }

    /// A new secret and a later expiry for the key that is asked with; the old one stops working.
    public ClientKey renew(UUID client) {
        return transport.send(
                Call.post(keys(client) + "/renew", Json.object()), JobsWire::clientKey);
    }

    /// From now on the key opens nothing; doing it twice is the same as once.
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
