package io.orchestrion.kernel.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.EventFeed;
import io.orchestrion.kernel.events.EventPage;
import io.orchestrion.kernel.events.EventQuery;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Events get their positions after their commit: the order within an item holds whatever the order
/// in which transactions began, and no open transaction delays a log.
@Timeout(180)
class SequencerTest {
    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<FeedEvent> log(Kernel node, int page) {
        var query = new EventQuery(fixture.account, List.of("tasks"), null, null);
        var events = new ArrayList<FeedEvent>();
        EventPage read = node.events().read(query, EventCursor.START, page);
        events.addAll(read.items());
        while (read.more()) {
            read = node.events().read(query, read.next(), page);
            events.addAll(read.items());
        }
        return events;
    }

    private static void assertEachItemInOrder(List<FeedEvent> log) {
        var seqs = new HashMap<UUID, Integer>();
        for (FeedEvent event : log) {
            assertThat(event.entry().seq())
                    .as("event of %s", event.workId())
                    .isEqualTo(seqs.merge(event.workId(), 1, Integer::sum));
        }
    }

    /// The claiming transaction has its number before the create begins, because it has written
    /// something else already.
    @Test
    void a_claim_that_began_before_the_create_that_it_found_comes_after_it() throws Exception {
        try (Kernel other = fixture.test.anotherNode(options -> options)) {
            UUID made =
                    fixture.kernel()
                            .database()
                            .transaction(
                                    tx -> {
                                        var verbs = fixture.kernel().verbs();
                                        var draft = fixture.draft(Profiles.QUEUE);
                                        verbs.submit(
                                                tx, fixture.account, List.of(Submission.of(draft)));
                                        tx.flush();
                                        UUID id =
                                                id(
                                                        other.work()
                                                                .submit(
                                                                        Submission.of(
                                                                                fixture.draft(
                                                                                        Profiles
                                                                                                .TASKS))));
                                        var claimed =
                                                verbs.claim(
                                                        tx,
                                                        fixture.account,
                                                        Profiles.TASKS.queue(),
                                                        List.of(fixture.wish(Profiles.TASKS, 1)));
                                        assertThat(claimed.getFirst().items()).hasSize(1);
                                        return id;
                                    });
            for (Kernel node : List.of(fixture.kernel(), other)) {
                assertThat(log(node, 100))
                        .extracting(FeedEvent::workId, event -> event.entry().event())
                        .containsExactly(
                                tuple(made, WorkEvent.SUBMIT), tuple(made, WorkEvent.LEASE));
            }
        }
    }

    /// Every few transactions are held open while others overtake them.
    @Test
    void items_keep_their_order_when_transactions_overtake_each_other() throws Exception {
        int items = 24;
        try (Kernel other = fixture.test.anotherNode(options -> options)) {
            Parallel.run(
                    6,
                    i ->
                            () -> {
                                Kernel node = i % 2 == 0 ? fixture.kernel() : other;
                                for (int n = 0; n < items / 6; n++) {
                                    overtaken(node, i % 2 == 0 ? other : fixture.kernel());
                                    log(node, 3);
                                }
                                return null;
                            });
            List<FeedEvent> log = log(fixture.kernel(), 7);
            assertThat(log).hasSize(items * 4);
            assertEachItemInOrder(log);
            assertThat(log(other, 1000)).isEqualTo(log);
        }
    }

    /// Begins to write on one node, has the other make, hold and release an item, and then cancels
    /// it in the older transaction.
    private void overtaken(Kernel node, Kernel other) {
        node.database()
                .transaction(
                        tx -> {
                            var verbs = node.verbs();
                            var first = fixture.draft(Profiles.QUEUE);
                            verbs.submit(tx, fixture.account, List.of(Submission.of(first)));
                            tx.flush();
                            UUID id =
                                    id(
                                            other.work()
                                                    .submit(
                                                            Submission.of(
                                                                    fixture.draft(
                                                                            Profiles.TASKS))));
                            for (Command command :
                                    List.<Command>of(
                                            new Command.Hold("later"),
                                            new Command.Release(false))) {
                                other.work().command(fixture.order(Profiles.TASKS, id, command));
                            }
                            verbs.execute(
                                    tx,
                                    fixture.account,
                                    List.of(
                                            fixture.order(
                                                    Profiles.TASKS, id, new Command.Cancel())));
                            return null;
                        });
    }

