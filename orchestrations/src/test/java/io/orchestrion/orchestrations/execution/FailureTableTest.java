package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What follows from a failed attempt, for each declaration of safe retry, each class of errors and
/// each way to end, with attempts left and without.
class FailureTableTest {
    private static final Duration LATER = Duration.ofSeconds(31);

    /// What the step declares | how its attempt ends | whether attempts are left | the attempt's
    /// status | its class | what follows: another attempt, a guard, or the reason of the dead
    /// letter with which the execution fails.
    private static final String TABLE =
            """
            SAFE  | TRANSIENT             | yes | failed    | TRANSIENT             | retry
            SAFE  | TRANSIENT             | no  | failed    | TRANSIENT             | attempts_exhausted
            SAFE  | RETRYABLE             | yes | failed    | RETRYABLE             | retry
            SAFE  | RETRYABLE             | no  | failed    | RETRYABLE             | attempts_exhausted
            SAFE  | RATE_LIMITED          | yes | failed    | RATE_LIMITED          | retry
            SAFE  | RATE_LIMITED          | no  | failed    | RATE_LIMITED          | attempts_exhausted
            SAFE  | DEPENDENCY_FAILED     | yes | failed    | DEPENDENCY_FAILED     | retry
            SAFE  | DEPENDENCY_FAILED     | no  | failed    | DEPENDENCY_FAILED     | attempts_exhausted
            SAFE  | NON_RETRYABLE         | yes | failed    | NON_RETRYABLE         | non_retryable
            SAFE  | NON_RETRYABLE         | no  | failed    | NON_RETRYABLE         | non_retryable
            SAFE  | COMPENSATION_REQUIRED | yes | failed    | COMPENSATION_REQUIRED | compensation_required
            SAFE  | COMPENSATION_REQUIRED | no  | failed    | COMPENSATION_REQUIRED | compensation_required
            SAFE  | lease expiry          | yes | failed    | TRANSIENT             | retry
            SAFE  | lease expiry          | no  | failed    | TRANSIENT             | attempts_exhausted
            SAFE  | attempt timeout       | yes | timed_out | TRANSIENT             | retry
            SAFE  | attempt timeout       | no  | timed_out | TRANSIENT             | timed_out
            SAFE  | step timeout          | yes | timed_out | TRANSIENT             | timed_out
            SAFE  | step timeout          | no  | timed_out | TRANSIENT             | timed_out
            GUARD | TRANSIENT             | yes | failed    | TRANSIENT             | guard
            GUARD | TRANSIENT             | no  | failed    | TRANSIENT             | attempts_exhausted
            GUARD | RETRYABLE             | yes | failed    | RETRYABLE             | guard
            GUARD | RETRYABLE             | no  | failed    | RETRYABLE             | attempts_exhausted
            GUARD | RATE_LIMITED          | yes | failed    | RATE_LIMITED          | guard
            GUARD | RATE_LIMITED          | no  | failed    | RATE_LIMITED          | attempts_exhausted
            GUARD | DEPENDENCY_FAILED     | yes | failed    | DEPENDENCY_FAILED     | guard
            GUARD | DEPENDENCY_FAILED     | no  | failed    | DEPENDENCY_FAILED     | attempts_exhausted
            GUARD | NON_RETRYABLE         | yes | failed    | NON_RETRYABLE         | non_retryable
            GUARD | NON_RETRYABLE         | no  | failed    | NON_RETRYABLE         | non_retryable
            GUARD | COMPENSATION_REQUIRED | yes | failed    | COMPENSATION_REQUIRED | compensation_required
            GUARD | COMPENSATION_REQUIRED | no  | failed    | COMPENSATION_REQUIRED | compensation_required
            GUARD | lease expiry          | yes | failed    | TRANSIENT             | guard
            GUARD | lease expiry          | no  | failed    | TRANSIENT             | attempts_exhausted
            GUARD | attempt timeout       | yes | timed_out | TRANSIENT             | guard
            GUARD | attempt timeout       | no  | timed_out | TRANSIENT             | timed_out
            GUARD | step timeout          | yes | timed_out | TRANSIENT             | timed_out
            GUARD | step timeout          | no  | timed_out | TRANSIENT             | timed_out
            NOT   | TRANSIENT             | yes | failed    | TRANSIENT             | not_safe_to_retry
            NOT   | TRANSIENT             | no  | failed    | TRANSIENT             | not_safe_to_retry
            NOT   | RETRYABLE             | yes | failed    | RETRYABLE             | not_safe_to_retry
            NOT   | RETRYABLE             | no  | failed    | RETRYABLE             | not_safe_to_retry
            NOT   | RATE_LIMITED          | yes | failed    | RATE_LIMITED          | not_safe_to_retry
            NOT   | RATE_LIMITED          | no  | failed    | RATE_LIMITED          | not_safe_to_retry
            NOT   | DEPENDENCY_FAILED     | yes | failed    | DEPENDENCY_FAILED     | not_safe_to_retry
            NOT   | DEPENDENCY_FAILED     | no  | failed    | DEPENDENCY_FAILED     | not_safe_to_retry
            NOT   | NON_RETRYABLE         | yes | failed    | NON_RETRYABLE         | non_retryable
            NOT   | NON_RETRYABLE         | no  | failed    | NON_RETRYABLE         | non_retryable
            NOT   | COMPENSATION_REQUIRED | yes | failed    | COMPENSATION_REQUIRED | compensation_required
            NOT   | COMPENSATION_REQUIRED | no  | failed    | COMPENSATION_REQUIRED | compensation_required
            NOT   | lease expiry          | yes | failed    | COMPENSATION_REQUIRED | compensation_required
            NOT   | lease expiry          | no  | failed    | COMPENSATION_REQUIRED | compensation_required
            NOT   | attempt timeout       | yes | timed_out | COMPENSATION_REQUIRED | compensation_required
            NOT   | attempt timeout       | no  | timed_out | COMPENSATION_REQUIRED | compensation_required
            NOT   | step timeout          | yes | timed_out | COMPENSATION_REQUIRED | compensation_required
            NOT   | step timeout          | no  | timed_out | COMPENSATION_REQUIRED | compensation_required
            """;

