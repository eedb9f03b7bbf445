package io.orchestrion.runs.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkError;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;

/// What follows from a failed attempt of a step. Chance draws the middle, so delays are exact.
class StepVerdictTest {
    private static final long FAILED = 1_000_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    # line | error           | after | attempt | of | run       | left | cost | errors | outcomes | verdict
                    R-271  | ConnectionError | -     | 1       | 3  | OPEN      | 10   | 1    | 1      | 1        | retry 100
                    R-271  | ConnectionError | -     | 2       | 3  | OPEN      | 10   | 1    | 2      | 2        | retry 200
                    R-273  | ConnectionError | -     | 3       | 3  | OPEN      | 10   | 1    | 3      | 3        | stop max_attempts
                    R-274  | ValueError      | -     | 1       | 3  | OPEN      | 10   | 1    | 1      | 1        | stop non_retryable
                    R-274  | ValueError      | -     | 3       | 3  | OPEN      | 10   | 1    | 1      | 1        | stop non_retryable
                    R-142  | ToolCrashError  | -     | 1       | 3  | OPEN      | 10   | 1    | 1      | 1        | stop non_retryable
                    R-272  | TimeoutError    | -     | 9       | 12 | OPEN      | 10   | 1    | 1      | 9        | retry 25600
                    R-272  | TimeoutError    | -     | 10      | 12 | OPEN      | 10   | 1    | 1      | 9        | escalate backoff_exceeded 30000
                    R-280  | TimeoutError    | 31    | 1       | 3  | OPEN      | 10   | 1    | 1      | 1        | escalate backoff_exceeded 31000
                    R-137  | HTTPError(429)  | 30    | 1       | 3  | OPEN      | 10   | 1    | 1      | 1        | retry 30000
                    R-137  | HTTPError(429)  | 2     | 1       | 3  | OPEN      | 10   | 1    | 1      | 1        | retry 2000
                    R-137  | HTTPError(429)  | 0     | 1       | 3  | OPEN      | 10   | 1    | 1      | 1        | retry 100
                    R-277  | DiskError       | -     | 1       | 3  | OPEN      | 10   | 1    | 5      | 20       | retry 100
                    R-277  | DiskError       | -     | 1       | 3  | OPEN      | 10   | 1    | 6      | 20       | escalate error_count 100
                    R-278  | DiskError       | -     | 1       | 3  | OPEN      | 10   | 1    | 4      | 4        | retry 100
                    R-278  | DiskError       | -     | 1       | 3  | OPEN      | 10   | 1    | 3      | 5        | escalate error_rate 100
                    R-279  | DiskError       | -     | 1       | 3  | OPEN      | 10   | 1    | 3      | 6        | retry 100
                    R-279  | DiskError       | -     | 1       | 3  | OPEN      | 10   | 1    | 4      | 7        | escalate error_rate 100
                    R-282  | ValueError      | -     | 1       | 3  | OPEN      | 10   | 1    | 60     | 60       | stop non_retryable
                    R-281  | DiskError       | -     | 3       | 3  | OPEN      | 10   | 1    | 60     | 60       | stop max_attempts
                    R-294  | DiskError       | -     | 1       | 3  | OPEN      | 1    | 1    | 1      | 1        | retry 100
                    R-294  | DiskError       | -     | 1       | 3  | OPEN      | 0.99 | 1    | 1      | 1        | stop insufficient_credits
                    R-295  | DiskError       | -     | 1       | 3  | CANCELLED | 10   | 1    | 1      | 1        | stop cancelled
                    R-296  | DiskError       | -     | 1       | 3  | TIMED_OUT | 10   | 1    | 1      | 1        | stop timeout
                    """)
    void a_failed_attempt_has_a_verdict(
            String line,
            String error,
            Integer after,
            int attempt,
            int of,
            RunClock run,
            BigDecimal left,
            BigDecimal cost,
            int errors,
            int outcomes,
            String verdict) {
        StepFailure failed =
                failure(
                        Failures.of(new WorkError(error, null, "It failed.", after, null)),
                        attempt,
                        of,
                        run,
                        left,
                        cost,
                        new ErrorWindow(errors, outcomes));

        assertThat(said(StepVerdict.of(failed, PolicySettings.USUAL, 0.5)))
                .as(line)
                .isEqualTo(verdict);
    }

    ///
    @Test
    void the_window_ends_where_people_said_how_to_go_on() {
        assertThat(ErrorWindow.sinceMs(1_000_000, null, PolicySettings.USUAL)).isEqualTo(700_000);
        assertThat(ErrorWindow.sinceMs(1_000_000, 600_000L, PolicySettings.USUAL))
                .isEqualTo(700_000);
        assertThat(ErrorWindow.sinceMs(1_000_000, 900_000L, PolicySettings.USUAL))
                .isEqualTo(900_000);
    }

    /// A pause may be longer than the delay.
    @Test
    void an_attempt_is_never_due_in_the_past() {
        var failed =
                new StepFailure(
                        Failures.of(WorkError.TIMED_OUT),
                        1,
                        3,
                        RunClock.OPEN,
                        BigDecimal.TEN,
                        BigDecimal.ONE,
                        new ErrorWindow(1, 1),
                        FAILED,
                        FAILED + 60_000);

        assertThat(StepVerdict.of(failed, PolicySettings.USUAL, 0.5))
                .isEqualTo(new StepVerdict.Retry(FAILED + 60_000, 100));
    }

    /// what was decided by, with the thresholds, and what follows.
    @Test
    void a_decision_can_be_checked_later() {
        StepFailure failed =
                failure(
                        Failures.of(new WorkError("HTTPError", 429, "Slow down.", 31, null)),
                        1,
                        3,
                        RunClock.OPEN,
                        BigDecimal.TEN,
                        BigDecimal.ONE,
                        new ErrorWindow(1, 4));
        var json = JsonMapper.shared();

        assertThat(json.readTree(failed.json(PolicySettings.USUAL)))
                .isEqualTo(
                        json.readTree(
                                """
                                {"error": {"code": "HTTPError", "http_status": 429, "class": "RATE_LIMITED", "retryable": true,
                                           "retry_after_seconds": 31},
                                 "attempt": 1, "max_attempts": 3, "run": "open", "credits_left": 10, "next_cost": 1,
                                 "window": {"errors": 1, "outcomes": 4},
                                 "failed_at": "1970-01-01T00:16:40.000Z", "now": "1970-01-01T00:16:40.000Z",
                                 "thresholds": {"base_delay_ms": 100, "max_delay_ms": 30000, "jitter": 0.1, "window_ms": 300000,
                                   "errors": 5, "error_share": 0.5, "outcomes_least": 5, "agent_share": 0.5,
                                   "failed_tasks": 10, "attempt_credits": 10}}
                                """));
        assertThat(json.readTree(StepVerdict.of(failed, PolicySettings.USUAL, 0.5).json()))
                .isEqualTo(
                        json.readTree(
                                """
                                {"verdict": "escalate", "trigger": "backoff_exceeded",
                                 "retry_after_at": "1970-01-01T00:17:11.000Z", "delay_ms": 31000}
                                """));
    }

    private static StepFailure failure(
            Failure failure,
            int attempt,
            int of,
            RunClock run,
            BigDecimal left,
            BigDecimal cost,
            ErrorWindow window) {
        return new StepFailure(failure, attempt, of, run, left, cost, window, FAILED, FAILED);
    }

    private static String said(StepVerdict verdict) {
        return switch (verdict) {
            case StepVerdict.Retry(long at, long delay) -> {
                assertThat(at).isEqualTo(FAILED + delay);
                yield "retry " + delay;
            }
            case StepVerdict.Escalate(var trigger, long at, long delay) -> {
                assertThat(at).isEqualTo(FAILED + delay);
                yield "escalate " + trigger.word() + " " + delay;
            }
            case StepVerdict.Stop(var reason) -> "stop " + reason.word();
        };
    }
}
