package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A verb that breaks before its commit leaves nothing of itself, in any table.
class AtomicVerbsTest {
    private final LedgerOwner ledger = new LedgerOwner();
    private final WorkFixture fixture =
            new WorkFixture(options -> options.withOwners(List.of(ledger)));
    private OwnerRef owner;

    @BeforeEach
    void makeTables() {
        LedgerOwner.makeTables(fixture.database());
        owner = LedgerOwner.newOwner(fixture);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /// Breaks it once before its commit, then lets it pass to see that there was something to lose.
    private void breaksWhole(String lane, Runnable verb, String... changed) {
        var before = Snapshot.of(fixture.database(), "ledger_entry");
        String place = lane + ".before-commit";
        fixture.test
                .failpoints()
                .arm(
                        place,
                        () -> {
                            throw new Failpoints.Injected(place);
                        });
        assertThatThrownBy(verb::run)
                .isInstanceOf(Failpoints.Injected.class)
                .hasMessageContaining(place);
        assertThat(Snapshot.of(fixture.database(), "ledger_entry")).isEqualTo(before);
        fixture.test.failpoints().disarm(place);
        verb.run();
        var after = Snapshot.of(fixture.database(), "ledger_entry");
        assertThat(after.keySet())
                .filteredOn(table -> !after.get(table).equals(before.get(table)))
                .containsExactlyInAnyOrder(changed);
    }

    private UUID held() {
        fixture.submit(fixture.draft(Profiles.STEPS, null, null, owner));
        return fixture.claim(Profiles.STEPS).id();
    }

    /// K-02.
    @Test
    void a_submission() {
        breaksWhole(
                "submit",
                () -> fixture.submit(Profiles.TASKS),
                "work",
                "work_event",
                "event_chunk");
    }

    /// K-02.
    @Test
    void a_submission_with_a_key() {
        breaksWhole(
                "submit-keyed",
                () -> fixture.work().submit(fixture.keyed(Profiles.TASKS, "k")),
                "work",
                "work_event",
                "idempotency",
                "event_chunk");
    }

    /// K-02.
    @Test
    void a_claim() {
        fixture.submit(Profiles.TASKS);
        breaksWhole(
                "claim", () -> fixture.claim(Profiles.TASKS), "work", "work_event", "event_chunk");
    }

    /// K-02.
    @Test
    void a_completion_with_an_owner() {
        UUID id = held();
        breaksWhole(
                "settle",
                () ->
                        fixture.apply(
                                Profiles.STEPS,
                                id,
                                new Command.Complete(Fence.NONE, "{\"a\": 1}", "s3://x")),
                "work",
                "work_event",
                "event_chunk",
                "ledger_entry");
    }

    /// K-02.
    @Test
    void a_completion_of_the_fast_way() {
        fixture.submit(Profiles.TASKS);
        UUID id = fixture.claim(Profiles.TASKS).id();
        breaksWhole(
                "holder",
                () ->
                        fixture.apply(
                                Profiles.TASKS, id, new Command.Complete(Fence.NONE, "{}", null)),
                "work",
                "work_event",
                "event_chunk");
    }

    /// K-02.
    @Test
    void a_failure() {
        UUID id = held();
        breaksWhole(
                "settle",
                () ->
                        fixture.apply(
                                Profiles.STEPS,
                                id,
                                new Command.Fail(Fence.NONE, "no", null, false)),
                "work",
                "work_event",
                "event_chunk",
                "ledger_entry");
    }

    /// K-02.
    @Test
    void a_cancellation() {
        UUID id = held();
        breaksWhole(
                "command",
                () -> fixture.apply(Profiles.STEPS, id, new Command.Cancel()),
                "work",
                "work_event",
                "event_chunk",
                "ledger_entry");
    }

    /// K-02: two steps of one item, written one after the other, are one transaction.
    @Test
    void a_claim_by_id_that_first_ends_an_expired_lease() {
        fixture.submit(Profiles.TASKS);
        UUID id = fixture.claim(Profiles.TASKS).id();
        fixture.advance(Duration.ofSeconds(301));
        breaksWhole(
                "command",
                () ->
                        fixture.apply(
                                Profiles.TASKS,
                                id,
                                new Command.Lease(UUID.randomUUID(), "w2", null)),
                "work",
                "work_event",
                "event_chunk");
        assertThat(fixture.events(id))
                .containsExactly(
                        WorkEvent.SUBMIT, WorkEvent.LEASE, WorkEvent.EXPIRE, WorkEvent.LEASE);
    }

    /// K-02.
    @Test
    void a_promotion() {
        long soon = fixture.view(Profiles.JOBS, fixture.submit(Profiles.JOBS)).nowMs() + 60_000;
        fixture.submit(fixture.draft(Profiles.JOBS, soon, null, null));
        fixture.advance(Duration.ofSeconds(61));
        breaksWhole(
                "pool", () -> fixture.sweep("due-promoter"), "work", "work_event", "event_chunk");
    }

    /// K-02.
    @Test
    void a_purge_with_all_that_hangs_on_the_item() {
        fixture.work().submit(fixture.keyed(Profiles.TASKS, "k"));
        UUID id = fixture.claim(Profiles.TASKS).id();
        fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, "{}", null));
        fixture.advance(Duration.ofDays(91));
        breaksWhole("pool", () -> fixture.sweep("purger"), "work", "work_event", "idempotency");
        var left = Snapshot.of(fixture.database());
        // The log is kept for a time of its own.
        left.remove("event_chunk");
        assertThat(left.values()).allMatch(List::isEmpty);
    }

    /// K-02: the sweep of one item, as the reaper does it.
    @Test
    void an_expiry() {
        UUID id = held();
        fixture.advance(Duration.ofSeconds(61));
        breaksWhole(
                "pool",
                () ->
                        fixture.kernel()
                                .database()
                                .transaction(
                                        tx ->
                                                fixture.kernel()
                                                        .verbs()
                                                        .expire(tx, fixture.account, List.of(id))),
                "work",
                "work_event",
                "event_chunk",
                "ledger_entry");
    }
}
