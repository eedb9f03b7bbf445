package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Refused;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/// How long an execution may be running in all.
class ExecutionTimeTest {
    private static final long HOUR_MS = 3_600_000;

    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String hour(String... steps) {
        return Acts.within(HOUR_MS, Documents.of(steps));
    }

    private static String slow(String step) {
        return Documents.within(100 * HOUR_MS, step);
    }

    private void assertTimedOut(UUID id) {
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(Objects.requireNonNull(fixture.execution(id).ending().error()).code())
                .isEqualTo("execution_timeout");
        assertThat(acts.openItems(id)).isZero();
    }

    /// E-094.
    @Test
    void an_execution_fails_when_its_time_is_used_up() {
        UUID pending = fixture.start(hour(Documents.task("a", ""))).id();
        UUID held =
                fixture.start(hour(Documents.task("b", Documents.retry(1, "fixed", 0, 0, 500_000))))
                        .id();
        fixture.later(Duration.ofMinutes(50));
        WorkItem b = fixture.claim("do_b");
        assertThat(fixture.status(held)).isEqualTo(ExecutionStatus.RUNNING);
        fixture.test.clock().advance(Duration.ofSeconds(20));
        fixture.heartbeat(b);
        fixture.test.kernel().sweepOnce("due-promoter");
        assertThat(fixture.history(held)).containsExactly("b#1 running");
        fixture.test.clock().advance(Duration.ofMinutes(10));
        fixture.test.kernel().sweepOnce("due-promoter");
        assertTimedOut(held);
        assertTimedOut(pending);
        assertThat(fixture.history(pending)).containsExactly("a#1 skipped");
        assertThat(fixture.complete(b, "{}")).isInstanceOf(Refused.class);
    }

    /// E-094: time in pause does not count.
    @Test
    void the_time_of_a_pause_does_not_count() {
        UUID id = fixture.start(hour(Documents.task("a", ""))).id();
        fixture.later(Duration.ofMinutes(30));
        acts.pause(id);
        fixture.later(Duration.ofHours(5));
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.PAUSED);
        acts.resume(id);
        fixture.later(Duration.ofMinutes(25));
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
        fixture.later(Duration.ofMinutes(6));
        assertTimedOut(id);
    }

    /// E-094: nor does that in which people are asked, whether they answer or not.
    @Test
    void the_time_in_which_people_are_asked_does_not_count() {
        UUID answered =
                fixture.start(
                                hour(
                                        slow(Acts.approval("ask", Acts.next("a"))),
                                        Documents.task("a", "")))
                        .id();
        UUID expired =
                fixture.start(
                                hour(
                                        Documents.within(
                                                2 * HOUR_MS,
                                                Acts.approval("ask", ",\"on_timeout\":\"b\"")),
                                        Documents.task("b", "")))
                        .id();
        fixture.later(Duration.ofMinutes(90));
        assertThat(fixture.status(answered)).isEqualTo(ExecutionStatus.WAITING_APPROVAL);
        fixture.later(Duration.ofMinutes(90));
        acts.decide(acts.asked(answered), true);
        assertThat(fixture.history(answered)).containsExactly("ask#1 succeeded", "a#1 pending");
        assertThat(fixture.history(expired)).containsExactly("ask#1 timed_out", "b#1 pending");
        fixture.later(Duration.ofMinutes(50));
        assertThat(fixture.status(answered)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(fixture.status(expired)).isEqualTo(ExecutionStatus.RUNNING);
        fixture.later(Duration.ofMinutes(15));
        assertTimedOut(answered);
        assertTimedOut(expired);
    }

    /// E-094, CB-023: a retry has all of the time again.
    @Test
    void a_retry_by_hand_has_its_own_time() {
        UUID id = fixture.start(hour(Documents.task("a", ""))).id();
        fixture.later(Duration.ofMinutes(61));
        assertTimedOut(id);
        acts.retry(id);
        fixture.later(Duration.ofMinutes(50));
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
        fixture.later(Duration.ofMinutes(11));
        assertTimedOut(id);
        assertThat(fixture.history(id)).containsExactly("a#1 skipped", "a#2 skipped");
    }

    /// E-094: an execution that is over has no timer left.
    @Test
    void the_timer_of_an_execution_ends_with_it() {
        UUID succeeded = fixture.start(hour(Documents.task("a", ""))).id();
        acts.succeed("do_a");
        UUID canceled = fixture.start(hour(Documents.task("a", ""))).id();
        acts.cancel(canceled);
        UUID rejected = fixture.start(hour(Acts.approval("ask", ""))).id();
        acts.decide(acts.asked(rejected), false);
        for (UUID id : new UUID[] {succeeded, canceled, rejected}) {
            assertThat(acts.openItems(id)).isZero();
            assertThat(fixture.execution(id).times().timer()).isNull();
        }
    }

    /// E-094, E-033: a wait and the time of its execution that are over in one look of the clock.
    @Test
    void a_step_and_its_execution_whose_times_are_over_at_once_end_once() {
        UUID id =
                fixture.start(
                                hour(
                                        slow(Acts.await("w", HOUR_MS - 1, Acts.next("a"))),
                                        Documents.task("a", "")))
                        .id();
        fixture.later(Duration.ofHours(3));
        assertTimedOut(id);
        assertThat(acts.transitions(id)).containsExactly("null>running", "running>failed");
        assertThat(fixture.claim("do_a", 1)).isEmpty();
    }
}
