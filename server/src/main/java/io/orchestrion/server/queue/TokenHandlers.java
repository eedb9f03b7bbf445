package io.orchestrion.server.queue;

import io.orchestrion.kernel.identity.NewWorkerToken;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.RepositoryName;
import io.orchestrion.kernel.identity.TokenChange;
import io.orchestrion.kernel.identity.TokenOutcome;
import io.orchestrion.kernel.identity.WorkerToken;
import io.orchestrion.kernel.identity.WorkerTokens;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Expiries;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Making and managing the worker tokens of an account.
public final class TokenHandlers {
    private final WorkerTokens tokens;

    public TokenHandlers(WorkerTokens tokens) {
        this.tokens = tokens;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(TokenEndpoints.CREATE, this::create)
                .handle(TokenEndpoints.LIST, this::list)
                .handle(TokenEndpoints.GET, this::get)
                .handle(TokenEndpoints.CHANGE, this::change)
                .handle(
                        TokenEndpoints.DEACTIVATE,
                        call -> changed(call, (by, id) -> tokens.deactivate(by, id)))
                .handle(
                        TokenEndpoints.REACTIVATE,
                        call -> changed(call, (by, id) -> tokens.reactivate(by, id)))
                .handle(TokenEndpoints.ROTATE, this::rotate);
    }

    private Answer create(Call call) {
        Values body = call.json();
        for (String list :
                List.of(TokenSpecs.REPOSITORIES, TokenSpecs.TYPES, TokenSpecs.CAPABILITIES)) {
            if (body.isNull(list)) {
                // A caller that sends null may mean that nothing is allowed, and would allow
                // everything. So it is refused.
                return QueueProblems.badField(
                        call,
                        list,
                        "an array",
                        list + " must be an array of texts; leave it out for no restriction");
            }
        }
        Answer fault = fault(call, body);
        if (fault != null) {
            return fault;
        }
        return answer(
                call,
                201,
                tokens.create(
                        Callers.caller(call),
                        new NewWorkerToken(
                                body.text("workerId"),
                                body.text("description"),
                                set(body, TokenSpecs.REPOSITORIES),
                                set(body, TokenSpecs.TYPES),
                                set(body, TokenSpecs.CAPABILITIES),
                                Expiries.read(body))));
    }

    /// Rules that the declaration of a body cannot express.
    private static @Nullable Answer fault(Call call, Values body) {
        String both = Expiries.fault(body);
        if (both != null) {
            return QueueProblems.badField(call, Expiries.IN_DAYS, null, both);
        }
        Set<String> repositories = set(body, TokenSpecs.REPOSITORIES);
        if (repositories != null && !repositories.stream().allMatch(RepositoryName::allowed)) {
            return QueueProblems.badField(
                    call,
                    TokenSpecs.REPOSITORIES,
                    "name or owner/*",
                    TokenSpecs.REPOSITORIES
                            + " must hold whole names, or owner/* for all of an owner's; a * stands"
                            + " nowhere else");
        }
        return null;
    }

