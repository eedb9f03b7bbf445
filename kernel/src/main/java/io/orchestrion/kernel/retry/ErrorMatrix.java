package io.orchestrion.kernel.retry;

import static io.orchestrion.kernel.retry.ErrorClass.COMPENSATION_REQUIRED;
import static io.orchestrion.kernel.retry.ErrorClass.DEPENDENCY_FAILED;
import static io.orchestrion.kernel.retry.ErrorClass.NON_RETRYABLE;
import static io.orchestrion.kernel.retry.ErrorClass.RATE_LIMITED;
import static io.orchestrion.kernel.retry.ErrorClass.RETRYABLE;
import static io.orchestrion.kernel.retry.ErrorClass.TRANSIENT;

import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Which class an error is of. The same table is served to users, so that what they read is what
/// the engines do.
public final class ErrorMatrix {
    private ErrorMatrix() {}

    /// @param code of an error; null where the row is about a status
    /// @param httpStatus that a called service answered; null where the row is about a code
    /// @param unknownResult whether the attempt may have had its effect, so that a step that is not
    ///     safe to retry needs compensation
    public record Row(
            @Nullable String code,
            @Nullable Integer httpStatus,
            ErrorClass errorClass,
            boolean unknownResult,
            String meaning) {}

    /// @param overridden whether the definition's own table decided
    public record Classified(ErrorClass errorClass, boolean overridden) {}

    private static final List<Row> ROWS =
            List.of(
                    unknown(
                            WorkError.LEASE_EXPIRED.code(),
                            "The worker was not heard of any more."),
                    unknown(WorkError.TIMED_OUT.code(), "The attempt ran longer than it may."),
                    unknown(WorkError.GIVEN_BACK.code(), "The worker let go before it was done."),
                    unknown(
                            WorkError.HANDLER_FAILED,
                            "The server's own work broke off, such as by a lost database."),
                    unknown("read_timeout", "The called service was reached and did not answer."),
                    unknown("connection_broken", "The connection broke before the answer came."),
                    unknown("step_timeout", "The time of the whole step was over."),
                    unknown("timeout", "A call of the worker got no answer in time."),
                    code("connect_failed", TRANSIENT, "The called service was not reached."),
                    code("tls_failed", TRANSIENT, "There was no secure connection."),
                    code("unavailable", TRANSIENT, "The called service is away for a moment."),
                    code("ConnectionError", TRANSIENT, "A connection failed."),
                    code("TimeoutError", TRANSIENT, "A call got no answer in time."),
                    code("LLMTimeoutError", TRANSIENT, "The model got no answer in time."),
                    code("optimistic_lock_conflict", RETRYABLE, "Somebody else changed it first."),
                    code("MemoryError", RETRYABLE, "The worker had no memory left."),
                    code("DiskError", RETRYABLE, "The worker had no disk left."),
                    code("rate_limited", RATE_LIMITED, "The called service asks for fewer calls."),
                    code("LLMRateLimitError", RATE_LIMITED, "The model asks for fewer calls."),
                    code("dependency_failed", DEPENDENCY_FAILED, "A service behind it failed."),
                    code("LLMServiceError", DEPENDENCY_FAILED, "The model's service failed."),
                    code("validation_failed", NON_RETRYABLE, "The input is wrong."),
                    code("permission_denied", NON_RETRYABLE, "The caller may not do this."),
                    code("invariant_violated", NON_RETRYABLE, "A rule of the domain forbids it."),
                    code("not_found", NON_RETRYABLE, "What it is about does not exist."),
                    code("egress_refused", NON_RETRYABLE, "The address may not be called."),
                    code("invalid_transition", NON_RETRYABLE, "Its state does not allow it."),
                    code("answer_too_large", NON_RETRYABLE, "The answer is larger than allowed."),
                    code("partial_side_effect", COMPENSATION_REQUIRED, "Half of it was done."),
                    status(408, TRANSIENT, "The called service waited too long for the request."),
                    status(502, TRANSIENT, "A gateway did not reach the service."),
                    status(503, TRANSIENT, "The service is away for a moment."),
                    status(504, TRANSIENT, "A gateway got no answer in time."),
                    status(412, RETRYABLE, "Somebody else changed it first."),
                    status(429, RATE_LIMITED, "The called service asks for fewer calls."),
                    status(424, DEPENDENCY_FAILED, "A service behind it failed."),
                    status(400, NON_RETRYABLE, "The request is wrong."),
                    status(401, NON_RETRYABLE, "The caller is not known."),
                    status(403, NON_RETRYABLE, "The caller may not do this."),
                    status(404, NON_RETRYABLE, "What it is about does not exist."),
                    status(409, NON_RETRYABLE, "The request contradicts the state of the thing."),
                    status(422, NON_RETRYABLE, "The request is not valid."));

    private static final Map<String, Row> BY_CODE =
            ROWS.stream()
                    .filter(row -> row.code() != null)
                    .collect(
                            Collectors.toMap(
                                    row -> String.valueOf(row.code()), Function.identity()));

    private static final Map<Integer, Row> BY_STATUS =
            ROWS.stream()
                    .filter(row -> row.httpStatus() != null)
                    .collect(
                            Collectors.toMap(
                                    row -> row.httpStatus() == null ? 0 : row.httpStatus(),
                                    Function.identity()));

    private static Row unknown(String code, String meaning) {
        return new Row(code, null, TRANSIENT, true, meaning);
    }

    private static Row code(String code, ErrorClass errorClass, String meaning) {
        return new Row(code, null, errorClass, false, meaning);
    }

    private static Row status(int status, ErrorClass errorClass, String meaning) {
        return new Row(null, status, errorClass, false, meaning);
    }

    /// All rows, codes before statuses: a known code decides before the status does. What is in no
    /// row is [ErrorClass#NON_RETRYABLE].
    public static List<Row> rows() {
        return ROWS;
    }

    /// @param overrides classes of codes in the words of one definition
    public static Classified classify(
            WorkError error, SafeRetry declared, Map<String, ErrorClass> overrides) {
        if (Boolean.TRUE.equals(error.partialSideEffect())) {
            return new Classified(COMPENSATION_REQUIRED, false);
        }
        Row row = row(error);
        if (row != null && row.unknownResult() && declared == SafeRetry.NOT_SAFE_TO_RETRY) {
            return new Classified(COMPENSATION_REQUIRED, false);
        }
        ErrorClass overriding = overrides.get(error.code());
        if (overriding != null) {
            return new Classified(overriding, true);
        }
        return new Classified(row == null ? NON_RETRYABLE : row.errorClass(), false);
    }

    private static @Nullable Row row(WorkError error) {
        Row known = BY_CODE.get(error.code());
        return known != null || error.httpStatus() == null
                ? known
                : BY_STATUS.get(error.httpStatus());
    }
}
