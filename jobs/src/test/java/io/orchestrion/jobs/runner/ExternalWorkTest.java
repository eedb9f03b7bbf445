package io.orchestrion.jobs.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.JobState;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.PolicyClaim;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/// Work that an outside worker of the queue does.
@Timeout(180)
class ExternalWorkTest {
    private final RunnerFixture fixture = new RunnerFixture();

    @BeforeEach
    void run() {
        fixture.run(RunnerFixture.quick("relay", 2, 1));
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    /// As a worker claims over the queue door.
    private WorkView claim() {
        var found = new AtomicReference<WorkView>();
        Until.isTrue(
                "there is something in the queue",
                RunnerFixture.SOON,
                () -> {
                    List<WorkView> items =
                            fixture.test
                                    .kernel()
                                    .work()
                                    .claimWithPolicy(
                                            fixture.account,
                                            new PolicyClaim(Policy.ANYTHING, "worker", 120, 1))
                                    .items();
                    if (!items.isEmpty()) {
                        found.set(items.getFirst());
                    }
                    return found.get() != null;
                });
        return Objects.requireNonNull(found.get());
    }

    private Ack say(WorkView held, Command command) {
        return fixture.test
                .kernel()
                .work()
                .command(
                        new CommandRequest(
                                fixture.account, Profiles.QUEUE, held.item().id(), command, false));
    }

    private static Fence fence(WorkView held) {
        return Fence.of(held.item().lease().token());
    }

    private WorkView item(UUID id) {
        return Objects.requireNonNull(
                fixture.test.kernel().work().get(fixture.account, Profiles.QUEUE, id));
    }

    /// L-026.
    @Test
    void a_job_bound_to_the_queue_is_done_by_its_worker() {
        UUID id = fixture.submitFor("queue:resize", "{\"image\":\"a.png\"}").id();
        WorkView held = claim();
        assertThat(held.item().kind()).isEqualTo("resize");
        assertThat(held.documents().payload()).contains("a.png");
        assertThat(fixture.job(id).state()).isEqualTo(JobState.RUNNING);
        say(held, new Command.Complete(fence(held), "{\"width\":10}", null));
        fixture.await(id, JobState.SUCCEEDED);
        assertThat(fixture.report(id).result()).isEqualTo("{\"width\":10}");
    }

    /// L-026: and each retry is an item of its own.
    @Test
    void a_failure_of_the_worker_is_the_failure_of_the_job() {
        UUID id = fixture.submitFor("queue:resize", "{}").id();
        WorkView held = claim();
        say(held, new Command.Fail(fence(held), "no such image", null, false));
        JobFailure failure = Objects.requireNonNull(fixture.await(id, JobState.FAILED).failure());
        assertThat(failure.code()).isEqualTo("EXTERNAL_FAILED");
        assertThat(failure.text()).contains("no such image");
        assertThat(failure.retryable()).isFalse();
        fixture.retry(id);
        WorkView again = claim();
        assertThat(again.item().id()).isNotEqualTo(held.item().id());
        say(again, new Command.Complete(fence(again), null, null));
        assertThat(fixture.await(id, JobState.SUCCEEDED).attempt()).isEqualTo(2);
    }

    /// L-027.
    @Test
    void cancelling_the_job_reaches_its_worker() {
        UUID waiting = fixture.submitFor("queue:resize", "{}").id();
        fixture.await(waiting, JobState.RUNNING);
        Until.isTrue("it is in the queue", RunnerFixture.SOON, () -> queued().size() == 1);
        UUID item = queued().getFirst();
        fixture.cancel(waiting);
        Until.isTrue(
                "nobody will get it any more",
                RunnerFixture.SOON,
                () -> item(item).item().state() == WorkState.CANCELLED);

        UUID running = fixture.submitFor("queue:resize", "{}").id();
        WorkView held = claim();
        fixture.cancel(running);
        Until.isTrue(
                "who works on it is asked to stop",
                RunnerFixture.SOON,
                () -> item(held.item().id()).item().cancelRequested());
        say(held, new Command.Complete(fence(held), "\"late\"", null));
        assertThat(fixture.job(running).state()).isEqualTo(JobState.CANCELED);
    }

    /// L-027: also while it is on its way into the queue.
    @Test
    void what_is_handed_in_while_its_job_is_cancelled_is_taken_back() throws Exception {
        var parked = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        fixture.test
                .failpoints()
                .arm(
                        "submit-keyed.before-commit",
                        () -> {
                            parked.countDown();
                            release.await();
                        });
        UUID id = fixture.submitFor("queue:resize", "{}").id();
        parked.await();
        fixture.cancel(id);
        fixture.await(id, JobState.CANCELED);
        // The runner hears of it with its next heartbeat, and gives up on the answer.
        Until.isTrue(
                "it asks what became of it",
                RunnerFixture.SOON,
                () ->
                        count(
                                        "pg_stat_activity where datname = current_database()"
                                                + " and wait_event_type = 'Lock'")
                                > 0);
        fixture.test.failpoints().disarm("submit-keyed.before-commit");
        release.countDown();
        Until.isTrue(
                "nobody will get it",
                RunnerFixture.SOON,
                () -> count("work where queue = 'queue' and state = 'cancelled'") == 1);
        assertThat(count("work where queue = 'queue'")).isEqualTo(1);
    }

    private long count(String of) {
        return Objects.requireNonNull(fixture.database().<Long>value("select count(*) from " + of));
    }

    private List<UUID> queued() {
        return fixture
                .database()
                .rows("select id from work where queue = 'queue' and state = 'ready'")
                .stream()
                .map(row -> (UUID) Objects.requireNonNull(row.get("id")))
                .toList();
    }
}
