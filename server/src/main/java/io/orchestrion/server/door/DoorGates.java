package io.orchestrion.server.door;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What is checked before a handler of a door runs, in this order: no key in the address, one
/// `Authorization` at the most, the limits by address, who is asking, the limits by key, whether
/// the key is for this, no key in what would be stored. What is asked is the same at every door;
/// what is said is the door's own.
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

    /// Two credentials in one request: whoever is in between may have read the other one.
    protected Answer ambiguous(Call call) {
        return badRequest(call, "The Authorization header must be sent once.");
    }

    protected abstract Answer otherScope(Call call, String message);

    protected abstract Answer rateLimited(Call call, long waitSeconds, String message);

    /// Addresses end up in logs and histories, so a key in one is taken for leaked, also beside a
    /// good header and on public endpoints.
    private @Nullable Answer refuseKeyInQuery(Call call, Endpoint endpoint) {
        return SentKeys.inQuery(call) ? badRequest(call, keyInAddress()) : null;
    }

    protected String keyInAddress() {
        return "A key must not be sent in the address; send it as Authorization: Bearer.";
    }

    /// The limits by address count whoever comes, so a caller over them is told that, not whether
    /// its key is good; those by key need the key first. One look at the counters does for both.
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

    /// What is stored is shown to others and copied by backups, where a key is as good as lost.
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
