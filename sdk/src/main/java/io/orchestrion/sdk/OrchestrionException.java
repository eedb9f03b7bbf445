package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The server refused a request, or could not be asked.
///
/// [#code] tells which: the codes of the server are in `docs/reference/errors.md`; the four
/// constants here are the client's own and have the status 0 or that of an answer which is not the
/// server's.
/// Failed tries before the last one are its suppressed exceptions.
public final class OrchestrionException extends RuntimeException {
    /// No connection: nothing was sent.
    public static final String UNREACHABLE = "unreachable";

    /// The request went out and no answer came: what became of it is not known.
    public static final String NO_ANSWER = "no_answer";

    /// What answered does not speak the contract; something else listens there, or a proxy spoke.
    public static final String BAD_ANSWER = "bad_answer";

    /// The calling thread was interrupted; its interrupt status is set again.
    public static final String INTERRUPTED = "interrupted";

    private static final long serialVersionUID = 1;

    private final String code;
    private final int status;
    private final @Nullable String requestId;
    private final boolean retryable;
    private final List<NextAction> nextActions;

    OrchestrionException(
            String code,
            int status,
            String message,
            @Nullable String requestId,
            boolean retryable,
            List<NextAction> nextActions,
            @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.status = status;
        this.requestId = requestId;
        this.retryable = retryable;
        this.nextActions = List.copyOf(nextActions);
    }

    static OrchestrionException ofClient(
            String code, int status, String message, @Nullable Throwable cause) {
        boolean retryable = !code.equals(INTERRUPTED) && (status == 0 || status >= 500);
        return new OrchestrionException(code, status, message, null, retryable, List.of(), cause);
    }

    /// Which error; stable, and what a program should look at.
    public String code() {
        return code;
    }

    public boolean is(String code) {
        return this.code.equals(code);
    }

    /// The HTTP status, 0 without an answer.
    public int status() {
        return status;
    }

    /// The name under which the server logged the request.
    public Optional<String> requestId() {
        return Optional.ofNullable(requestId);
    }

    /// Whether the same request may succeed later.
    public boolean retryable() {
        return retryable;
    }

    /// How long to wait before that, where the server names a time.
    public OptionalLong retryAfterSeconds() {
        for (NextAction action : nextActions) {
            Long seconds = action.retryAfterSeconds();
            if (seconds != null) {
                return OptionalLong.of(seconds);
            }
        }
        return OptionalLong.empty();
    }

    /// What the server says can be done now.
    public List<NextAction> nextActions() {
        return nextActions;
    }

    /// The action to choose when in doubt.
    public Optional<NextAction> recommended() {
        return AgentContract.recommended(nextActions);
    }

    /// Whether it passes by itself: no connection, no answer, too much to do, a stumble. Other
    /// retryable refusals, such as a task that somebody holds, want a decision of the caller.
    boolean passing() {
        return retryable && (status == 0 || status == 429 || status >= 500);
    }

    /// Whether the request may have been done all the same.
    boolean unclear() {
        return is(NO_ANSWER) || status >= 500;
    }
}