    private static @Nullable Set<String> set(Values body, String list) {
        return body.has(list) && !body.isNull(list) ? new LinkedHashSet<>(body.texts(list)) : null;
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && before == null) {
            return QueueProblems.badField(
                    call, "cursor", null, "cursor must be the nextCursor of an earlier answer");
        }
        int limit = query.int32("limit");
        List<TokenOutcome.Done> found =
                tokens.list(Callers.account(call), query.textOrNull("workerId"), before, limit + 1);
        List<TokenOutcome.Done> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? PageCursor.of(page.getLast().token().id()) : null;
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects(
                                                "items",
                                                page,
                                                (each, done) ->
                                                        write(each, done.token(), done.nowMs()))
                                        .text("nextCursor", next)));
    }

    private Answer get(Call call) {
        UUID id = id(call);
        return answer(
                call,
                200,
                id == null ? new TokenOutcome.NotFound() : tokens.get(Callers.account(call), id));
    }

    private Answer change(Call call) {
        Values body = call.json();
        Answer fault = fault(call, body);
        if (fault != null) {
            return fault;
        }
        boolean expires = body.has(Expiries.AT) || body.has(Expiries.IN_DAYS);
        var change =
                new TokenChange(
                        body.textOrNull("description"),
                        to(body, TokenSpecs.REPOSITORIES),
                        to(body, TokenSpecs.TYPES),
                        to(body, TokenSpecs.CAPABILITIES),
                        expires ? new TokenChange.To<>(Expiries.read(body)) : null);
        return changed(call, (by, id) -> tokens.change(by, id, change));
    }

    private static TokenChange.@Nullable To<Set<String>> to(Values body, String list) {
        return body.has(list) ? new TokenChange.To<>(set(body, list)) : null;
    }

    private Answer rotate(Call call) {
        Duration overlap = Duration.ofSeconds(call.json().integer("overlapSeconds"));
        return changed(call, (by, id) -> tokens.rotate(by, id, overlap));
    }

    @FunctionalInterface
    private interface Deed {
        TokenOutcome done(Principal by, UUID id);
    }

    private static Answer changed(Call call, Deed deed) {
        UUID id = id(call);
        return answer(
                call,
                200,
                id == null ? new TokenOutcome.NotFound() : deed.done(Callers.caller(call), id));
    }

    private static @Nullable UUID id(Call call) {
        return Callers.id(call, "tokenId");
    }

    private static Answer answer(Call call, int status, TokenOutcome outcome) {
        return switch (outcome) {
            case TokenOutcome.Done(var token, var nowMs) ->
                    Answer.json(status, JsonWriter.object(out -> write(out, token, nowMs)));
            case TokenOutcome.Made made ->
                    Answer.json(
                                    status,
                                    JsonWriter.object(
                                            out ->
                                                    write(out, made.token(), made.nowMs())
                                                            .text("token", made.secret().reveal())))
                            .with("Cache-Control", "no-store");
            case TokenOutcome.NotFound() ->
                    QueueProblems.error(
                            call,
                            QueueError.TOKEN_NOT_FOUND,
                            "This account has no such worker token.");
            case TokenOutcome.CallerGone() ->
                    QueueProblems.error(
                            call,
                            QueueError.INVALID_CREDENTIAL,
                            "The API key has been revoked or has expired.");
            case TokenOutcome.ExpiryRefused(var nowMs) ->
                    QueueProblems.badField(
                            call,
                            Expiries.AT,
                            Expiries.bounds() + " ahead",
                            Expiries.refused(nowMs));
            case TokenOutcome.TooMany() ->
                    QueueProblems.error(
                            call,
                            QueueError.TOO_MANY_TOKENS,
                            "An account may have "
                                    + WorkerTokens.LIVE_MAX
                                    + " working worker tokens and has that many; deactivate one"
                                    + " first.");
            case TokenOutcome.NotWorking(var now) ->
                    QueueProblems.error(
                            call,
                            QueueError.TOKEN_NOT_WORKING,
                            "A worker token that is "
                                    + TokenSpecs.word(now)
                                    + " gets no new secret.");
            case TokenOutcome.TooManySecrets() ->
                    QueueProblems.error(
                            call,
                            QueueError.TOO_MANY_SECRETS,
                            WorkerTokens.SECRETS_MAX
                                    + " secrets of this worker token work already; rotate with"
                                    + " overlapSeconds 0 to end the older ones.");
        };
    }

    private static JsonWriter write(JsonWriter out, WorkerToken token, long nowMs) {
        WorkerToken.Status status = token.status(nowMs);
        out.text("id", token.id().toString())
                .text("workerId", token.workerId())
                .text("description", token.description());
        texts(out, TokenSpecs.REPOSITORIES, token.repositories());
        texts(out, TokenSpecs.TYPES, token.kinds());
        texts(out, TokenSpecs.CAPABILITIES, token.capabilities());
        out.bool("isActive", status == WorkerToken.Status.ACTIVE)
                .text("status", TokenSpecs.word(status))
                .instant("createdAt", token.createdMs());
        instant(out, "expiresAt", token.expiresMs());
        out.instant("rotatedAt", token.secretMs());
        instant(out, "formerSecretExpiresAt", token.formerEndsMs());
        instant(out, "lastUsedAt", token.lastUsedMs());
        return out.text("lastUsedFrom", token.lastUsedFrom());
    }

    private static void texts(JsonWriter out, String name, @Nullable Set<String> values) {
        if (values == null) {
            out.nil(name);
        } else {
            out.texts(name, values);
        }
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        out.instant(name, millis == null ? null : Instant.ofEpochMilli(millis));
    }
}
