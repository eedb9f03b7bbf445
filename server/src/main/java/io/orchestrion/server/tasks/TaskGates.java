package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What is checked before a handler of this door runs, in this order: no key in the address, the
/// limits by address, who is asking, the limits by key, whether the key is for this, no key in
/// what would be stored.
public final class TaskGates {
    private static final String BEARER = "bearer";

    private TaskGates() {}

    public static List<Gate> of(Identity identity, RateLimiter limiter) {
        return List.of(
                forTasks(TaskGates::refuseKeyInQuery),
                forTasks((call, endpoint) -> admit(identity, limiter, call, endpoint)),
                forTasks(TaskGates::refuseOtherScopes),
                forTasks(TaskGates::refuseKeyInContent));
    }

    private static Gate forTasks(Gate gate) {
        return (call, endpoint) ->
                endpoint.door().equals(TaskEndpoints.DOOR) ? gate.check(call, endpoint) : null;
    }

    /// Addresses end up in logs and histories, so a key in one is taken for leaked, also beside a
    /// good header and on public endpoints.
    private static @Nullable Answer refuseKeyInQuery(Call call, Endpoint endpoint) {
        return SentKeys.inQuery(call)
                ? TaskAnswers.error(
                        call,
                        TaskError.INVALID_REQUEST,
                        "A key must not be sent in the address; send it as Authorization: Bearer.")
                : null;
    }

    /// The limits by address count whoever comes, so a caller over them is told that, not whether
    /// its key is good; those by key need the key first. One look at the counters does for both.
    private static @Nullable Answer admit(
            Identity identity, RateLimiter limiter, Call call, Endpoint endpoint) {
        Answer stranger = authenticate(identity, call, endpoint);
        RateLimiter.Verdict verdict =
                limiter.count(
                        stranger == null && !BatchEndpoints.countsItems(endpoint)
                                ? endpoint.limit()
                                : "",
                        call.clientAddress().limitSubject(),
                        call.attached(Principal.class).orElse(null));
        verdict.headers().forEach(call::answerHeader);
        RateLimit full = verdict.refusedBy();
        return full == null
                ? stranger
                : TaskAnswers.later(
                        call,
                        TaskError.RATE_LIMITED,
                        TaskAnswers.waitSeconds(verdict.waitMs()),
                        "At most "
                                + verdict.max()
                                + " requests in "
                                + full.window().toSeconds()
                                + " seconds for "
                                + full.endpoint()
                                + ", counted by "
                                + full.by().word()
                                + ".");
    }

    /// What is stored is shown to others and copied by backups, where a key is as good as lost.
    private static @Nullable Answer refuseKeyInContent(Call call, Endpoint endpoint) {
        return SentKeys.inContent(call, endpoint)
                ? TaskAnswers.error(
                        call,
                        TaskError.INVALID_REQUEST,
                        "The body and Idempotency-Key must not hold an API key.")
                : null;
    }

    private static @Nullable Answer refuseOtherScopes(Call call, Endpoint endpoint) {
        Set<Scope> scopes = call.attached(Principal.class).map(Principal::scopes).orElse(Set.of());
        boolean enough =
                endpoint.scopes().isEmpty()
                        || scopes.stream().map(Scope::word).anyMatch(endpoint.scopes()::contains);
        return enough
                ? null
                : TaskAnswers.error(
                        call,
                        TaskError.INSUFFICIENT_SCOPE,
                        "This needs a key with the scope "
                                + String.join(" or ", endpoint.scopes())
                                + "; this one has "
                                + scopes.stream()
                                        .sorted()
                                        .map(Scope::word)
                                        .collect(Collectors.joining(", "))
                                + ".");
    }

    /// Whether the key of a call that has gone on for a while still opens what it did.
    static boolean stillGood(Identity identity, Call call) {
        Principal then = TaskCalls.caller(call);
        return then.equals(identity.authenticate(sent(call).substring(BEARER.length()).strip()));
    }

    private static String sent(Call call) {
        return call.header("Authorization").orElse("").strip();
    }

    /// Where no key is needed a good one still says whose request it is, and any other nothing.
    private static @Nullable Answer authenticate(Identity identity, Call call, Endpoint endpoint) {
        boolean anybody = endpoint.access() == Access.PUBLIC;
        if (anybody && endpoint.limit().equals(RateLimits.NONE)) {
            // Probes must be answered without the database.
            return null;
        }
        String header = sent(call);
        String scheme = header.split(" ", 2)[0].toLowerCase(Locale.ROOT);
        if (!scheme.equals(BEARER)) {
            return anybody
                    ? null
                    : TaskAnswers.error(
                            call,
                            TaskError.MISSING_API_KEY,
                            "Send an API key as Authorization: Bearer orch_live_….");
        }
        Principal principal = identity.authenticate(header.substring(BEARER.length()).strip());
        if (principal == null) {
            return anybody
                    ? null
                    : TaskAnswers.error(
                            call,
                            TaskError.INVALID_API_KEY,
                            "The API key is malformed, unknown, expired or revoked.");
        }
        call.attach(Principal.class, principal);
        return null;
    }
}
