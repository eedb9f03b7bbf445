package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.SentKeys;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What is checked before a handler of this door runs, in this order: no key in the address, the
/// limits by address, who is asking, the limits by key, whether the key is for this, no key in
/// what would be stored.
public final class TaskGates {
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
        String refusal = verdict.refusal();
        return refusal == null
                ? stranger
                : TaskAnswers.later(
                        call,
                        TaskError.RATE_LIMITED,
                        TaskAnswers.waitSeconds(verdict.waitMs()),
                        refusal);
    }

    /// What is stored is shown to others and copied by backups, where a key is as good as lost.
    private static @Nullable Answer refuseKeyInContent(Call call, Endpoint endpoint) {
        boolean found =
                SentKeys.inIdempotencyKey(call)
                        || (endpoint.request() != null
                                && !BatchEndpoints.comesInLines(call)
                                && SentKeys.inBody(call.body()));
        return found
                ? TaskAnswers.error(
                        call,
                        TaskError.INVALID_REQUEST,
                        "The body and Idempotency-Key must not hold an API key or a worker token.")
                : null;
    }

    private static @Nullable Answer refuseOtherScopes(Call call, Endpoint endpoint) {
        String missing = Callers.scopeMissing(call, endpoint);
        return missing == null
                ? null
                : TaskAnswers.error(call, TaskError.INSUFFICIENT_SCOPE, missing);
    }

    /// Where no key is needed a good one still says whose request it is, and any other nothing.
    private static @Nullable Answer authenticate(Identity identity, Call call, Endpoint endpoint) {
        boolean anybody = endpoint.access() == Access.PUBLIC;
        if (anybody && endpoint.limit().equals(RateLimits.NONE)) {
            // Probes must be answered without the database.
            return null;
        }
        String sent = Callers.bearer(call);
        if (sent == null) {
            return anybody
                    ? null
                    : TaskAnswers.error(
                            call,
                            TaskError.MISSING_API_KEY,
                            "Send an API key as Authorization: Bearer orch_live_….");
        }
        Principal principal = identity.authenticate(sent);
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
