package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.ApiKey;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimiter;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What is checked before a handler of this door runs, in this order: no key in the address, the
/// limits by address, who is asking, the limits by key.
public final class TaskGates {
    private static final Set<String> KEY_PARAMETERS =
            Set.of("api_key", "apikey", "key", "token", "access_token");
    private static final String BEARER = "bearer";

    private TaskGates() {}

    public static List<Gate> of(Identity identity, RateLimiter limiter) {
        return List.of(
                forTasks(TaskGates::refuseKeyInQuery),
                forTasks((call, endpoint) -> admit(identity, limiter, call, endpoint)));
    }

    private static Gate forTasks(Gate gate) {
        return (call, endpoint) ->
                endpoint.door().equals(TaskEndpoints.DOOR) ? gate.check(call, endpoint) : null;
    }

    /// Addresses end up in logs and histories, so a key in one is taken for leaked, also beside a
    /// good header and on public endpoints.
    private static @Nullable Answer refuseKeyInQuery(Call call, Endpoint endpoint) {
        boolean found =
                call.query().entrySet().stream()
                        .anyMatch(
                                parameter ->
                                        KEY_PARAMETERS.contains(
                                                        parameter.getKey().toLowerCase(Locale.ROOT))
                                                || parameter.getValue().stream()
                                                        .anyMatch(
                                                                value ->
                                                                        value.startsWith(
                                                                                ApiKey.PREFIX)));
        return found
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
                        stranger == null ? endpoint.limit() : "",
                        call.remoteAddress(),
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

    private static @Nullable Answer authenticate(Identity identity, Call call, Endpoint endpoint) {
        if (endpoint.access() == Access.PUBLIC) {
            return null;
        }
        String header = call.header("Authorization").orElse("").strip();
        String scheme = header.split(" ", 2)[0].toLowerCase(Locale.ROOT);
        if (!scheme.equals(BEARER)) {
            return TaskAnswers.error(
                    call,
                    TaskError.MISSING_API_KEY,
                    "Send an API key as Authorization: Bearer orch_live_….");
        }
        Principal principal = identity.authenticate(header.substring(BEARER.length()).strip());
        if (principal == null) {
            return TaskAnswers.error(
                    call,
                    TaskError.INVALID_API_KEY,
                    "The API key is malformed, unknown, expired or revoked.");
        }
        call.attach(Principal.class, principal);
        return null;
    }
}
