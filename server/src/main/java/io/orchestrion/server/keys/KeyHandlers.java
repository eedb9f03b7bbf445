package io.orchestrion.server.keys;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.KeyView;
import io.orchestrion.kernel.identity.Keys;
import io.orchestrion.kernel.identity.MadeKey;
import io.orchestrion.kernel.identity.NewKey;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.kernel.identity.Revocation;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Expiries;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/// Registering, which makes an account and its first key, and managing the keys of an account.
public final class KeyHandlers {
    private final Identity identity;
    private final Keys keys;

    public KeyHandlers(Identity identity, Keys keys) {
        this.identity = identity;
        this.keys = keys;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(KeyEndpoints.REGISTER, this::register)
                .handle(KeyEndpoints.CREATE, this::create)
                .handle(KeyEndpoints.LIST, this::list)
                .handle(KeyEndpoints.GET, this::get)
                .handle(KeyEndpoints.RENAME, this::rename)
                .handle(KeyEndpoints.REVOKE, this::revoke);
    }

    private Answer register(Call call) {
        Registration made = identity.register(call.json().text("name"));
        AgentContract contract = AgentContract.of(false, TaskActions.create().best());
        return Answer.json(
                        201,
                        JsonWriter.object(
                                out ->
                                        out.text("apiKey", made.key().reveal())
                                                .text("accountId", made.accountId().toString())
                                                .text("keyId", made.keyId().toString())
                                                .text("plan", Plan.FREE_ID)
                                                .instant("createdAt", made.createdMs())
                                                .object("agent_contract", contract::write)))
                .with("Cache-Control", "no-store");
    }

    private Answer create(Call call) {
        Values body = call.json();
        String both = Expiries.fault(body);
        if (both != null) {
            return TaskErrorAnswers.badRequest(call, both);
        }
        NewKey wanted =
                new NewKey(
                        body.text("name"),
                        body.has("scopes")
                                ? body.texts("scopes").stream()
                                        .map(Scope::of)
                                        .collect(Collectors.toSet())
                                : null,
                        Expiries.read(body));
        return switch (keys.create(Callers.caller(call), wanted)) {
            case MadeKey.Made made -> created(made, Callers.caller(call));
            case MadeKey.BeyondScopes(var beyond) ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.INSUFFICIENT_SCOPE,
                            "scopes must be among those of the calling key, "
                                    + words(Callers.caller(call).scopes())
                                    + ": not "
                                    + words(beyond)
                                    + ".");
            case MadeKey.ExpiryRefused(var nowMs) ->
                    TaskErrorAnswers.badRequest(call, Expiries.refused(nowMs));
            case MadeKey.CallerGone() ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.INVALID_API_KEY,
                            "The API key has been revoked or has expired.");
            case MadeKey.TooMany() ->
                    TaskErrorAnswers.badRequest(
                            call,
                            "An account may have "
                                    + Keys.LIVE_MAX
                                    + " live keys and has that many; revoke one first.");
        };
    }

    private static Answer created(MadeKey.Made made, Principal caller) {
        AgentContract contract = AgentContract.of(false, TaskActions.create().best());
        return Answer.json(
                        201,
                        JsonWriter.object(
                                out ->
                                        out.text("apiKey", made.key().reveal())
                                                .object(
                                                        "key",
                                                        key -> write(key, made.view(), caller))
                                                .object("agent_contract", contract::write)))
                .with("Cache-Control", "no-store")
                .with("Location", "/v1/keys/" + made.view().keyId());
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && before == null) {
            return TaskErrorAnswers.badRequest(
                    call, "cursor must be the nextCursor of an earlier answer");
        }
        int limit = query.int32("limit");
        Principal caller = Callers.caller(call);
        List<KeyView> found = keys.list(caller.accountId(), before, limit + 1);
        List<KeyView> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? PageCursor.of(page.getLast().keyId()) : null;
        AgentContract contract = AgentContract.of(true, TaskActions.create().best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("keys", page, (each, key) -> write(each, key, caller))
                                        .text("nextCursor", next)
                                        .object("agent_contract", contract::write)));
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, "id");
        KeyView key = id == null ? null : keys.get(Callers.caller(call).accountId(), id);
        return key == null ? noSuchKey(call) : answer(call, key);
    }

    private Answer rename(Call call) {
        String name = call.json().text("name");
        UUID id = Callers.id(call, "id");
        KeyView key = id == null ? null : keys.rename(Callers.caller(call), id, name);
        return key == null ? noSuchKey(call) : answer(call, key);
    }

    private Answer revoke(Call call) {
        UUID id = Callers.id(call, "id");
        if (id == null) {
            return noSuchKey(call);
        }
        return switch (keys.revoke(Callers.caller(call), id)) {
            case Revocation.Revoked(var key) -> answer(call, key);
            case Revocation.NotFound() -> noSuchKey(call);
            case Revocation.LastKey() ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.LAST_KEY,
                            "This is the account's last live key with the scope admin; make"
                                    + " another one first.");
        };
    }

    /// About one key. A caller that has just revoked its own needs another one next.
    private static Answer answer(Call call, KeyView key) {
        Principal caller = Callers.caller(call);
        boolean ownGone =
                key.keyId().equals(caller.keyId()) && key.status() == KeyView.Status.REVOKED;
        AgentContract contract =
                ownGone
                        ? TaskActions.forError(
                                TaskError.INVALID_API_KEY, call.method(), call.path())
                        : AgentContract.of(true, TaskActions.create().best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.object("key", each -> write(each, key, caller))
                                        .object("agent_contract", contract::write)));
    }

    private static void write(JsonWriter out, KeyView key, Principal caller) {
        out.text("id", key.keyId().toString())
                .text("name", key.name())
                .texts("scopes", sorted(key.scopes()))
                .text("status", KeySpecs.word(key.status()))
                .bool("current", key.keyId().equals(caller.keyId()))
                .instant("createdAt", key.createdMs());
        instant(out, "expiresAt", key.expiresMs());
        instant(out, "revokedAt", key.revokedMs());
        instant(out, "lastUsedAt", key.lastUsedMs());
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        out.instant(name, millis == null ? null : Instant.ofEpochMilli(millis));
    }

    private static List<String> sorted(Collection<Scope> scopes) {
        return scopes.stream().sorted().map(Scope::word).toList();
    }

    private static String words(Collection<Scope> scopes) {
        return String.join(", ", sorted(scopes));
    }

    private static Answer noSuchKey(Call call) {
        return TaskErrorAnswers.error(
                call,
                TaskError.KEY_NOT_FOUND,
                "This account has no such key; GET /v1/keys lists those it has.");
    }
}