    /// An error of each class, as a worker reports it.
    private static final Map<String, WorkError> ERRORS =
            Map.of(
                    "TRANSIENT", WorkError.of("connect_failed", "no connection"),
                    "RETRYABLE", WorkError.of("optimistic_lock_conflict", "somebody was first"),
                    "RATE_LIMITED", new WorkError("busy", 429, "too many", null, null),
                    "DEPENDENCY_FAILED", WorkError.of("dependency_failed", "it is away"),
                    "NON_RETRYABLE", WorkError.of("validation_failed", "it is wrong"),
                    "COMPENSATION_REQUIRED", new WorkError("half", 503, "half of it", null, true));

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String step(String id, List<String> row) {
        String how = row.get(1);
        int attempts = row.get(2).equals("yes") ? 3 : 1;
        String declared =
                switch (row.get(0)) {
                    case "GUARD" -> ",\"guard_handler\":\"task:check_" + id + "\"";
                    case "NOT" -> ",NOT_SAFE";
                    default -> "";
                };
        String more =
                Documents.retry(
                                attempts,
                                "exponential",
                                1000,
                                8000,
                                how.equals("attempt timeout") ? 10_000 : 120_000)
                        + ",\"lease_seconds\":30"
                        + declared;
        return Documents.within(
                how.equals("step timeout") ? 10_000 : 600_000, Documents.task(id, more));
    }

    private void end(WorkItem held, String how) {
        WorkError error = ERRORS.get(how);
        if (error == null) {
            fixture.later(LATER);
        } else {
            fixture.fail(held, error);
        }
    }

