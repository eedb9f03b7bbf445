package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.DoorGates;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The gates of this door, in its words.
public final class TaskGates extends DoorGates {
    private final Identity identity;

    private TaskGates(Identity identity, RateLimiter limiter) {
        super(limiter);
        this.identity = identity;
    }

    public static List<Gate> of(Identity identity, RateLimiter limiter) {
        return new TaskGates(identity, limiter).gates();
    }

    @Override
    protected String limitOf(Endpoint endpoint) {
        return BatchEndpoints.countsItems(endpoint) ? "" : endpoint.limit();
    }

    @Override
    protected boolean wholeBody(Call call) {
        return !BatchEndpoints.comesInLines(call);
    }

    @Override
    protected Answer badRequest(Call call, String message) {
        return TaskAnswers.badRequest(call, message);
    }

    @Override
    protected Answer otherScope(Call call, String message) {
        return TaskAnswers.error(call, TaskError.INSUFFICIENT_SCOPE, message);
    }

    @Override
    protected Answer rateLimited(Call call, long waitSeconds, String message) {
        return TaskAnswers.later(call, TaskError.RATE_LIMITED, waitSeconds, message);
    }

    /// Where no key is needed a good one still says whose request it is, and any other nothing.
    @Override
    protected @Nullable Answer authenticate(Call call, Endpoint endpoint) {
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
        Principal principal = Callers.known(call, identity.look(sent));
        return principal != null || anybody
                ? null
                : TaskAnswers.error(
                        call,
                        TaskError.INVALID_API_KEY,
                        "The API key is malformed, unknown, expired or revoked.");
    }
}
