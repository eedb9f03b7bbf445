package io.orchestrion.server.jobs;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.ClientKey;
import io.orchestrion.kernel.identity.Clients;
import io.orchestrion.kernel.identity.Clients.By;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.KeyView;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// Making clients and managing their keys.
public final class ClientHandlers {
    private final Clients clients;
    private final Identity identity;
    private final Duration keyLife;

    /// @param keyLife how long a key works before it must be renewed
    public ClientHandlers(Clients clients, Identity identity, Duration keyLife) {
        this.clients = clients;
        this.identity = identity;
        this.keyLife = keyLife;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(ClientEndpoints.CREATE, this::create)
                .handle(ClientEndpoints.KEY_CREATE, this::key)
                .handle(ClientEndpoints.KEY_RENEW, this::renew)
                .handle(ClientEndpoints.KEY_REVOKE, this::revoke);
    }

    private Answer create(Call call) {
        Values body = call.json();
        String header = call.header(Once.KEY_HEADER).orElse(null);
        if (header != null && !Once.keyAllowed(header)) {
            return badKey(call);
        }
        // Without an account, the idempotency key counts for the address that the request comes
        // from.
        UUID from =
                UUID.nameUUIDFromBytes(
                        call.clientAddress().limitSubject().getBytes(StandardCharsets.UTF_8));
        IdempotencyKey once = header == null ? null : once(from, "client", header, body);
        return switch (clients.create(once, client -> Once.kept(201, client(client)))) {
            case Clients.Made.Client(var id) -> secret(Answer.json(201, client(id)));
            case Clients.Made.Replayed(var answer) -> secret(Once.replayed(answer));
            case Clients.Made.OtherRequest() -> otherRequest(call);
            case Clients.Made.InFlight() -> inFlight(call);
        };
    }

    static Answer badKey(Call call) {
        return JobsProblems.malformed(call, Once.KEY_HEADER, "1.." + Once.KEY_MAX, Once.KEY_RULE);
    }

    static Answer otherRequest(Call call) {
        return JobsProblems.error(
                call,
                JobsError.EXEC_IDEMPOTENCY_CONFLICT,
                "This idempotency key was used for another request.");
    }

    static Answer inFlight(Call call) {
        return JobsProblems.error(
                call,
                JobsError.EXEC_IDEMPOTENCY_IN_FLIGHT,
                "The first request with this idempotency key is still under way.");
    }

    private static IdempotencyKey once(UUID scope, String action, String key, Values body) {
        return new IdempotencyKey(
                JobsDoor.NAME,
                scope,
                action,
                key,
                CanonicalJson.digest(body),
                Once.ANSWER_KEPT,
                Once.PLACEHOLDER_STALE);
    }

    private static byte[] client(UUID id) {
        return JsonWriter.object(out -> out.text(ClientEndpoints.ID, id.toString()));
    }

    private static Answer secret(Answer answer) {
        return answer.with("Cache-Control", "no-store");
    }

    private Answer key(Call call) {
        Values body = call.json();
        String header = call.header(Once.KEY_HEADER).orElse(null);
        if (header != null && !Once.keyAllowed(header)) {
            return badKey(call);
        }
        UUID client = Callers.id(call, ClientEndpoints.ID);
        Answer stranger = stranger(call, client);
        if (stranger != null || client == null) {
            return stranger == null ? noSuchClient(call) : stranger;
        }
        IdempotencyKey once = header == null ? null : once(client, "key", header, body);
        return answer(
                call,
                201,
                clients.key(
                        by(call, client),
                        client,
                        new Clients.Wanted(
                                body.bool("rotate"), keyLife, once, view -> kept(view))));
    }

    /// The stored answer never has the secret in it: a repeated request gets everything else.
    private static StoredAnswer kept(KeyView view) {
        return Once.kept(201, key(view, null));
    }

    private Answer renew(Call call) {
        call.json();
        UUID client = Callers.id(call, ClientEndpoints.ID);
        Answer stranger = stranger(call, client);
        if (stranger != null || client == null) {
            return stranger == null ? noSuchClient(call) : stranger;
        }
        return answer(call, 200, clients.renew(by(call, client), client, keyLife));
    }

    private Answer revoke(Call call) {
        UUID keyId = UUID.fromString(call.json().text("key_id"));
        UUID client = Callers.id(call, ClientEndpoints.ID);
        Answer stranger = stranger(call, client);
        if (stranger != null || client == null) {
            return stranger == null ? noSuchClient(call) : stranger;
        }
        return answer(call, 200, clients.revoke(by(call, client), client, keyId));
    }

    /// Why the client's keys are not the caller's to manage; null when they are, or when the caller
    /// is not known.
    private @Nullable Answer stranger(Call call, @Nullable UUID client) {
        if (client == null || !identity.exists(client)) {
            return noSuchClient(call);
        }
        Principal caller = call.attached(Principal.class).orElse(null);
        if (caller == null) {
            return null;
        }
        if (!caller.accountId().equals(client)
                && !caller.accountId().equals(Identity.LOCAL_ACCOUNT)) {
            return JobsProblems.othersOwn(call);
        }
        return caller.scopes().contains(Scope.ADMIN)
                ? null
                : JobsProblems.error(
                        call, JobsError.AUTH_FORBIDDEN, "This needs a key with the scope admin.");
    }

    private static By by(Call call, UUID client) {
        Principal caller = call.attached(Principal.class).orElse(null);
        String secret = Callers.bearer(call);
        if (caller == null || secret == null) {
            return new By.Nobody();
        }
        return caller.accountId().equals(client)
                ? new By.Own(caller, secret)
                : new By.Operator(caller);
    }

    private static Answer noSuchClient(Call call) {
        return JobsProblems.error(call, JobsError.CLIENT_NOT_FOUND, "There is no such client.");
    }

    private static Answer answer(Call call, int status, ClientKey came) {
        return switch (came) {
            case ClientKey.Made(var view, var key) ->
                    secret(Answer.json(status, key(view, key.reveal())));
            case ClientKey.Existing(var view) -> secret(Answer.json(status, key(view, null)));
            case ClientKey.Revoked _ ->
                    Answer.json(status, JsonWriter.object(out -> out.bool("revoked", true)));
            case ClientKey.Replayed(var answer) -> secret(Once.replayed(answer));
            case ClientKey.OtherRequest() -> otherRequest(call);
            case ClientKey.InFlight() -> inFlight(call);
            case ClientKey.NoSuchClient() -> noSuchClient(call);
            case ClientKey.NoSuchKey() ->
                    JobsProblems.error(
                            call, JobsError.KEY_NOT_FOUND, "The client has no such key.");
            case ClientKey.KeyNeeded() ->
                    JobsProblems.error(
                            call,
                            JobsError.AUTH_INVALID_CREDENTIALS,
                            "Only the first key of a client, within "
                                    + Clients.FIRST_KEY_WITHIN.toHours()
                                    + " hours of its making, needs no key: send one of the"
                                    + " client's as Authorization: Bearer.");
            case ClientKey.Conflict() ->
                    JobsProblems.error(
                            call,
                            JobsError.KEY_CONFLICT,
                            "The client's keys were changed meanwhile, or none of them works.");
        };
    }

    private static byte[] key(KeyView view, @Nullable String secret) {
        Long expires = view.expiresMs();
        return JsonWriter.object(
                out ->
                        out.text("api_key", secret)
                                .text("key_id", view.keyId().toString())
                                .instant("created_at", view.createdMs())
                                .instant(
                                        "expires_at",
                                        expires == null ? null : Instant.ofEpochMilli(expires)));
    }
}
