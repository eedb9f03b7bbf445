package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/// Attempts of steps as items of the kernel.
class KernelJointTest {
    private static final String QUICK =
            Documents.retry(3, "fixed", 1000, 1000, 20_000) + ",\"lease_seconds\":30";

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<Map<String, Object>> items(UUID execution) {
        return fixture.test
                .database()
                .rows(
                        "select id, kind, queue, state, attempt, max_attempts from item"
                                + " where owner_kind = 'execution' and owner_id = ? order by id",
                        execution);
    }

    /// E-231, E-232, E-233.
    @Test
    void every_attempt_is_one_item_that_the_kernel_tries_once() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK))).id();
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.later(Duration.ofSeconds(2));
        fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(21));
        fixture.later(Duration.ofSeconds(2));
        fixture.fail(fixture.claim("do_a"), "validation_failed");

        List<Map<String, Object>> items = items(id);
        assertThat(items)
                .extracting(item -> item.get("id"))
                .containsExactlyElementsOf(
                        fixture.steps(id).stream().map(StepAttempt::id).toList());
        assertThat(items)
                .allSatisfy(
                        item -> {
                            assertThat(item.get("max_attempts")).isEqualTo(1);
                            assertThat(item.get("attempt")).isEqualTo(1);
                            // Never dead: a dead item could be put back past the engine.
                            assertThat(item.get("state")).isEqualTo("failed");
                        });
        assertThat(fixture.claim("do_a", 10)).isEmpty();
    }

    /// E-232.
    @Test
    void an_item_that_nobody_claims_is_no_attempt_of_the_kernel_either() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK))).id();
        fixture.later(Duration.ofDays(2));
        assertThat(items(id))
                .singleElement()
                .satisfies(item -> assertThat(item.get("attempt")).isEqualTo(0));
        assertThat(fixture.step(id, "a", 1).times().startedMs()).isNull();
    }

    /// E-234.
    @Test
    void nobody_but_the_engine_cancels_or_reopens_an_item_of_a_step() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK))).id();
        WorkItem held = fixture.claim("do_a");
        var before = items(id);
        for (Command command :
                List.of(new Command.Cancel(), new Command.Cancel(true), new Command.Reopen())) {
            managed(fixture.say(held, command), id);
        }
        assertThat(items(id)).isEqualTo(before);
        assertThat(fixture.history(id)).containsExactly("a#1 running");

        fixture.fail(held, "validation_failed");
        managed(fixture.say(held, new Command.Reopen()), id);
        managed(fixture.say(held, new Command.Cancel()), id);
        assertThat(fixture.history(id)).containsExactly("a#1 failed");
        assertThat(fixture.claim("do_a", 1)).isEmpty();
    }

    private static void managed(Ack ack, UUID execution) {
        assertThat(ack).isInstanceOf(Ack.Refused.class);
        assertThat(((Ack.Refused) ack).refusal())
                .isInstanceOfSatisfying(
                        Refusal.Managed.class,
                        managed -> assertThat(managed.words()).contains(execution.toString()));
    }

    /// E-236. Calls and timers lie in no queue that a worker claims from.
    @Test
    void a_worker_never_gets_what_the_server_does_itself() {
        UUID call =
                fixture.start(
                                Documents.of(
                                        Documents.step(
                                                "a",
                                                "external_call",
                                                ",\"handler\":\"http:https://service.example/\"")))
                        .id();
        UUID wait =
                fixture.start(Documents.of(Documents.step("a", "wait", ",\"duration_ms\":60000")))
                        .id();
        for (UUID id : List.of(call, wait)) {
            String kind = String.valueOf(items(id).getFirst().get("kind"));
            assertThat(fixture.claim(kind, 10)).as(kind).isEmpty();
            assertThat(items(id).getFirst().get("queue")).isNotEqualTo("tasks");
        }
    }

    /// E-235, E-239. Among plain tasks of the same type.
    @Test
    void a_worker_claims_steps_and_plain_tasks_with_one_call() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK))).id();
        var plain = NewWork.of(fixture.account, Profiles.TASKS, "do_a", "{}");
        fixture.test
                .kernel()
                .database()
                .transaction(
                        tx ->
                                fixture.test
                                        .kernel()
                                        .verbs()
                                        .submit(
                                                tx,
                                                fixture.account,
                                                List.of(Submission.of(plain))));
        List<WorkItem> claimed = fixture.claim("do_a", 10);
        assertThat(claimed).hasSize(2);
        assertThat(claimed).extracting(WorkItem::queue).containsOnly("tasks");
        assertThat(claimed).extracting(WorkItem::owner).anyMatch(owner -> owner == null);
        assertThat(claimed).extracting(WorkItem::id).contains(fixture.step(id, "a", 1).id());
        assertThat(items(id).getFirst())
                .containsEntry("queue", "tasks")
                .satisfies(
                        item ->
                                assertThat(String.valueOf(item.get("kind")))
                                        .matches(Pattern.compile("[a-z][a-z0-9_]*")));
    }

    /// E-150. The id of an attempt's item is that of the attempt.
    @Test
    void an_attempt_gets_no_second_item() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK))).id();
        var again =
                Submission.of(
                                NewWork.of(fixture.account, Profiles.STEPS, "do_a", "{}")
                                        .ownedBy(new WorkItem.OwnerRef("execution", id)))
                        .as(fixture.step(id, "a", 1).id());
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .kernel()
                                        .database()
                                        .transaction(
                                                tx ->
                                                        fixture.test
                                                                .kernel()
                                                                .verbs()
                                                                .submit(
                                                                        tx,
                                                                        fixture.account,
                                                                        List.of(again))
                                                                .getFirst()
                                                                .made()))
                .isNotNull();
        assertThat(items(id)).hasSize(1);
        assertThat(fixture.claim("do_a", 10)).hasSize(1);
    }

    /// E-054, E-235.
    @Test
    void every_item_has_the_correlation_id_of_its_execution() {
        fixture.start(Documents.of(Documents.task("a", QUICK)));
        assertThat(fixture.claim("do_a").trail().correlationId()).isEqualTo("order-7");
    }

    /// E-238. As soon as its time has come, without waiting for any sweeper of leases.
    @Test
    void a_retry_of_a_tenth_of_a_second_can_be_claimed_after_it() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                Documents.retry(2, "fixed", 100, 100, 20_000))))
                        .id();
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        assertThat(fixture.step(id, "a", 2).times().retryAfterMs())
                .isEqualTo(
                        java.util.Objects.requireNonNull(
                                        fixture.step(id, "a", 1).times().finishedMs())
                                + 100);
        fixture.test.clock().advance(Duration.ofMillis(101));
        fixture.test.kernel().sweepOnce("due-promoter");
        assertThat(fixture.claim("do_a", 1)).hasSize(1);
    }
}
