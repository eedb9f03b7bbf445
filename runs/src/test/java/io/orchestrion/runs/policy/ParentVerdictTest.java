package io.orchestrion.runs.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.plan.FailureMode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;

/// What a parent does about a child that has failed for good. Chance draws the middle.
class ParentVerdictTest {
    private static final long NOW = 1_000_000;
    private static final PolicySettings USUAL = PolicySettings.USUAL;

    /// For tasks about steps, agents about tasks, and runs without a trigger about agents,
    /// there is one rule.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # line             | mode      | error           | child's reason       | attempt | of | run       | left | verdict
                    R-145 R-155 R-162  | fail-fast | ConnectionError | MAX_ATTEMPTS         | 1       | 3  | OPEN      | 10   | fail max_attempts
                    R-151 R-158 R-167  | fail-fast | ValueError      | NON_RETRYABLE        | 1       | 3  | OPEN      | 10   | fail non_retryable
                    R-146 R-156 R-163  | continue  | ConnectionError | MAX_ATTEMPTS         | 1       | 3  | OPEN      | 10   | skip
                    R-146 R-156 R-163  | continue  | ValueError      | NON_RETRYABLE        | 3       | 3  | OPEN      | 10   | skip
                    R-153 R-160        | continue  | cancelled       | CANCELLED            | 1       | 3  | OPEN      | 10   | skip
                    R-153 R-160        | retry     | cancelled       | CANCELLED            | 1       | 3  | OPEN      | 10   | fail cancelled
                    R-149 R-157 R-165  | retry     | ConnectionError | MAX_ATTEMPTS         | 1       | 3  | OPEN      | 10   | retry 100
                    R-171              | retry     | ConnectionError | MAX_ATTEMPTS         | 2       | 3  | OPEN      | 10   | retry 200
                    R-152 R-159        | retry     | timed_out       | TIMEOUT              | 1       | 3  | OPEN      | 10   | retry 100
                    R-170 R-292        | retry     | ConnectionError | MAX_ATTEMPTS         | 3       | 3  | OPEN      | 10   | fail max_attempts
                    R-150 R-291        | retry     | ValueError      | NON_RETRYABLE        | 1       | 3  | OPEN      | 10   | fail non_retryable
                    R-166 R-293        | retry     | ConnectionError | MAX_ATTEMPTS         | 1       | 3  | OPEN      | 9.99 | fail insufficient_credits
                    R-294              | continue  | ConnectionError | INSUFFICIENT_CREDITS | 1       | 3  | OPEN      | 10   | fail insufficient_credits
                    R-294              | retry     | ConnectionError | INSUFFICIENT_CREDITS | 1       | 3  | OPEN      | 10   | fail insufficient_credits
                    R-295              | retry     | ConnectionError | MAX_ATTEMPTS         | 1       | 3  | CANCELLED | 10   | fail cancelled
                    R-295              | continue  | ConnectionError | MAX_ATTEMPTS         | 1       | 3  | CANCELLED | 10   | fail cancelled
                    R-296              | retry     | ConnectionError | MAX_ATTEMPTS         | 1       | 3  | TIMED_OUT | 10   | fail timeout
                    """)
    void a_failed_child_has_a_verdict(
            String line,
            String mode,
            String error,
            StopReason reason,
            int attempt,
            int of,
            RunClock run,
            BigDecimal left,
            String verdict) {
        var failed =
                new ChildFailure(
                        FailureMode.named(mode).orElseThrow(),
                        failure(error),
                        reason,
                        new Another(attempt, of, run, left, BigDecimal.TEN),
                        null,
                        NOW);

        assertThat(said(ParentVerdict.of(failed, USUAL, 0.5))).as(line).isEqualTo(verdict);
    }

    /// the contract's minimum, or what the attempt reserves if that is more.
    @ParameterizedTest
    @CsvSource({"1, 10", "10, 10", "100, 100"})
    void another_attempt_of_a_run_takes_its_reservation(BigDecimal reservation, BigDecimal cost) {
        assertThat(Another.ofRun(1, 3, RunClock.OPEN, BigDecimal.TEN, reservation, USUAL).cost())
                .isEqualByComparingTo(cost);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # line | running | agents | failed | failed tasks | replans | of | credits | static | verdict
                    R-302  | true    | 4      | 2      | 0            | 0       | 3  | true    | false  | go_on
                    R-302  | true    | 4      | 3      | 0            | 0       | 3  | true    | false  | replan agents_failed
                    R-302  | true    | 1      | 1      | 0            | 0       | 3  | true    | false  | replan agents_failed
                    R-303  | true    | 4      | 0      | 10           | 0       | 3  | true    | false  | go_on
                    R-303  | true    | 4      | 0      | 11           | 0       | 3  | true    | false  | replan tasks_failed
                    R-306  | true    | 4      | 0      | 0            | 0       | 3  | true    | false  | go_on
                    R-301  | false   | 4      | 4      | 99           | 0       | 3  | true    | false  | go_on
                    R-313  | true    | 4      | 3      | 0            | 2       | 3  | true    | false  | replan agents_failed
                    R-313  | true    | 4      | 3      | 0            | 3       | 3  | true    | false  | stuck agents_failed replans_used_up
                    R-307  | true    | 4      | 3      | 0            | 0       | 3  | false   | false  | stuck agents_failed no_credits
                    R-307  | true    | 4      | 0      | 11           | 0       | 3  | true    | true   | stuck tasks_failed static_plan
                    R-306  | true    | 4      | 2      | 10           | 0       | 3  | true    | true   | go_on
                    """)
    void another_plan_is_made_when_much_has_failed(
            String line,
            boolean running,
            int agents,
            int failed,
            int tasks,
            int replans,
            int most,
            boolean credits,
            boolean fixed,
            String verdict) {
        var facts = new PlanFacts(running, agents, failed, tasks, replans, most, credits, fixed);
        ReplanVerdict made = ReplanVerdict.of(facts, USUAL);

        assertThat(
                        switch (made) {
                            case ReplanVerdict.GoOn() -> "go_on";
                            case ReplanVerdict.Replan(var trigger) -> "replan " + trigger.word();
                            case ReplanVerdict.Stuck(var trigger, var why) ->
                                    "stuck " + trigger.word() + " " + why.word();
                        })
                .as(line)
                .isEqualTo(verdict);
    }

    /// What a run of 4 agents does about a failed one: another plan where it may, else its mode.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # line | mode      | failed | replans | static | attempt | verdict
                    R-305  | fail-fast | 3      | 0       | false  | 1       | fail max_attempts
                    R-302  | continue  | 3      | 0       | false  | 1       | replan agents_failed
                    R-302  | retry     | 3      | 0       | false  | 1       | replan agents_failed
                    R-306  | continue  | 2      | 0       | false  | 1       | skip
                    R-306  | retry     | 2      | 0       | false  | 1       | retry 100
                    R-307  | fail-fast | 3      | 3       | false  | 1       | fail max_attempts
                    R-307  | retry     | 3      | 3       | false  | 1       | retry 100
                    R-307  | retry     | 3      | 3       | false  | 3       | fail max_attempts
                    R-307  | continue  | 3      | 3       | false  | 1       | skip
                    R-308  | continue  | 4      | 0       | true   | 1       | skip
                    """)
    void a_run_looks_for_another_plan_first(
            String line,
            String mode,
            int failedAgents,
            int replans,
            boolean fixed,
            int attempt,
            String verdict) {
        var failed =
                new ChildFailure(
                        FailureMode.named(mode).orElseThrow(),
                        failure("ConnectionError"),
                        StopReason.MAX_ATTEMPTS,
                        new Another(attempt, 3, RunClock.OPEN, BigDecimal.TEN, BigDecimal.ONE),
                        new PlanFacts(true, 4, failedAgents, 0, replans, 3, true, fixed),
                        NOW);

        assertThat(said(ParentVerdict.of(failed, USUAL, 0.5))).as(line).isEqualTo(verdict);
    }

    ///
    @Test
    void a_decision_can_be_checked_later() {
        var failed =
                new ChildFailure(
                        FailureMode.RETRY,
                        failure("ConnectionError"),
                        StopReason.MAX_ATTEMPTS,
                        new Another(1, 3, RunClock.OPEN, BigDecimal.TEN, BigDecimal.ONE),
                        new PlanFacts(true, 4, 3, 0, 0, 3, true, false),
                        NOW);
        var json = JsonMapper.shared();
        var inputs = json.readTree(failed.json(USUAL));

        assertThat(inputs.get("thresholds").get("agent_share").decimalValue())
                .isEqualByComparingTo("0.5");
        assertThat(inputs.get("plan").get("failed_agents").intValue()).isEqualTo(3);
        assertThat(inputs.get("failure_mode").stringValue()).isEqualTo("retry");
        assertThat(inputs.get("reason").stringValue()).isEqualTo("max_attempts");
        assertThat(ParentVerdict.of(failed, USUAL, 0.5).json())
                .isEqualTo("{\"verdict\":\"replan\",\"trigger\":\"agents_failed\"}");
        assertThat(ReplanVerdict.of(failed.plan(), USUAL).json())
                .isEqualTo("{\"verdict\":\"replan\",\"trigger\":\"agents_failed\"}");
        assertThat(json.readTree(failed.plan().json(USUAL)).get("agents").intValue()).isEqualTo(4);
    }

    private static Failure failure(String code) {
        return Failures.of(WorkError.of(code, "It failed."));
    }

    private static String said(ParentVerdict verdict) {
        return switch (verdict) {
            case ParentVerdict.Fail(var reason) -> "fail " + reason.word();
            case ParentVerdict.Retry(long at, long delay) -> {
                assertThat(at).isEqualTo(NOW + delay);
                yield "retry " + delay;
            }
            case ParentVerdict.Skip() -> "skip";
            case ParentVerdict.Replan(var trigger) -> "replan " + trigger.word();
        };
    }
}
