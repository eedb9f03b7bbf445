package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The server refused a request, or could not be reached.
///
/// ```java
/// try {
///     client.cancel(id);
/// } catch (OrchestrionException refused) {
///     System.out.println(refused.code() + ": " + refused.getMessage());
///     refused.recommended().ifPresent(next -> System.out.println("Next: " + next.action()));
/// }
/// ```
///
/// [#code] says which error. The server's codes are in `docs/reference/errors.md`. The four
/// constants here are the client's own; their status is 0, or that of an answer which no
/// Orchestrion server sent. Failed tries before the last one are suppressed exceptions.
public final class OrchestrionException extends RuntimeException {
    /// There was no connection, and nothing was sent.
    public static final String UNREACHABLE = "unreachable";

    /// The request was sent and no answer came. It is not known whether the server executed it.
    public static final String NO_ANSWER = "no_answer";

    /// The answer does not follow the contract: another program or a proxy answered.
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

    /// Which error. Codes are stable, and programs should go by them.
    public String code() {
        return code;
    }

    /// Whether this is the error with that code.
    public boolean is(String code) {
        return this.code.equals(code);
    }

    /// The HTTP status, 0 without an answer.
    public int status() {
        return status;
    }

    /// The id under which the server logged the request.
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

    /// Whether the trouble passes by itself: no connection, no answer, overload or an internal
    /// error. Other retryable refusals, such as a task that somebody holds, need a decision of the
    /// caller.
    boolean passing() {
        return retryable && (status == 0 || status == 429 || status >= 500);
    }

    /// Whether the server may have executed the request all the same.
    boolean unclear() {
        return is(NO_ANSWER) || status >= 500;
    }
}
