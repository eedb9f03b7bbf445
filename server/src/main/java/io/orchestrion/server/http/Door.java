package io.orchestrion.server.http;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.JsonWriter;

import java.util.List;
import java.util.Set;

/// One published contract. It has its own form of errors, so it also words the answers that no
/// handler writes.
public interface Door {
    /// The name that endpoints of this door carry.
    String name();

    /// Whether an unknown path belongs to this door, for the body of its 404. The default door is
    /// not asked.
    boolean owns(String path);

    Answer notFound(Call call);

    /// Writes this door's words for a path that nobody has into the answer of another door that
    /// shares a root with it. Nothing where it shares none.
    default void writeNotFound(JsonWriter out, Call call) {}

    /// 405; the pipeline adds the `Allow` header.
    Answer methodNotAllowed(Call call, Set<String> allowed);

    /// A request that cannot be served as it is: 400 for bad input; 408, 414, 431, 501 and 505 when
    /// HTTP itself was at fault. The message is safe to show.
    Answer refused(Call call, int status, String message);

    default Answer badRequest(Call call, String message) {
        return refused(call, 400, message);
    }

    /// A body or query string that does not fit its declaration; there is at least one fault.
    default Answer invalid(Call call, List<BodyFault> faults) {
        return badRequest(call, faults.getFirst().message());
    }

    default Answer bodyTooLarge(Call call, long maxBytes) {
        return refused(call, 413, "The body must be at most " + maxBytes + " bytes.");
    }

    default Answer unsupportedMediaType(Call call) {
        return refused(call, 415, "The Content-Type must be application/json.");
    }

    /// Whether a failure is of a kind that will happen, such as a store that is away: it is logged
    /// in one line then, and not with all its particulars each time.
    default boolean expects(Throwable failure) {
        return false;
    }

    /// 500. The failure is already logged with the request id; nothing of it belongs in the answer.
    Answer failed(Call call, Throwable failure);

    /// 429; the pipeline adds the `Retry-After` header. The account's requests hold as much memory
    /// as one account may.
    default Answer tooMuchInFlight(Call call, int retryAfterSeconds) {
        return refused(call, 429, TOO_MUCH_IN_FLIGHT);
    }

    String TOO_MUCH_IN_FLIGHT =
            "Your requests that are under way hold as much memory as one account may; send this"
                    + " again when some of them are answered, or in smaller parts.";

    /// 503; the pipeline adds the `Retry-After` header.
    Answer overloaded(Call call, int retryAfterSeconds);
}
