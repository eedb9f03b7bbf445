package io.orchestrion.server.jobs;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.KeyFound;
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

import java.util.ArrayList;
import java.util.List;

/// The gates of this door, in its words. Before those of every door come two of its own: a door
/// whose settings are invalid does nothing at all, and a caller that takes no JSON is told so.
public final class JobsGates extends DoorGates {
    private final Identity identity;

    private JobsGates(Identity identity, RateLimiter limiter) {
        super(limiter);
        this.identity = identity;
    }

    /// @param configFault what is wrong with the door's settings; null when nothing is
    public static List<Gate> of(
            Identity identity, RateLimiter limiter, @Nullable String configFault) {
        var all = new ArrayList<Gate>();
        if (configFault != null) {
            all.add((call, endpoint) -> misconfigured(call, endpoint, configFault));
        }
        all.add(JobsGates::acceptable);
        all.addAll(new JobsGates(identity, limiter).gates());
        return all;
    }

    /// The pages about errors are open even then, because they explain this very answer.
    private static @Nullable Answer misconfigured(Call call, Endpoint endpoint, String fault) {
        return page(endpoint) ? null : JobsProblems.error(call, JobsError.CONFIG_INVALID, fault);
    }

    private static @Nullable Answer acceptable(Call call, Endpoint endpoint) {
        return page(endpoint) || Accepts.json(call)
                ? null
                : JobsProblems.error(
                        call,
                        JobsError.REQUEST_NOT_ACCEPTABLE,
                        "This answers with application/json, and with application/problem+json for"
                                + " errors; the Accept header allows neither.");
    }

    private static boolean page(Endpoint endpoint) {
        return endpoint.path().startsWith("/problems");
    }

    /// An endpoint that needs no key asks for none. But a key that is sent must be good, because
    /// its sender means it to count.
    @Override
    protected @Nullable Answer authenticate(Call call, Endpoint endpoint) {
        boolean anybody = endpoint.access() == Access.PUBLIC;
        if (anybody && endpoint.limit().equals(RateLimits.NONE)) {
            return null;
        }
        String sent = Callers.bearer(call);
        if (sent == null) {
            return anybody && call.header("Authorization").isEmpty()
                    ? null
                    : JobsProblems.error(
                            call,
                            JobsError.AUTH_INVALID_CREDENTIALS,
                            "Send an API key as Authorization: Bearer orch_live_….");
        }
        KeyFound found = identity.look(sent);
        Callers.known(call, found);
        return switch (found) {
            case KeyFound.Live _ -> null;
            case KeyFound.Unknown() ->
                    JobsProblems.error(
                            call,
                            JobsError.AUTH_INVALID_CREDENTIALS,
                            "The API key is malformed or unknown.");
            case KeyFound.Expired _ ->
                    JobsProblems.error(
                            call, JobsError.AUTH_TOKEN_EXPIRED, "The API key has expired.");
            case KeyFound.Revoked _ ->
                    JobsProblems.error(
                            call, JobsError.AUTH_API_KEY_DISABLED, "The API key was revoked.");
        };
    }

    @Override
    protected Answer badRequest(Call call, String message) {
        return JobsProblems.malformed(call, message);
    }

    @Override
    protected Answer otherScope(Call call, String message) {
        return JobsProblems.error(call, JobsError.AUTH_FORBIDDEN, message);
    }

    @Override
    protected Answer rateLimited(Call call, long waitSeconds, String message) {
        return JobsProblems.later(call, JobsError.REQUEST_RATE_LIMITED, waitSeconds, message);
    }
}
