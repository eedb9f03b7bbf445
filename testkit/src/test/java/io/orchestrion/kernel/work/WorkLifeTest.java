package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

class WorkLifeTest {
    private final TestKernel test = new TestKernel();
    private final Work work = test.kernel().work();
    private final UUID account = test.account();

    @AfterEach
    void close() {
        test.close();
    }

    private WorkItem submit() {
        var submitted =
                work.submit(
                        Submission.of(NewWork.of(account, Profiles.TASKS, "build", "{\"n\": 1}")));
        return ((Submitted.Created) submitted).view().item();
    }

    private Claimed claim() {
        return work.claim(
                new ClaimRequest(account, "tasks", "build", 1, "w1", null), Duration.ZERO);
    }

    private Ack command(UUID id, Command command) {
        return work.command(new Order(account, Profiles.TASKS, id, command, false));
    }

    @Test
    void an_item_is_submitted_claimed_kept_alive_and_completed() {
        WorkItem item = submit();
        assertThat(item.state()).isEqualTo(WorkState.READY);
        WorkView claimed = claim().items().getFirst();
        assertThat(claimed.item().id()).isEqualTo(item.id());
        assertThat(claimed.item().state()).isEqualTo(WorkState.RUNNING);
        assertThat(claimed.documents().payload()).isEqualTo("{\"n\": 1}");
        Fence fence = Fence.of(claimed.item().lease().token());
        assertThat(command(item.id(), new Command.Heartbeat(fence)))
                .isInstanceOf(Ack.Applied.class);
        assertThat(command(item.id(), new Command.Complete(fence, "{\"ok\":true}", null)))
                .isInstanceOf(Ack.Applied.class);
        WorkView done = work.get(account, Profiles.TASKS, item.id());
        assertThat(done.item().state()).isEqualTo(WorkState.SUCCEEDED);
        assertThat(done.documents().result()).isEqualTo("{\"ok\":true}");
        assertThat(work.history(account, item.id()))
                .extracting(HistoryEntry::event)
                .containsExactly(WorkEvent.SUBMIT, WorkEvent.LEASE, WorkEvent.COMPLETE);
    }

    @Test
    void a_failed_item_comes_back_until_it_is_dead_and_reopened() {
        WorkItem item = submit();
        for (int i = 0; i < 3; i++) {
            assertThat(claim().items()).hasSize(1);
            command(item.id(), new Command.Fail(Fence.NONE, "no", null, true));
        }
        assertThat(work.get(account, Profiles.TASKS, item.id()).item().state())
                .isEqualTo(WorkState.DEAD);
        command(item.id(), new Command.Reopen());
        assertThat(claim().items().getFirst().item().attempt()).isEqualTo(1);
    }

    @Test
    void an_expired_lease_is_swept_and_the_late_completion_refused() {
        WorkItem item = submit();
        WorkView first = claim().items().getFirst();
        test.clock().advance(Duration.ofSeconds(301));
        assertThat(test.kernel().sweepOnce("lease-reaper")).isEqualTo(1);
        WorkView second = claim().items().getFirst();
        assertThat(second.item().lease().number()).isEqualTo(2);
        Ack late =
                command(
                        item.id(),
                        new Command.Complete(Fence.of(first.item().lease().token()), null, null));
        assertThat(late)
                .isInstanceOfSatisfying(
                        Ack.Refused.class,
                        refused ->
                                assertThat(refused.refusal())
                                        .isInstanceOf(Refusal.LeaseLost.class));
    }
}
