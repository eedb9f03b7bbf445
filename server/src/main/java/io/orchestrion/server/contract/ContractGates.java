package io.orchestrion.server.contract;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.DoorGates;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;

import org.jspecify.annotations.Nullable;

/// The gates of a door that is opened by API keys and refuses with an agent contract.
///
/// @param <E> the door's errors
public class ContractGates<E extends DoorError> extends DoorGates {
    private final Identity identity;
    private final ErrorAnswers<E> answers;

    public ContractGates(Identity identity, RateLimiter limiter, ErrorAnswers<E> answers) {
        super(limiter);
        this.identity = identity;
        this.answers = answers;
    }

    @Override
    protected Answer badRequest(Call call, String message) {
        return answers.badRequest(call, message);
    }

    @Override
    protected Answer otherScope(Call call, String message) {
        return answers.error(call, answers.errors().of(CommonError.INSUFFICIENT_SCOPE), message);
    }

    @Override
    protected Answer rateLimited(Call call, long waitSeconds, String message) {
        return answers.later(
                call, answers.errors().of(CommonError.RATE_LIMITED), waitSeconds, message);
    }

    /// A public endpoint needs no key. A good key names the caller, and a bad one is ignored.
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
                    : answers.error(
                            call,
                            answers.errors().of(CommonError.MISSING_KEY),
                            "Send an API key as Authorization: Bearer orch_live_….");
        }
        Principal principal = Callers.known(call, identity.look(sent));
        return principal != null || anybody
                ? null
                : answers.error(
                        call,
                        answers.errors().of(CommonError.INVALID_KEY),
                        "The API key is malformed, unknown, expired or revoked.");
    }
}
