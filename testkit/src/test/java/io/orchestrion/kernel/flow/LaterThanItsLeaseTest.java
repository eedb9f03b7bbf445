package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Collections;
import java.util.UUID;

/// A time to come is no lease: nobody holds what waits for it, so nothing can lapse meanwhile.
class LaterThanItsLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(300);

    private final FlowFixture flow = new FlowFixture();

    @AfterEach
    void close() {
        flow.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eta_beyond_the_lease_runs_twice(boolean limited) {
        if (limited) {
            flow.limit(Profiles.TASKS, 1, 10, Duration.ofSeconds(1));
            flow.settle();
        }
        UUID probe = flow.submit("other", "other");
        long now = flow.fixture.view(Profiles.TASKS, probe).nowMs();
        Duration ahead = LEASE.multipliedBy(20);
        UUID id =
                flow.fixture.submit(
                        flow.fixture
                                .draft(Profiles.TASKS, now + ahead.toMillis(), null, null)
                                .with(FlowFixture.keys("a", "a")));
        flow.complete(flow.claim(1));
        nothingUntil(ahead);
        WorkItem first = flow.claim(5).getFirst();
        assertThat(first.id()).isEqualTo(id);
        assertThat(first.attempt()).isEqualTo(1);

        flow.fixture.apply(
                Profiles.TASKS,
                id,
                new Command.Fail(Fence.of(first.lease().token()), "later", ahead.toMillis(), true));
        nothingUntil(ahead);
        WorkItem second = flow.claim(5).getFirst();
        assertThat(second.attempt()).isEqualTo(2);
        flow.complete(flow.kernel(), second);
        flow.fixture.advance(ahead);
        everybodyLooks();
        assertThat(Collections.frequency(flow.fixture.events(id), WorkEvent.LEASE)).isEqualTo(2);
        assertThat(flow.fixture.events(id)).doesNotContain(WorkEvent.EXPIRE);
    }

    /// Looks for it again and again, up to its time and never quite there.
    private void nothingUntil(Duration time) {
        for (int part = 0; part < 10; part++) {
            everybodyLooks();
            flow.fixture.advance(time.dividedBy(10).minusSeconds(6));
        }
        everybodyLooks();
        flow.fixture.advance(Duration.ofSeconds(60));
    }

    private void everybodyLooks() {
        assertThat(flow.fixture.sweep("lease-reaper")).isZero();
        assertThat(flow.fixture.sweep("due-promoter")).isZero();
        assertThat(flow.claim(5)).isEmpty();
    }
}
