package io.orchestrion.kernel.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.AuditEntry;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.QueueFixture;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// L-024.
class DeadLettersTest {
    private final QueueFixture queue = new QueueFixture();
    private final DeadLetters letters = queue.kernel().deadLetters();

    @AfterEach
    void close() {
        queue.close();
    }

    private UUID dead(String kind, String failure) {
        UUID id = queue.fixture.submit(queue.draft(kind, 0, 1, null));
        queue.claim(new Policy(Set.of(kind), null, null), "w", 1);
        queue.apply(id, new Command.Fail(QueueFixture.by("w"), failure, null, true));
        return id;
    }

    private List<AuditEntry> audit() {
        return queue.kernel().audit().oldestFirst(queue.account, 0, 100).stream()
                .filter(entry -> entry.action().startsWith("dead_letter"))
                .toList();
    }

    @Test
    void one_is_put_back_with_all_its_attempts_and_an_entry_in_the_audit_log() {
        UUID id = dead("build", "no");
        Ack ack = letters.requeue(queue.account, Actor.server(), Profiles.QUEUE, id, "fixed it");
        assertThat(((Ack.Applied) ack).item().state()).isEqualTo(WorkState.READY);
        assertThat(queue.item(id).attempt()).isZero();
        assertThat(audit())
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.action()).isEqualTo(DeadLetters.ONE_REQUEUED);
                            assertThat(entry.subject().id()).isEqualTo(id.toString());
                            assertThat(entry.detail()).contains("fixed it");
                        });
        Ack again = letters.requeue(queue.account, Actor.server(), Profiles.QUEUE, id, null);
        assertThat(((Ack.Refused) again).refusal()).isInstanceOf(Refusal.WrongState.class);
        Ack unknown =
                letters.requeue(
                        queue.account, Actor.server(), Profiles.QUEUE, UUID.randomUUID(), null);
        assertThat(((Ack.Refused) unknown).refusal()).isInstanceOf(Refusal.NotFound.class);
        assertThat(audit()).hasSize(1);
        assertThat(queue.claimAny("w2").id()).isEqualTo(id);
    }

    @Test
    void many_are_put_back_by_filter_oldest_first_up_to_the_limit() {
        var builds = new ArrayList<UUID>();
        for (int i = 0; i < 7; i++) {
            builds.add(dead("build", i % 2 == 0 ? "disk full" : "timeout"));
        }
        UUID test = dead("test", "disk full");
        UUID waiting = queue.submit("build");
        DeadLetters.Requeued some =
                letters.requeue(
                        queue.account,
                        Actor.server(),
                        Profiles.QUEUE,
                        DeadLetters.dead("build", "disk", List.of()),
                        3,
                        "more disk");
        assertThat(some.ids()).containsExactly(builds.get(0), builds.get(2), builds.get(4));
        assertThat(some.more()).isTrue();
        DeadLetters.Requeued rest =
                letters.requeue(
                        queue.account,
                        Actor.server(),
                        Profiles.QUEUE,
                        DeadLetters.dead(null, "disk", List.of()),
                        3,
                        null);
        assertThat(rest.ids()).containsExactly(builds.get(6), test);
        assertThat(rest.more()).isFalse();
        DeadLetters.Requeued named =
                letters.requeue(
                        queue.account,
                        Actor.server(),
                        Profiles.QUEUE,
                        DeadLetters.dead(null, null, List.of(builds.get(1), test, waiting)),
                        10,
                        null);
        assertThat(named.ids()).containsExactly(builds.get(1));
        assertThat(queue.item(builds.get(3)).state()).isEqualTo(WorkState.DEAD);
        assertThat(queue.item(waiting).state()).isEqualTo(WorkState.READY);
        assertThat(audit())
                .hasSize(3)
                .allMatch(entry -> entry.action().equals(DeadLetters.MANY_REQUEUED));
        assertThat(audit().getFirst().detail())
                .contains("\"requeued\": 3", "\"limit\": 3", "disk", "more disk");
        assertThat(queue.lines(builds.get(0))).endsWith("fail", "reopen");
    }

    @Test
    void two_at_once_put_each_back_once() {
        for (int i = 0; i < 40; i++) {
            dead("build", "no");
        }
        List<Integer> counts =
                Parallel.run(
                        4,
                        _ ->
                                () ->
                                        letters.requeue(
                                                        queue.account,
                                                        Actor.server(),
                                                        Profiles.QUEUE,
                                                        DeadLetters.dead(null, null, List.of()),
                                                        100,
                                                        null)
                                                .ids()
                                                .size());
        assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(40);
    }

    @Test
    void the_limit_has_bounds_and_only_dead_ones_are_put_back() {
        var filter = DeadLetters.dead(null, null, List.of());
        for (int limit : new int[] {0, -1, 1001}) {
            assertThatThrownBy(
                            () ->
                                    letters.requeue(
                                            queue.account,
                                            Actor.server(),
                                            Profiles.QUEUE,
                                            filter,
                                            limit,
                                            null))
                    .hasMessageContaining("limit must be from 1 to 1000");
        }
        var failed =
                new BulkFilter(Set.of(WorkState.FAILED), null, null, null, null, null, List.of());
        assertThatThrownBy(
                        () ->
                                letters.requeue(
                                        queue.account,
                                        Actor.server(),
                                        Profiles.QUEUE,
                                        failed,
                                        1,
                                        null))
                .hasMessageContaining("only dead");
    }
}