    private String follows(UUID id, String stepId) {
        List<StepAttempt> steps = fixture.steps(id);
        List<DeadLetter> letters = fixture.letters(id);
        ExecutionStatus status = fixture.status(id);
        if (steps.size() == 2 && status == ExecutionStatus.RUNNING && letters.isEmpty()) {
            StepAttempt next = steps.getLast();
            assertThat(next.place().number()).isEqualTo(2);
            assertThat(next.place().stepId()).isEqualTo(stepId);
            assertThat(next.status()).isEqualTo(StepStatus.RETRYING);
            return next.place().kind() == AttemptKind.GUARD ? "guard" : "retry";
        }
        assertThat(steps).as("no further attempt").hasSize(1);
        assertThat(status).isEqualTo(ExecutionStatus.FAILED);
        assertThat(letters).hasSize(1);
        assertThat(letters.getFirst().status()).isEqualTo(DeadLetter.Status.OPEN);
        return letters.getFirst().reason().word();
    }

    /// E-117, E-119, E-121, E-122, E-123, E-124, E-129, E-130, E-131, E-132, E-133, E-152, E-153,
    /// E-154.
    @Test
    void what_follows_from_a_failed_attempt_is_what_the_table_says() {
        var wrong = new ArrayList<String>();
        List<String> lines = TABLE.lines().toList();
        assertThat(lines).hasSize(3 * 9 * 2);
        for (int i = 0; i < lines.size(); i++) {
            List<String> row = List.of(lines.get(i).strip().split(" *\\| *"));
            String stepId = "s" + i;
            UUID id = fixture.start(Documents.of(step(stepId, row))).id();
            end(fixture.claim("do_" + stepId), row.get(1));

            StepAttempt ended = fixture.step(id, stepId, 1);
            StepError error = ended.ended().error();
            String found =
                    ended.status().word()
                            + " | "
                            + (error == null ? "none" : error.errorClass())
                            + " | "
                            + follows(id, stepId);
            if (!found.equals(String.join(" | ", row.subList(3, 6)))) {
                wrong.add(String.join(" | ", row) + " but was " + found);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /// E-126. The last of several attempts ends like the only one.
    @Test
    void exactly_as_many_attempts_are_made_as_the_policy_says() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                Documents.retry(3, "fixed", 1000, 1000, 30_000))))
                        .id();
        for (int attempt = 1; attempt <= 3; attempt++) {
            fixture.fail(fixture.claim("do_a"), "connect_failed");
            fixture.later(Duration.ofSeconds(2));
        }

        assertThat(fixture.claim("do_a", 1)).isEmpty();
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 failed", "a#3 failed");
        assertThat(fixture.letters(id))
                .singleElement()
                .satisfies(
                        letter -> {
                            assertThat(letter.reason().word()).isEqualTo("attempts_exhausted");
                            assertThat(letter.stepExecution())
                                    .isEqualTo(fixture.step(id, "a", 3).id());
                        });
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
    }

    /// E-125.
    @Test
    void a_class_that_the_policy_does_not_name_is_not_retried() {
        for (String named :
                List.of("TRANSIENT", "RETRYABLE", "RATE_LIMITED", "DEPENDENCY_FAILED")) {
            String id = "only_" + named.toLowerCase(java.util.Locale.ROOT);
            String document =
                    Documents.of(
                            Documents.task(
                                    id, Documents.retry(3, "fixed", 1000, 1000, 30_000, named)));
            for (String failed :
                    List.of("TRANSIENT", "RETRYABLE", "RATE_LIMITED", "DEPENDENCY_FAILED")) {
                UUID execution = fixture.start(document).id();
                WorkItem held = fixture.claim("do_" + id);
                fixture.fail(held, ERRORS.get(failed));
                assertThat(fixture.steps(execution))
                        .as(failed + " where " + named + " is named")
                        .hasSize(failed.equals(named) ? 2 : 1);
                if (failed.equals(named)) {
                    fixture.engine.executions().cancel(fixture.request(execution));
                }
            }
        }
    }
}
