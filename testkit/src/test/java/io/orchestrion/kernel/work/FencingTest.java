package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;

class FencingTest {
    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static List<Command> holderVerbs(Fence fence) {
        return List.of(
                new Command.Start(fence),
                new Command.Heartbeat(fence),
                new Command.Complete(fence, "{\"late\":true}", null),
                new Command.Fail(fence, "late", null, true));
    }

    /// The lease that an item had first, after somebody else has got it.
    private WorkItem lostLease(Profile profile) {
        fixture.submit(profile);
        WorkItem first = fixture.claim(profile);
        fixture.advance(Duration.ofSeconds(profile.lease().seconds().orElse() + 1L));
        assertThat(fixture.sweep("lease-reaper")).isPositive();
        fixture.advance(Duration.ofMinutes(11));
        assertThat(fixture.claim(profile).id()).isEqualTo(first.id());
        return first;
    }

    /// K-04.
    @Test
    void a_late_holder_of_an_item_leased_again_is_refused_and_changes_nothing() {
        for (Profile profile :
                List.of(Profiles.TASKS, Profiles.QUEUE, Profiles.JOBS, Profiles.DRIVERS)) {
            WorkItem first = lostLease(profile);
            WorkItem before = fixture.item(profile, first.id());
            for (Fence late :
                    List.of(
                            Fence.of(first.lease().token()),
                            new Fence(null, first.lease().number()),
                            new Fence(before.lease().token(), first.lease().number()),
                            new Fence(first.lease().token(), before.lease().number()))) {
                for (Command verb : holderVerbs(late)) {
                    assertThat(fixture.refused(profile, first.id(), verb))
                            .as(profile.name() + " " + verb)
                            .isInstanceOf(Refusal.LeaseLost.class);
                }
            }
            assertThat(fixture.item(profile, first.id())).isEqualTo(before);
            assertThat(fixture.view(profile, first.id()).documents().result()).isNull();
        }
    }

    @Test
    void a_door_that_shows_no_fence_speaks_for_the_current_lease() {
        WorkItem first = lostLease(Profiles.TASKS);
        assertThat(
                        fixture.apply(
                                        Profiles.TASKS,
                                        first.id(),
                                        new Command.Complete(Fence.NONE, null, null))
                                .state())
                .isEqualTo(WorkState.SUCCEEDED);
    }

    @Test
    void an_expired_lease_that_nobody_swept_is_no_lease() {
        UUID id = fixture.submit(Profiles.TASKS);
        WorkItem held = fixture.claim(Profiles.TASKS);
        fixture.advance(Duration.ofSeconds(300));
        for (Command verb : holderVerbs(Fence.of(held.lease().token()))) {
            assertThat(fixture.refused(Profiles.TASKS, id, verb))
                    .as(verb.toString())
                    .isInstanceOf(
                            verb instanceof Command.Start
                                    ? Refusal.WrongState.class
                                    : Refusal.LeaseExpired.class);
        }
        assertThat(fixture.item(Profiles.TASKS, id).state()).isEqualTo(WorkState.RUNNING);
    }

    /// K-04.
    @Test
    void the_number_only_grows_through_expiry_failure_and_reopening_and_tokens_never_repeat() {
        UUID id = fixture.submit(Profiles.TASKS);
        var tokens = new HashSet<UUID>();
        long last = 0;
        for (int i = 0; i < 12; i++) {
            WorkItem held = fixture.claim(Profiles.TASKS);
            assertThat(held.lease().number()).isEqualTo(last + 1);
            assertThat(tokens.add(held.lease().token())).isTrue();
            assertThat(held.lease().token().version()).isEqualTo(4);
            last = held.lease().number();
            if (i % 2 == 0) {
                fixture.apply(Profiles.TASKS, id, new Command.Fail(Fence.NONE, "no", null, true));
            } else {
                fixture.advance(Duration.ofSeconds(301));
                fixture.sweep("lease-reaper");
            }
            if (fixture.item(Profiles.TASKS, id).state() == WorkState.DEAD) {
                fixture.apply(Profiles.TASKS, id, new Command.Reopen());
            }
        }
    }

    /// K-10.
    @Test
    void of_an_old_and_a_new_holder_who_finish_at_once_only_the_new_one_is_heard() {
        for (int round = 0; round < 20; round++) {
            WorkItem old = lostLease(Profiles.TASKS);
            UUID token = fixture.item(Profiles.TASKS, old.id()).lease().token();
            List<Ack> acks =
                    Parallel.run(
                            8,
                            i ->
                                    () ->
                                            fixture.command(
                                                    Profiles.TASKS,
                                                    old.id(),
                                                    new Command.Complete(
                                                            Fence.of(
                                                                    i % 2 == 0
                                                                            ? old.lease().token()
                                                                            : token),
                                                            "{\"by\": %d}".formatted(i),
                                                            null)));
            assertThat(acks).filteredOn(Ack.Applied.class::isInstance).hasSize(1);
            int winner =
                    acks.indexOf(
                            acks.stream()
                                    .filter(Ack.Applied.class::isInstance)
                                    .findFirst()
                                    .orElseThrow());
            assertThat(winner % 2).isEqualTo(1);
            assertThat(fixture.view(Profiles.TASKS, old.id()).documents().result())
                    .isEqualTo("{\"by\": %d}".formatted(winner));
            assertThat(fixture.events(old.id())).filteredOn(WorkEvent.COMPLETE::equals).hasSize(1);
        }
    }

    /// K-10.
    @Test
    void the_schema_refuses_a_second_outcome() {
        UUID id = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, "{}", null));
        try {
            fixture.database().tryExecute("update work set result = '[]' where id = ?", id);
            throw new AssertionError("a second outcome was stored");
        } catch (java.sql.SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("23514");
        }
    }

    /// K-10.
    @Test
    void claimers_of_three_nodes_never_hold_the_same_item() {
        int items = 120;
        for (int i = 0; i < items; i++) {
            fixture.submit(Profiles.TASKS);
        }
        try (var second = fixture.test.anotherNode(options -> options);
                var third = fixture.test.anotherNode(options -> options)) {
            List<Work> nodes = List.of(fixture.work(), second.work(), third.work());
            List<List<WorkItem>> got =
                    Parallel.run(
                            24,
                            i ->
                                    () -> {
                                        var mine = new java.util.ArrayList<WorkItem>();
                                        while (true) {
                                            var claimed =
                                                    nodes.get(i % 3)
                                                            .claim(
                                                                    fixture.wish(
                                                                            Profiles.TASKS,
                                                                            1 + i % 4),
                                                                    Duration.ZERO)
                                                            .items();
                                            if (claimed.isEmpty()) {
                                                return mine;
                                            }
                                            claimed.forEach(view -> mine.add(view.item()));
                                        }
                                    });
            List<WorkItem> all = got.stream().flatMap(List::stream).toList();
            assertThat(all).hasSize(items);
            assertThat(all).extracting(WorkItem::id).doesNotHaveDuplicates();
            assertThat(all).extracting(item -> item.lease().token()).doesNotHaveDuplicates();
            assertThat(all).extracting(item -> item.lease().number()).containsOnly(1L);
        }
    }
}
