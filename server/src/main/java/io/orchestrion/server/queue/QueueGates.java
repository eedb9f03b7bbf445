package io.orchestrion.server.queue;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.DoorGates;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The gates of this door, in its words.
public final class QueueGates extends DoorGates {
    private final Authentication authentication;

    private QueueGates(Authentication authentication, RateLimiter limiter) {
        super(limiter);
        this.authentication = authentication;
    }

    /// Finds out who is calling. It attaches a [Principal], which has the account, the scopes, and
    /// an id that limits are counted by, and for a worker a `WorkerCaller`; or it answers 401, 403
    /// or 400.
    @FunctionalInterface
    public interface Authentication {
        @Nullable Answer check(Call call, Endpoint endpoint);
    }

    public static List<Gate> of(Authentication authentication, RateLimiter limiter) {
        return new QueueGates(authentication, limiter).gates();
    }

    @Override
    protected @Nullable Answer authenticate(Call call, Endpoint endpoint) {
        return authentication.check(call, endpoint);
    }

    @Override
    protected String keyInAddress() {
        return "A key or token must not be sent in the address; send it as a header.";
    }

    @Override
    protected Answer badRequest(Call call, String message) {
        return QueueProblems.badRequest(call, message);
    }

    @Override
    protected Answer ambiguous(Call call) {
        return WorkerAuthentication.ambiguous(call);
    }

    @Override
    protected Answer otherScope(Call call, String message) {
        return QueueProblems.error(call, QueueError.INSUFFICIENT_SCOPE, message);
    }

    @Override
    protected Answer rateLimited(Call call, long waitSeconds, String message) {
        return QueueProblems.later(call, QueueError.RATE_LIMITED, waitSeconds, message);
    }
}