    /// A sequencer that was stopped in the middle of its transaction keeps the lock of one account.
    @Test
    void a_log_whose_lock_is_kept_is_read_as_far_as_it_is_and_others_are_not_held_up()
            throws Exception {
        UUID first = fixture.submit(Profiles.TASKS);
        assertThat(log(fixture.kernel(), 10)).hasSize(1);
        UUID stranger = fixture.test.account();
        try (Kernel node = fixture.test.anotherNode(SequencerTest::impatient);
                Connection keeping = fixture.database().connect()) {
            keeping.setAutoCommit(false);
            try (var lock = keeping.createStatement()) {
                lock.execute("select 1 from event_log for update");
            }
            UUID second = fixture.submit(Profiles.TASKS);
            assertThat(log(node, 10)).extracting(FeedEvent::workId).containsExactly(first);
            EventFeed feed = node.events();
            assertThat(feed.ofItem(fixture.account, "tasks", second, EventCursor.START, 9).items())
                    .isEmpty();
            var theirs = new EventQuery(stranger, List.of("tasks"), null, null);
            node.work().submit(Submission.of(NewWork.of(stranger, Profiles.TASKS, "build", "{}")));
            assertThat(feed.read(theirs, EventCursor.START, 10).items()).hasSize(1);

            var woken = new CompletableFuture<Void>();
            try (var _ =
                    feed.follow(
                            fixture.account,
                            List.of("tasks"),
                            () -> {
                                if (log(node, 10).size() == 2) {
                                    woken.complete(null);
                                }
                            })) {
                keeping.rollback();
                woken.get(20, TimeUnit.SECONDS);
            }
            assertThat(log(node, 10)).extracting(FeedEvent::workId).containsExactly(first, second);
        }
    }

    private static KernelOptions impatient(KernelOptions options) {
        DatabaseOptions database = options.database();
        return options.withDatabase(
                database.withTimeouts(
                        database.statementTimeout(),
                        database.transactionTimeout(),
                        Duration.ofMillis(50)));
    }

    /// After a time in which nobody gave positions there is more than one pass takes.
    @Test
    void what_waits_for_positions_gets_them_in_bounded_parts() {
        UUID id = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        fixture.apply(Profiles.TASKS, id, new Command.Fail(Fence.NONE, "no", 0L, true));
        int rows = Sequencer.ROWS_AT_ONCE;
        fixture.database()
                .execute(
                        "insert into event_chunk (account_id, queue, tx_id, part, work_ids, seqs,"
                                + " sums, look_ms) select c.account_id, c.queue, n, 0, '{}', '{}',"
                                + " '[]', c.look_ms from event_chunk c, generate_series(1, "
                                + rows
                                + ") n order by c.number desc limit "
                                + rows);
        UUID last = fixture.submit(Profiles.TASKS);
        fixture.kernel().sequencer().place(fixture.account);
        assertThat(unplaced()).isPositive().isLessThan(rows);
        fixture.kernel().sequencer().place(fixture.account);
        assertThat(unplaced()).isZero();
        List<FeedEvent> log = log(fixture.kernel(), 100);
        assertEachItemInOrder(log);
        assertThat(log.getLast().workId()).isEqualTo(last);
        assertThat(
                        fixture.database()
                                .<Long>value(
                                        "select count(distinct position) - count(*) from"
                                                + " event_chunk"))
                .isZero();
    }

    private static UUID id(Submitted made) {
        return ((Submitted.Created) made).view().item().id();
    }

    private long unplaced() {
        return fixture.database().value("select count(*) from event_chunk where position = 0");
    }
}
