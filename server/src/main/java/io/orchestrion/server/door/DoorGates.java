package io.orchestrion.server.door;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The checks before a handler of a door runs, in this order: no key in the address, one
/// `Authorization` at the most, the limits by address, the key, the limits by key, the scopes, no
/// key in content that would be stored. Every door makes the same checks, and words the refusals
/// itself.
public abstract class DoorGates {
    private final RateLimiter limiter;

    protected DoorGates(RateLimiter limiter) {
        this.limiter = limiter;
    }

    public final List<Gate> gates() {
        return List.of(
                this::refuseKeyInQuery,
                (call, _) -> Callers.ambiguous(call) ? ambiguous(call) : null,
                this::admit,
                this::refuseOtherScopes,
                this::refuseKeyInContent);
    }

    /// Says who is asking: attaches a [Principal], or answers what is wrong with who comes.
    protected abstract @Nullable Answer authenticate(Call call, Endpoint endpoint);

    /// The limit that this request counts against, empty for none of its own.
    protected String limitOf(Endpoint endpoint) {
        return endpoint.limit();
    }

    /// Whether the body is one value, which can be looked through before it is read.
    protected boolean wholeBody(Call call) {
        return true;
    }

    protected abstract Answer badRequest(Call call, String message);

    /// Refuses two credentials in one request: a proxy may have gone by the other one.
    protected Answer ambiguous(Call call) {
        return badRequest(call, "The Authorization header must be sent once.");
    }

    protected abstract Answer otherScope(Call call, String message);

    protected abstract Answer rateLimited(Call call, long waitSeconds, String message);

    /// Addresses end up in logs and histories, so a key in an address counts as leaked, even beside
    /// a good header or on a public endpoint.
    private @Nullable Answer refuseKeyInQuery(Call call, Endpoint endpoint) {
        return SentKeys.inQuery(call) ? badRequest(call, keyInAddress()) : null;
    }

    protected String keyInAddress() {
        return "A key must not be sent in the address; send it as Authorization: Bearer.";
    }

    /// The limits by address count every caller. So a caller beyond them is told that, and not
    /// whether its key is good. The limits by key need the key first. All of them are counted in
    /// one step.
    private @Nullable Answer admit(Call call, Endpoint endpoint) {
        Answer stranger = authenticate(call, endpoint);
        RateLimiter.Verdict verdict =
                limiter.count(
                        stranger == null ? limitOf(endpoint) : "",
                        call.clientAddress().limitSubject(),
                        call.attached(Principal.class).orElse(null));
        verdict.headers().forEach(call::answerHeader);
        String refusal = verdict.refusal();
        return refusal == null
                ? stranger
                : rateLimited(call, Math.max(1, (verdict.waitMs() + 999) / 1000), refusal);
    }

    private @Nullable Answer refuseOtherScopes(Call call, Endpoint endpoint) {
        String missing = Callers.scopeMissing(call, endpoint);
        return missing == null ? null : otherScope(call, missing);
    }

    /// Stored content is shown to others and copied by backups, so a key in it is as good as lost.
    private @Nullable Answer refuseKeyInContent(Call call, Endpoint endpoint) {
        boolean found =
                SentKeys.inIdempotencyKey(call)
                        || (endpoint.request() != null
                                && wholeBody(call)
                                && SentKeys.inBody(call.body()));
        return found
                ? badRequest(
                        call,
                        "The body and Idempotency-Key must not hold an API key or a worker token.")
                : null;
    }
}
