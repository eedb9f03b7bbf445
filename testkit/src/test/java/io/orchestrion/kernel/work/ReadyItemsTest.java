package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.ReadyItems;
import io.orchestrion.kernel.verbs.WorkVerbs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// What engines and doors ask that choose themselves what is claimed next.
@Timeout(180)
class ReadyItemsTest {
    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<UUID> claimable(int most) {
        return fixture.kernel()
                .database()
                .transaction(
                        tx ->
                                ReadyItems.claimable(
                                        tx,
                                        fixture.account,
                                        Profiles.TASKS.queue(),
                                        WorkFixture.KIND,
                                        most));
    }

    private UUID later(long seconds) {
        long now = fixture.kernel().database().transaction(Tx::nowMillis);
        return fixture.submit(fixture.draft(Profiles.TASKS, now + seconds * 1_000, null, null));
    }

    @Test
    void ready_and_due_items_of_the_kind_can_be_claimed_and_no_others() {
        UUID held = fixture.submit(Profiles.TASKS);
        assertThat(fixture.claim(Profiles.TASKS).id()).isEqualTo(held);
        UUID cancelled = fixture.submit(Profiles.TASKS);
        fixture.command(Profiles.TASKS, cancelled, new Command.Cancel(false));
        fixture.submit(NewWork.of(fixture.account, Profiles.TASKS, "another", "{}"));
        fixture.another().submit(Profiles.TASKS);
        UUID due = later(5);
        fixture.advance(Duration.ofSeconds(6));
        later(500);
        UUID first = fixture.submit(Profiles.TASKS);
        UUID second = fixture.submit(Profiles.TASKS);
        assertThat(claimable(10)).containsExactlyInAnyOrder(first, second, due);
        assertThat(claimable(1)).as("one of either").containsExactlyInAnyOrder(first, due);
    }

    @Test
    void what_is_locked_here_is_leased_and_what_another_writes_is_passed_over() {
        UUID mine = fixture.submit(Profiles.TASKS);
        UUID others = fixture.submit(Profiles.TASKS);
        UUID held = fixture.claim(Profiles.TASKS).id();
        UUID third = fixture.submit(Profiles.TASKS);
        assertThat(held).isEqualTo(mine);
        List<UUID> all = List.of(mine, others, third);
        try (var other = fixture.test.anotherNode(options -> options)) {
            fixture.kernel()
                    .database()
                    .transaction(
                            tx -> {
                                assertThat(ReadyItems.lock(tx, fixture.account, List.of(others)))
                                        .containsExactly(others);
                                List<Ack> acks =
                                        other.database()
                                                .transaction(
                                                        there ->
                                                                leased(
                                                                        there,
                                                                        other.verbs(),
                                                                        ReadyItems.lock(
                                                                                there,
                                                                                fixture.account,
                                                                                all)));
                                assertThat(acks)
                                        .singleElement()
                                        .isInstanceOfSatisfying(
                                                Ack.Applied.class,
                                                applied ->
                                                        assertThat(applied.item().id())
                                                                .isEqualTo(third));
                                return acks;
                            });
        }
        assertThat(claimable(10)).containsExactly(others);
    }

    private List<Ack> leased(Tx tx, WorkVerbs verbs, List<UUID> ids) throws java.sql.SQLException {
        return verbs.execute(
                tx,
                fixture.account,
                ids.stream()
                        .map(
                                id ->
                                        fixture.order(
                                                Profiles.TASKS,
                                                id,
                                                new Command.Lease(
                                                        UUID.randomUUID(), "engine", null)))
                        .toList());
    }
}
