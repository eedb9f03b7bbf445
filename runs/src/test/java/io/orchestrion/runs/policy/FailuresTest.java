package io.orchestrion.runs.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.work.WorkError;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which errors are retried.
class FailuresTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    # line  | code                        | status | class             | retried
                    R-247   | ConnectionError             | -      | TRANSIENT         | true
                    R-248   | TimeoutError                | -      | TRANSIENT         | true
                    R-249   | HTTPError                   | 429    | RATE_LIMITED      | true
                    R-250   | HTTPError                   | 502    | TRANSIENT         | true
                    R-251   | HTTPError                   | 503    | TRANSIENT         | true
                    R-252   | HTTPError                   | 504    | TRANSIENT         | true
                    R-253   | MemoryError                 | -      | RETRYABLE         | true
                    R-254   | DiskError                   | -      | RETRYABLE         | true
                    R-255   | LLMRateLimitError           | -      | RATE_LIMITED      | true
                    R-256   | LLMTimeoutError             | -      | TRANSIENT         | true
                    R-257   | LLMServiceError             | -      | DEPENDENCY_FAILED | true
                    R-258   | ValueError                  | -      | NON_RETRYABLE     | false
                    R-259   | TypeError                   | -      | NON_RETRYABLE     | false
                    R-260   | SchemaValidationError       | -      | NON_RETRYABLE     | false
                    R-261   | AuthenticationError         | -      | NON_RETRYABLE     | false
                    R-262   | AuthorizationError          | -      | NON_RETRYABLE     | false
                    R-263   | TokenExpiredError           | -      | NON_RETRYABLE     | false
                    R-264   | NotFoundError               | -      | NON_RETRYABLE     | false
                    R-265   | FileNotFoundError           | -      | NON_RETRYABLE     | false
                    R-266   | InsufficientCreditsError    | -      | NON_RETRYABLE     | false
                    R-267   | QuotaExceededError          | -      | NON_RETRYABLE     | false
                    R-268   | FeatureNotEnabledError      | -      | NON_RETRYABLE     | false
                    R-269   | FrobnicationError           | -      | NON_RETRYABLE     | false
                    R-269   | unspecified                 | -      | NON_RETRYABLE     | false
                    R-269   | connectionerror             | -      | NON_RETRYABLE     | false
                    R-269   | optimistic_lock_conflict    | -      | NON_RETRYABLE     | false
                    R-270   | ClientResponseError         | 503    | TRANSIENT         | true
                    R-270   | HTTPError(429)              | -      | RATE_LIMITED      | true
                    R-270   | HTTPError(429)              | 400    | NON_RETRYABLE     | false
                    R-270   | HTTPError                   | 500    | NON_RETRYABLE     | false
                    R-270   | HTTPError                   | 404    | NON_RETRYABLE     | false
                    R-270   | HTTPError                   | 408    | NON_RETRYABLE     | false
                    R-270   | HTTPError                   | -      | NON_RETRYABLE     | false
                    R-270   | ValueError                  | 503    | NON_RETRYABLE     | false
                    R-134   | timed_out                   | -      | TRANSIENT         | true
                    R-135   | ToolCrashError              | -      | NON_RETRYABLE     | false
                    R-136   | InvalidOutputError          | -      | NON_RETRYABLE     | false
                    R-138   | ImportError                 | -      | NON_RETRYABLE     | false
                    R-161   | ContextWindowExceededError  | -      | NON_RETRYABLE     | false
                    R-196   | lease_expired               | -      | TRANSIENT         | true
                    """)
    void an_error_is_retried_or_not(
            String line, String code, Integer status, ErrorClass errorClass, boolean retried) {
        Failure failure = Failures.of(new WorkError(code, status, "It failed.", null, null));

        assertThat(failure.errorClass()).as(line).isEqualTo(errorClass);
        assertThat(failure.retryable()).as(line).isEqualTo(retried);
    }

    ///
    @Test
    void an_attempt_that_took_too_long_ends_with_its_name_in_the_contract() {
        assertThat(Failures.of(WorkError.TIMED_OUT).code()).isEqualTo("TimeoutError");
    }

    @Test
    void nothing_is_retried_that_may_be_half_done() {
        var error = new WorkError("ConnectionError", null, "It failed.", null, true);

        assertThat(Failures.of(error).retryable()).isFalse();
    }

    @Test
    void each_row_of_the_table_does_what_it_says() {
        for (Failures.Row row : Failures.rows()) {
            var error = new WorkError(row.code(), row.httpStatus(), "It failed.", null, null);
            assertThat(Failures.of(error).retryable()).as(row.code()).isEqualTo(row.retryable());
        }
    }
}
