package io.orchestrion.server.queue;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.SentKeys;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What is checked before a handler of this door runs, in this order: no key in the address, who is
/// asking, the limits by address and by key, whether the credential is for this, no key in what
/// would be stored.
public final class QueueGates {
    private QueueGates() {}

    /// Says who is asking. It attaches a [Principal], which carries the account, the scopes, and an
    /// id that limits are counted by, and for whoever works a `WorkerCaller`; or it answers 401,
    /// 403 or 400.
    @FunctionalInterface
    public interface Authentication {
        @Nullable Answer check(Call call, Endpoint endpoint);
    }

    public static List<Gate> of(Authentication authentication, RateLimiter limiter) {
        return List.of(
                forQueue(QueueGates::refuseKeyInQuery),
                forQueue((call, endpoint) -> admit(authentication, limiter, call, endpoint)),
                forQueue(QueueGates::refuseOtherScopes),
                forQueue(QueueGates::refuseKeyInContent));
    }

    private static Gate forQueue(Gate gate) {
        return (call, endpoint) ->
                endpoint.door().equals(QueueEndpoints.DOOR) ? gate.check(call, endpoint) : null;
    }

    private static @Nullable Answer refuseKeyInQuery(Call call, Endpoint endpoint) {
        return SentKeys.inQuery(call)
                ? QueueProblems.badRequest(
                        call,
                        "A key or token must not be sent in the address; send it as a header.")
                : null;
    }

    /// The limits by address count whoever comes; see the tasks door.
    private static @Nullable Answer admit(
            Authentication authentication, RateLimiter limiter, Call call, Endpoint endpoint) {
        Answer stranger = authentication.check(call, endpoint);
        RateLimiter.Verdict verdict =
                limiter.count(
                        stranger == null ? endpoint.limit() : "",
                        call.clientAddress().limitSubject(),
                        call.attached(Principal.class).orElse(null));
        verdict.headers().forEach(call::answerHeader);
        String refusal = verdict.refusal();
        return refusal == null
                ? stranger
                : QueueProblems.later(
                        call,
                        QueueError.RATE_LIMITED,
                        Math.max(1, (verdict.waitMs() + 999) / 1000),
                        refusal);
    }

    private static @Nullable Answer refuseOtherScopes(Call call, Endpoint endpoint) {
        String missing = Callers.scopeMissing(call, endpoint);
        return missing == null
                ? null
                : QueueProblems.error(call, QueueError.INSUFFICIENT_SCOPE, missing);
    }

    private static @Nullable Answer refuseKeyInContent(Call call, Endpoint endpoint) {
        boolean found =
                SentKeys.inIdempotencyKey(call)
                        || (endpoint.request() != null && SentKeys.inBody(call.body()));
        return found
                ? QueueProblems.badRequest(
                        call, "The body and Idempotency-Key must not hold an API key or a worker token.")
                : null;
    }
}
