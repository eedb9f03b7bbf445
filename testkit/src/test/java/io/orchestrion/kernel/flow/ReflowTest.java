package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// A limit switched on or off while tasks wait, run and are put off.
class ReflowTest {
    private final FlowFixture flow = new FlowFixture();

    @AfterEach
    void close() {
        flow.close();
    }

    private long keyed() {
        return flow.fixture
                .database()
                .value("select count(*) from work where state = 'ready' and flow_key is not null");
    }

    @Test
    void nothing_is_handed_out_until_waiting_tasks_are_in_order_and_then_the_limit_holds() {
        flow.submitAll(1200, _ -> FlowFixture.keys("a", null));
        flow.limit(Profiles.TASKS, 2, null, null);
        assertThat(flow.claim(10)).isEmpty();
        flow.settle();
        assertThat(keyed()).isEqualTo(1200);
        assertThat(flow.claim(10)).hasSize(2);
    }

    @Test
    void a_limit_switched_off_lets_all_of_them_go() {
        flow.concurrency(Profiles.TASKS, 1);
        flow.submitAll(1200, _ -> FlowFixture.keys("a", null));
        assertThat(flow.claim(10)).hasSize(1);
        flow.limit(Profiles.TASKS, null, null, null);
        assertThat(flow.claim(10)).isEmpty();
        flow.settle();
        assertThat(keyed()).isZero();
        assertThat(flow.claim(2000)).hasSize(1199);
    }

    /// A new type, or one with few tasks waiting, need not wait for any sweep.
    @Test
    void where_little_is_to_be_put_in_order_the_claim_itself_does_it() {
        flow.submit("a", 5);
        flow.limit(Profiles.TASKS, 2, null, null);
        assertThat(flow.claim(10)).hasSize(2);
        flow.limit(Profiles.TASKS, null, null, null);
        assertThat(flow.claim(10)).hasSize(3);
        assertThat(flow.rows("select * from work_type where reflow")).isEmpty();
    }

    /// A transaction that had read the old setting commits when all are in order.
    @Test
    void a_task_put_in_by_somebody_who_had_not_seen_the_change_is_found_by_the_next_sweep() {
        flow.concurrency(Profiles.TASKS, 5);
        UUID late = flow.submit("a", 1).getFirst();
        flow.fixture.database().execute("update work set flow_key = null where id = ?", late);
        assertThat(flow.claim(5)).isEmpty();
        flow.settle();
        assertThat(flow.claim(5)).extracting(WorkItem::id).containsExactly(late);
    }

    @Test
    void and_so_is_one_that_still_has_a_key_though_the_limit_is_gone() {
        flow.concurrency(Profiles.TASKS, 5);
        flow.limit(Profiles.TASKS, null, null, null);
        flow.settle();
        UUID late = flow.submit("a", 1).getFirst();
        flow.fixture
                .database()
                .execute("update work set flow_key = 'a' || chr(31) where id = ?", late);
        assertThat(flow.claim(5)).isEmpty();
        flow.settle();
        assertThat(flow.claim(5)).extracting(WorkItem::id).containsExactly(late);
    }

    /// The type itself may be forgotten.
    @Test
    void tasks_of_a_type_that_is_gone_are_claimed_without_a_limit() {
        flow.concurrency(Profiles.TASKS, 1);
        flow.submit("a", 3);
        flow.fixture.database().execute("delete from work_type");
        flow.settle();
        assertThat(flow.claim(5)).hasSize(3);
    }

    /// Whatever becomes ready goes by what its type says then.
    @Test
    void what_was_put_off_or_held_before_the_switch_comes_back_under_the_limit() {
        long now = flow.fixture.view(Profiles.TASKS, flow.submit("a", 1).getFirst()).nowMs();
        WorkItem failing = flow.claim(1).getFirst();
        flow.fixture.submit(
                flow.fixture
                        .draft(Profiles.TASKS, now + 60_000, null, null)
                        .with(FlowFixture.keys("a", null)));
        UUID delayed = flow.submit("a", 1).getFirst();
        WorkItem second = flow.claim(1).getFirst();
        assertThat(second.id()).isEqualTo(delayed);
        flow.fixture.apply(
                Profiles.TASKS,
                delayed,
                new Command.Fail(Fence.of(second.lease().token()), "no", 60_000L, true));
        flow.concurrency(Profiles.TASKS, 1);
        flow.fixture.apply(
                Profiles.TASKS,
                failing.id(),
                new Command.Fail(Fence.of(failing.lease().token()), "no", 0L, true));
        flow.fixture.advance(Duration.ofSeconds(61));
        int done = 0;
        for (var claimed = flow.claim(5); !claimed.isEmpty(); claimed = flow.claim(5)) {
            assertThat(claimed).hasSize(1);
            flow.complete(claimed);
            done++;
        }
        assertThat(done).isEqualTo(3);
    }
}
