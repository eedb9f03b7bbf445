package io.orchestrion.runs.policy;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.ErrorMatrix;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Which errors of runs are retried: a table, which is also served to people.
public final class Failures {
    /// A called service answered with a status that says it failed.
    public static final String HTTP_ERROR = "HTTPError";

    public static final String CONNECTION = "ConnectionError";
    public static final String TIMEOUT = "TimeoutError";
    public static final String INVALID_OUTPUT = "InvalidOutputError";
    public static final String CREDITS = "InsufficientCreditsError";
    public static final String CONTEXT_WINDOW = "ContextWindowExceededError";
    public static final String AUTHENTICATION = "AuthenticationError";
    public static final String LLM_RATE_LIMIT = "LLMRateLimitError";
    public static final String LLM_TIMEOUT = "LLMTimeoutError";
    public static final String LLM_SERVICE = "LLMServiceError";

    /// @param code of an error, `HTTPError` for all with a status
    /// @param httpStatus null where the row is about a code
    public record Row(
            String code, @Nullable Integer httpStatus, boolean retryable, String meaning) {}

    private static final List<Row> ROWS =
            List.of(
                    retried(CONNECTION, "A connection failed."),
                    retried(TIMEOUT, "An attempt or a call took too long."),
                    status(429, "The called service asks for fewer calls."),
                    status(502, "A gateway did not reach the service."),
                    status(503, "The service is away for a moment."),
                    status(504, "A gateway got no answer in time."),
                    retried("MemoryError", "The worker had no memory left."),
                    retried("DiskError", "The worker had no disk left."),
                    retried(LLM_RATE_LIMIT, "The model asks for fewer calls."),
                    retried(LLM_TIMEOUT, "The model got no answer in time."),
                    retried(LLM_SERVICE, "The model's service failed."),
                    retried(
                            WorkError.LEASE_EXPIRED.code(),
                            "The worker was not heard of any more."),
                    retried(WorkError.GIVEN_BACK.code(), "The worker let go before it was done."),
                    retried(
                            WorkError.HANDLER_FAILED,
                            "The server's own work broke off, such as by a lost database."),
                    never("ValueError", "The input is wrong."),
                    never("TypeError", "A type does not fit."),
                    never("SchemaValidationError", "A document does not fit its schema."),
                    never(AUTHENTICATION, "The credentials are wrong."),
                    never("AuthorizationError", "The caller may not do this."),
                    never("TokenExpiredError", "A token is over and was not renewed."),
                    never("NotFoundError", "What it is about does not exist."),
                    never("FileNotFoundError", "A file does not exist."),
                    never(CREDITS, "There are not enough credits."),
                    never("QuotaExceededError", "A quota is used up."),
                    never("FeatureNotEnabledError", "A feature is not switched on."),
                    never("ToolCrashError", "The tool ended with an error."),
                    never(INVALID_OUTPUT, "The output cannot be read or does not fit its schema."),
                    never("ImportError", "Something that the tool needs is not installed."),
                    never(CONTEXT_WINDOW, "There is more text than the model takes."));

    private static final Map<String, Row> BY_CODE =
            ROWS.stream()
                    .filter(row -> row.httpStatus() == null)
                    .collect(Collectors.toMap(Row::code, Function.identity()));

    private static final Set<Integer> STATUSES =
            ROWS.stream()
                    .filter(row -> row.httpStatus() != null)
                    .map(row -> row.httpStatus() == null ? 0 : row.httpStatus())
                    .collect(Collectors.toSet());

    /// As some libraries print it. The number counts, not the name.
    private static final Pattern WITH_STATUS = Pattern.compile("HTTPError\\((\\d{3})\\)");

    private Failures() {}

    private static Row retried(String code, String meaning) {
        return new Row(code, null, true, meaning);
    }

    private static Row status(int status, String meaning) {
        return new Row(HTTP_ERROR, status, true, meaning);
    }

    private static Row never(String code, String meaning) {
        return new Row(code, null, false, meaning);
    }

    /// All rows. What is in none of them is not retried.
    public static List<Row> rows() {
        return ROWS;
    }

    /// A name of the table decides, then the status of an HTTP error. Nothing is retried after
    /// which something may be half done.
    public static Failure of(WorkError error) {
        String code = error.code();
        Integer status = error.httpStatus();
        Matcher printed = WITH_STATUS.matcher(code);
        if (printed.matches()) {
            code = HTTP_ERROR;
            status = status == null ? Integer.valueOf(printed.group(1)) : status;
        } else if (code.equals(WorkError.TIMED_OUT.code())) {
            code = TIMEOUT;
        }
        return new Failure(
                code,
                status,
                errorClass(code, status, Boolean.TRUE.equals(error.partialSideEffect())),
                error.retryAfterSeconds());
    }

    private static ErrorClass errorClass(
            String code, @Nullable Integer status, boolean partialSideEffect) {
        Row row = BY_CODE.get(code);
        boolean retryable = row == null ? STATUSES.contains(status) : row.retryable();
        if (!retryable || partialSideEffect) {
            return ErrorClass.NON_RETRYABLE;
        }
        String matched = row == null ? HTTP_ERROR : code;
        var error = new WorkError(matched, row == null ? status : null, matched, null, null);
        return ErrorMatrix.classify(error, SafeRetry.SAFE_TO_RETRY, Map.of()).errorClass();
    }
}
