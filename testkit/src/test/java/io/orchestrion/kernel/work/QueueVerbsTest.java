package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.QueueFixture.by;
import static io.orchestrion.kernel.work.QueueFixture.complete;
import static io.orchestrion.kernel.work.QueueFixture.fail;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// What holders and producers of the queue may do to a job in each of its states, and what comes of
/// it.
class QueueVerbsTest {
    private final QueueFixture queue = new QueueFixture();

    @AfterEach
    void close() {
        queue.close();
    }

    /// the lease is as long as was asked for last, shorter or longer.
    @Test
    void a_heartbeat_moves_the_lease_to_now_and_what_it_asks_for() {
        UUID id = queue.held("w1");
        queue.advance(Duration.ofSeconds(100));
        WorkItem longer = queue.apply(id, new Command.Heartbeat(by("w1"), 600));
        assertThat(longer.lease().untilMs()).isEqualTo(longer.times().heartbeatMs() + 600_000);
        assertThat(longer.lease().seconds()).isEqualTo(600);
        assertThat(longer.cancelRequested()).isFalse();
        queue.advance(Duration.ofSeconds(500));
        WorkItem same = queue.apply(id, new Command.Heartbeat(by("w1")));
        assertThat(same.lease().untilMs()).isEqualTo(same.times().heartbeatMs() + 600_000);
        WorkItem shorter = queue.apply(id, new Command.Heartbeat(by("w1"), 2));
        assertThat(shorter.lease().untilMs()).isEqualTo(shorter.times().heartbeatMs() + 2_000);
        queue.advance(Duration.ofSeconds(3));
        assertThat(queue.fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(queue.item(id).state()).isEqualTo(WorkState.WAITING);
    }

    @Test
    void a_heartbeat_that_makes_the_lease_no_shorter_touches_nothing_indexed() {
        UUID id = queue.held("w1");
        String check = "select lease_check_ms from work where id = ?";
        long before = queue.fixture.database().value(check, id);
        queue.advance(Duration.ofSeconds(10));
        queue.apply(id, new Command.Heartbeat(by("w1"), 120));
        assertThat((Long) queue.fixture.database().value(check, id)).isEqualTo(before);
    }

    /// whoever does not hold it changes nothing, whatever token it shows.
    @Test
    void only_the_holder_by_name_may_speak_and_with_a_token_only_of_the_current_lease() {
        UUID id = queue.submit("build");
        UUID token = queue.claimAny("w1").lease().token();
        WorkItem before = queue.item(id);
        var others =
                List.of(
                        by("w2"),
                        by("W1"),
                        Fence.ofHolder("w2", token),
                        Fence.ofHolder("w1", UUID.randomUUID()));
        for (Fence other : others) {
            for (Command command :
                    List.of(
                            new Command.Heartbeat(other, 60),
                            new Command.Complete(other, null, null),
                            new Command.Fail(other, "no", null, true))) {
                assertThat(queue.refused(id, command)).isInstanceOf(Refusal.LeaseLost.class);
            }
        }
        assertThat(queue.item(id)).isEqualTo(before);
        queue.apply(id, new Command.Complete(Fence.ofHolder("w1", token), "\"ok\"", null));
        assertThat(queue.item(id).state()).isEqualTo(WorkState.SUCCEEDED);
        assertThat(queue.fixture.view(QueueFixture.QUEUE, id).documents().result())
                .isEqualTo("\"ok\"");
    }

    ///
    @Test
    void a_retryable_failure_waits_ever_longer_and_the_third_is_a_dead_letter() {
        UUID id = queue.submit("build");
        long longest = 5_000;
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(queue.claimAny("w1").attempt()).isEqualTo(attempt);
            WorkItem failed = queue.apply(id, fail("w1", true));
            assertThat(failed.lease().token()).isNull();
            assertThat(failed.lease().untilMs()).isNull();
            assertThat(failed.attempts().failure()).isEqualTo("no luck");
            if (attempt < 3) {
                assertThat(failed.state()).isEqualTo(WorkState.WAITING);
                assertThat(failed.holding().holder()).isNull();
                assertThat(failed.turn().runAtMs() - failed.attempts().failedMs())
                        .isBetween(1_000L, longest);
                assertThat(queue.claim(Policy.ANYTHING, "w1", 1)).isEmpty();
                queue.advance(Duration.ofMillis(longest));
                longest *= 2;
            } else {
                assertThat(failed.state()).isEqualTo(WorkState.DEAD);
            }
        }
        assertThat(queue.claim(Policy.ANYTHING, "w1", 1)).isEmpty();
        queue.advance(Duration.ofDays(1));
        assertThat(queue.claim(Policy.ANYTHING, "w1", 1)).isEmpty();
    }

