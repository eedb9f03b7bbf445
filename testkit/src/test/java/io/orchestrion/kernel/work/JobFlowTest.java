package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// The profile whose assignment is seen: leased first, started later.
class JobFlowTest {
    private static final Profile JOBS = Profiles.JOBS;

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID started(Long timeoutMs) {
        UUID id = fixture.submit(fixture.draft(JOBS, null, timeoutMs, null));
        WorkItem leased = fixture.claim(JOBS);
        assertThat(leased.state()).isEqualTo(WorkState.LEASED);
        fixture.apply(JOBS, id, new Command.Start(Fence.of(leased.lease().token())));
        return id;
    }

    @Test
    void leased_started_and_completed() {
        UUID id = started(null);
        fixture.apply(JOBS, id, new Command.Complete(Fence.NONE, "{\"ok\": true}", null));
        assertThat(fixture.events(id))
                .containsExactly(
                        WorkEvent.SUBMIT,
                        WorkEvent.PROMOTE,
                        WorkEvent.LEASE,
                        WorkEvent.START,
                        WorkEvent.COMPLETE);
        assertThat(fixture.view(JOBS, id).documents().result()).isEqualTo("{\"ok\": true}");
    }

    @Test
    void what_was_not_started_cannot_be_completed_or_failed() {
        UUID id = fixture.submit(JOBS);
        fixture.claim(JOBS);
        assertThat(fixture.refused(JOBS, id, new Command.Complete(Fence.NONE, null, null)))
                .isInstanceOf(Refusal.WrongState.class);
        assertThat(fixture.refused(JOBS, id, new Command.Fail(Fence.NONE, "no", null, true)))
                .isInstanceOf(Refusal.WrongState.class);
    }

    @Test
    void starting_twice_is_starting_once() {
        UUID id = started(null);
        WorkItem before = fixture.item(JOBS, id);
        fixture.apply(JOBS, id, new Command.Start(Fence.of(before.lease().token())));
        assertThat(fixture.item(JOBS, id)).isEqualTo(before);
    }

    @Test
    void a_lease_that_expires_before_the_start_costs_no_attempt() {
        UUID id = fixture.submit(JOBS);
        fixture.claim(JOBS);
        fixture.advance(Duration.ofSeconds(31));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        WorkItem back = fixture.item(JOBS, id);
        assertThat(back.state()).isEqualTo(WorkState.READY);
        assertThat(back.attempt()).isZero();
        assertThat(fixture.claim(JOBS).attempt()).isEqualTo(1);
    }

    @Test
    void a_lease_that_expires_after_the_start_is_a_failure() {
        UUID id = started(null);
        fixture.advance(Duration.ofSeconds(31));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        WorkItem failed = fixture.item(JOBS, id);
        assertThat(failed.state()).isEqualTo(WorkState.FAILED);
        assertThat(failed.attempts().failure()).isEqualTo(WorkDecider.LEASE_EXPIRED);
        assertThat(fixture.events(id)).endsWith(WorkEvent.EXPIRE);
    }

    @Test
    void heartbeats_keep_the_lease_and_cannot_move_the_attempts_deadline() {
        UUID id = started(50_000L);
        fixture.advance(Duration.ofSeconds(25));
        WorkItem kept = fixture.apply(JOBS, id, new Command.Heartbeat(Fence.NONE));
        assertThat(kept.lease().untilMs()).isEqualTo(kept.lease().deadlineMs());
        fixture.advance(Duration.ofSeconds(24));
        assertThat(fixture.sweep("lease-reaper")).isZero();
        fixture.advance(Duration.ofSeconds(2));
        assertThat(fixture.refused(JOBS, id, new Command.Heartbeat(Fence.NONE)))
                .isInstanceOf(Refusal.LeaseExpired.class);
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(fixture.item(JOBS, id).attempts().failure()).isEqualTo(WorkDecider.TIMED_OUT);
        assertThat(fixture.events(id)).endsWith(WorkEvent.TIME_OUT);
    }

    @Test
    void the_deadline_counts_from_the_start_and_not_from_the_lease() {
        fixture.submit(fixture.draft(JOBS, null, 20_000L, null));
        WorkItem leased = fixture.claim(JOBS);
        assertThat(leased.lease().deadlineMs()).isNull();
        fixture.advance(Duration.ofSeconds(25));
        WorkItem running = fixture.apply(JOBS, leased.id(), new Command.Start(Fence.NONE));
        assertThat(running.lease().deadlineMs()).isGreaterThan(leased.lease().untilMs());
    }

    @Test
    void every_open_state_can_be_cancelled_and_a_final_one_cannot() {
        UUID ready = fixture.submit(JOBS);
        long now = fixture.view(JOBS, ready).nowMs();
        UUID waiting = fixture.submit(fixture.draft(JOBS, now + 60_000, null, null));
        fixture.apply(JOBS, waiting, new Command.Cancel());
        fixture.apply(JOBS, ready, new Command.Cancel());
        UUID leased = fixture.submit(JOBS);
        fixture.claim(JOBS);
        fixture.apply(JOBS, leased, new Command.Cancel());
        UUID running = started(null);
        fixture.apply(JOBS, running, new Command.Cancel());
        for (UUID id : new UUID[] {ready, waiting, leased, running}) {
            assertThat(fixture.item(JOBS, id).state()).isEqualTo(WorkState.CANCELLED);
            assertThat(fixture.refused(JOBS, id, new Command.Cancel()))
                    .isInstanceOf(Refusal.WrongState.class);
        }
        assertThat(fixture.refused(JOBS, running, new Command.Complete(Fence.NONE, null, null)))
                .isInstanceOf(Refusal.WrongState.class);
    }

    @Test
    void a_failure_is_final_until_a_retry_and_three_retries_are_all_there_are() {
        UUID id = fixture.submit(JOBS);
        for (int retry = 0; retry < 4; retry++) {
            WorkItem leased = fixture.claim(JOBS);
            fixture.apply(JOBS, id, new Command.Start(Fence.of(leased.lease().token())));
            fixture.apply(JOBS, id, new Command.Fail(Fence.NONE, "no", null, true));
            assertThat(fixture.claim(JOBS, 1)).isEmpty();
            if (retry < 3) {
                WorkItem waiting = fixture.apply(JOBS, id, new Command.Retry());
                assertThat(waiting.attempts().retries()).isEqualTo(retry + 1);
                assertThat(waiting.waitReason()).isEqualTo(WaitReason.BACKOFF);
                fixture.advance(Duration.ofMinutes(6));
            }
        }
        assertThat(fixture.refused(JOBS, id, new Command.Retry()))
                .isInstanceOf(Refusal.WrongState.class);
        assertThat(fixture.item(JOBS, id).state()).isEqualTo(WorkState.FAILED);
    }
}