    ///
    @Test
    void a_failure_that_is_not_worth_a_retry_is_final_and_counts_once() {
        UUID id = queue.held("w1");
        assertThat(queue.apply(id, fail("w1", false)).state()).isEqualTo(WorkState.FAILED);
        WorkItem failed = queue.item(id);
        assertThat(queue.refused(id, fail("w1", false))).isInstanceOf(Refusal.WrongState.class);
        assertThat(queue.refused(id, new Command.Reopen())).isInstanceOf(Refusal.WrongState.class);
        assertThat(queue.item(id)).isEqualTo(failed);
        UUID retried = queue.held("w1");
        queue.apply(retried, fail("w1", true));
        assertThat(queue.refused(retried, fail("w1", true))).isInstanceOf(Refusal.LeaseLost.class);
        assertThat(queue.item(retried).attempt()).isEqualTo(1);
    }

    ///
    @Test
    void a_lease_that_ran_out_is_over_for_its_holder() {
        UUID id = queue.held("w1");
        queue.advance(Duration.ofSeconds(121));
        for (Command command :
                List.of(new Command.Heartbeat(by("w1"), 60), complete("w1"), fail("w1", true))) {
            assertThat(queue.refused(id, command)).isInstanceOf(Refusal.LeaseExpired.class);
        }
        assertThat(queue.append(id, "w1", "late")).isInstanceOf(Appended.NotHeld.class);
    }

    ///
    @Test
    void a_cancel_of_a_running_job_is_a_flag_that_its_holder_sees() {
        UUID id = queue.held("w1");
        WorkItem asked = queue.apply(id, new Command.Cancel());
        assertThat(asked.state()).isEqualTo(WorkState.RUNNING);
        assertThat(asked.cancelRequested()).isTrue();
        assertThat(queue.apply(id, new Command.Cancel())).isEqualTo(asked);
        assertThat(queue.apply(id, new Command.Cancel(true))).isEqualTo(asked);
        WorkItem beat = queue.apply(id, new Command.Heartbeat(by("w1"), 60));
        assertThat(beat.cancelRequested()).isTrue();
        WorkItem over = queue.apply(id, fail("w1", true));
        assertThat(over.state()).isEqualTo(WorkState.CANCELLED);
        assertThat(over.attempts().failure()).isEqualTo("no luck");
        assertThat(queue.lines(id))
                .containsExactly("submit", "lease", "ask_cancel", "heartbeat", "cancel");
    }

    @Test
    void a_job_that_was_asked_to_stop_may_still_succeed_and_is_not_begun_again_when_it_expires() {
        UUID done = queue.held("w1");
        queue.apply(done, new Command.Cancel());
        assertThat(queue.apply(done, complete("w1")).state()).isEqualTo(WorkState.SUCCEEDED);
        UUID lost = queue.held("w1");
        queue.apply(lost, new Command.Cancel());
        queue.advance(Duration.ofSeconds(121));
        assertThat(queue.fixture.sweep("lease-reaper")).isEqualTo(1);
        WorkItem over = queue.item(lost);
        assertThat(over.state()).isEqualTo(WorkState.CANCELLED);
        assertThat(over.attempts().failure()).isEqualTo(WorkDecider.LEASE_EXPIRED);
        assertThat(queue.lines(lost)).containsExactly("submit", "lease", "ask_cancel", "cancel");
    }

    @Test
    void what_nobody_holds_is_cancelled_at_once() {
        UUID ready = queue.submit("build");
        UUID failed = queue.submit("build");
        UUID lapsed = queue.submit("build");
        queue.claim(Policy.ANYTHING, "w1", 3);
        queue.apply(ready, fail("w1", true));
        assertThat(queue.apply(ready, new Command.Cancel()).state()).isEqualTo(WorkState.CANCELLED);
        queue.apply(failed, fail("w1", false));
        assertThat(queue.refused(failed, new Command.Cancel()))
                .isInstanceOf(Refusal.WrongState.class);
        queue.advance(Duration.ofSeconds(121));
        // Its lease is over, so nobody is left to be asked.
        assertThat(queue.apply(lapsed, new Command.Cancel()).state())
                .isEqualTo(WorkState.CANCELLED);
        UUID fresh = queue.submit("build");
        assertThat(queue.apply(fresh, new Command.Cancel()).state()).isEqualTo(WorkState.CANCELLED);
        assertThat(queue.claim(Policy.ANYTHING, "w1", 5)).isEmpty();
    }

    /// Every verb in every state, as a page to read: what the job is afterwards, or `-` where
    /// nothing may change and nothing does.
    @Test
    void every_verb_in_every_state() {
        var page = new StringBuilder();
        Map<String, Command> verbs = new LinkedHashMap<>();
        verbs.put("heartbeat", new Command.Heartbeat(by("w1"), 60));
        verbs.put("complete", complete("w1"));
        verbs.put("retry", fail("w1", true));
        verbs.put("fail", fail("w1", false));
        verbs.put("cancel", new Command.Cancel());
        verbs.put("requeue", new Command.Reopen());
        for (String state :
                List.of(
                        "ready",
                        "waiting",
                        "running",
                        "asked",
                        "expired",
                        "last",
                        "succeeded",
                        "failed",
                        "dead",
                        "cancelled")) {
            page.append(String.format("%-9s", state));
            for (var verb : verbs.entrySet()) {
                UUID id = in(state);
                WorkItem before = queue.item(id);
                Ack ack = queue.say(id, verb.getValue());
                WorkItem after = queue.item(id);
                if (ack instanceof Ack.Refused && !state.equals("expired")) {
                    assertThat(after).as(state + " " + verb.getKey()).isEqualTo(before);
                }
                page.append(
                        String.format(
                                " %-9s", ack instanceof Ack.Refused ? "-" : after.state().word()));
            }
            page.append('\n');
        }
        assertThat(page.toString().replaceAll(" +\n", "\n"))
                .isEqualTo(
                        """
                        ready     -         -         -         -         cancelled -
                        waiting   -         -         -         -         cancelled -
                        running   running   succeeded waiting   failed    running   -
                        asked     running   succeeded cancelled cancelled running   -
                        expired   -         -         -         -         cancelled -
                        last      running   succeeded dead      failed    running   -
                        succeeded -         -         -         -         -         -
                        failed    -         -         -         -         -         -
                        dead      -         -         -         -         -         ready
                        cancelled -         -         -         -         -         -
                        """);
    }

    private UUID in(String state) {
        UUID id =
                queue.fixture.submit(
                        queue.draft(
                                "k" + UUID.randomUUID(),
                                0,
                                state.equals("last") || state.equals("dead") ? 1 : 3,
                                null));
        if (state.equals("ready")) {
            return id;
        }
        queue.claim(new Policy(Set.of(queue.item(id).kind()), null, null), "w1", 1);
        switch (state) {
            case "waiting" -> queue.apply(id, fail("w1", true));
            case "asked" -> queue.apply(id, new Command.Cancel());
            case "expired" -> queue.advance(Duration.ofSeconds(121));
            case "succeeded" -> queue.apply(id, complete("w1"));
            case "failed" -> queue.apply(id, fail("w1", false));
            case "dead" -> queue.apply(id, fail("w1", true));
            case "cancelled" -> {
                queue.apply(id, new Command.Cancel());
                queue.apply(id, fail("w1", false));
            }
            default -> {}
        }
        return id;
    }

    /// Complete, fail, cancel and heartbeat at the same moment, from two nodes: one end, told once.
    @Test
    void racing_verbs_come_to_one_end() {
        try (Kernel second = queue.fixture.test.anotherNode(options -> options)) {
            for (int round = 0; round < 30; round++) {
                UUID id = queue.held("w1");
                List<Command> commands = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    commands.add(complete("w1"));
                    commands.add(fail("w1", false));
                    commands.add(new Command.Cancel());
                    commands.add(new Command.Heartbeat(by("w1"), 60));
                }
                List<Ack> acks =
                        Parallel.run(
                                commands.size(),
                                i ->
                                        () ->
                                                (i % 2 == 0 ? queue.work() : second.work())
                                                        .command(
                                                                queue.fixture.order(
                                                                        QueueFixture.QUEUE,
                                                                        id,
                                                                        commands.get(i))));
                long ends =
                        acks.stream()
                                .filter(
                                        ack ->
                                                ack instanceof Ack.Applied applied
                                                        && applied.item().state().ended())
                                .count();
                assertThat(ends).isEqualTo(1);
                var happened = new ArrayList<>(queue.lines(id));
                happened.removeIf(Set.of("heartbeat", "ask_cancel")::contains);
                assertThat(happened).hasSize(3);
                assertThat(new HashSet<>(happened)).hasSize(3);
                assertThat(queue.item(id).state().ended()).isTrue();
            }
        }
        Set<String> states = new HashSet<>();
        queue.fixture
                .database()
                .rows("select distinct state from work")
                .forEach(row -> states.add((String) row.get("state")));
        assertThat(states).doesNotContain("running", "ready");
    }

    /// Ids of one queue mean nothing to the verbs of another.
    @Test
    void another_doors_verbs_do_not_know_it() {
        UUID id = queue.held("w1");
        assertThat(queue.fixture.refused(Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE)))
                .isInstanceOf(Refusal.NotFound.class);
        UUID task = queue.fixture.submit(Profiles.TASKS);
        assertThat(queue.refused(task, new Command.Cancel())).isInstanceOf(Refusal.NotFound.class);
        assertThat(queue.append(task, "w1", "x")).isInstanceOf(Appended.NotFound.class);
        assertThat(queue.kernel().jobEvents().read(queue.account, "queue", task, -1, 10)).isNull();
        assertThat(queue.claim(Policy.ANYTHING, "w1", 5)).isEmpty();
    }
}
