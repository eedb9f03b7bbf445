package io.orchestrion.kernel.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The log of an account: nothing lost, nothing twice, the same order for everybody.
@Timeout(180)
class EventFeedTest {
    private static final Executor EXECUTOR = Executors.newVirtualThreadPerTaskExecutor();

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private EventQuery all() {
        return new EventQuery(fixture.account, List.of("tasks"), null, null);
    }

    private EventPage read(EventCursor after, int limit) {
        return fixture.kernel().events().read(all(), after, limit);
    }

    /// Everything after the place, in pages of this size.
    private List<FeedEvent> rest(EventCursor after, int limit) {
        var events = new ArrayList<FeedEvent>();
        EventPage page = read(after, limit);
        events.addAll(page.items());
        while (page.more()) {
            page = read(page.next(), limit);
            events.addAll(page.items());
        }
        return events;
    }

    /// A transaction that has written and is held open until the future is completed.
    private final class Held {
        final CompletableFuture<Void> release = new CompletableFuture<>();
        final CompletableFuture<UUID> written = new CompletableFuture<>();
        final CompletableFuture<Void> done;

        Held() {
            done =
                    CompletableFuture.runAsync(
                            () ->
                                    fixture.kernel()
                                            .database()
                                            .transaction(
                                                    tx -> {
                                                        Submitted made =
                                                                fixture.kernel()
                                                                        .verbs()
                                                                        .submit(
                                                                                tx,
                                                                                fixture.account,
                                                                                List.of(
                                                                                        Submission
                                                                                                .of(
                                                                                                        fixture
                                                                                                                .draft(
                                                                                                                        Profiles
                                                                                                                                .TASKS))))
                                                                        .getFirst();
                                                        tx.flush();
                                                        written.complete(id(made));
                                                        release.join();
                                                        return null;
                                                    }),
                            EXECUTOR);
        }

        private static UUID id(Submitted made) {
            return ((Submitted.Created) made).view().item().id();
        }
    }

    /// L-009, eventuous-222: the transaction that began first commits last. It holds up nobody, and
    /// no cursor has moved past it: its events come after all that was read before.
    @Test
    void a_cursor_never_skips_a_row_that_committed_late() throws Exception {
        UUID before = fixture.submit(Profiles.TASKS);
        var late = new Held();
        UUID lateId = late.written.get(20, TimeUnit.SECONDS);
        UUID early = fixture.submit(Profiles.TASKS);

        EventPage between = read(EventCursor.START, 10);
        assertThat(between.items()).extracting(FeedEvent::workId).containsExactly(before, early);
        assertThat(between.more()).isFalse();
        EventPage still = read(between.next(), 10);
        assertThat(still.items()).isEmpty();
        assertThat(still.next()).isEqualTo(between.next());

        late.release.complete(null);
        late.done.get(20, TimeUnit.SECONDS);
        List<FeedEvent> after = rest(still.next(), 1);
        assertThat(after).extracting(FeedEvent::workId).containsExactly(lateId);
        assertThat(rest(after.getLast().cursor(), 10)).isEmpty();
    }

    @Test
    void one_that_gives_up_is_passed_over() throws Exception {
        var held = new Held();
        held.written.get(20, TimeUnit.SECONDS);
        UUID id = fixture.submit(Profiles.TASKS);
        held.release.completeExceptionally(new IllegalStateException("given up"));
        assertThat(held.done.handle((_, failure) -> failure != null).get()).isTrue();
        assertThat(rest(EventCursor.START, 10)).extracting(FeedEvent::workId).containsExactly(id);
    }

    /// P7: two nodes write while others read on both, and the log of each reader is that of
    /// everybody: each event once, those of an item in the order in which they happened.
    @Test
    void many_writers_and_those_who_follow_agree_on_one_order() throws Exception {
        int writers = 8;
        int each = 20;
        var done = new CompletableFuture<Void>();
        var readers = new ArrayList<CompletableFuture<List<FeedEvent>>>();
        try (Kernel other = fixture.test.anotherNode(options -> options)) {
            for (int i = 0; i < 4; i++) {
                EventFeed feed = (i % 2 == 0 ? fixture.kernel() : other).events();
                var random = new Random(i);
                readers.add(CompletableFuture.supplyAsync(() -> all(feed, random, done), EXECUTOR));
            }
            Parallel.run(
                    writers,
                    i ->
                            () -> {
                                for (int n = 0; n < each; n++) {
                                    work(i % 2 == 0 ? fixture.kernel() : other);
                                }
                                return null;
                            });
            done.complete(null);
            List<FeedEvent> log = rest(EventCursor.START, 1000);
            assertThat(log).hasSize(writers * each * 3);
            assertThat(new HashSet<>(log)).hasSameSizeAs(log);
            for (var reader : readers) {
                assertThat(reader.get(60, TimeUnit.SECONDS)).isEqualTo(log);
            }
            var seqs = new HashMap<UUID, Integer>();
            for (FeedEvent event : log) {
                assertThat(event.entry().seq())
                        .isEqualTo(seqs.merge(event.workId(), 1, Integer::sum));
            }
        }
    }

    /// Reads in small pages until everything is written and read.
    private List<FeedEvent> all(EventFeed feed, Random random, CompletableFuture<Void> done) {
        var events = new ArrayList<FeedEvent>();
        EventCursor at = EventCursor.START;
        boolean last;
        do {
            last = done.isDone();
            EventPage page = feed.read(all(), at, 1 + random.nextInt(7));
            events.addAll(page.items());
            at = page.next();
            last &= !page.more();
        } while (!last);
        return events;
    }

    private void work(Kernel node) {
        node.work().submit(Submission.of(fixture.draft(Profiles.TASKS)));
        WorkItem mine =
                node.work()
                        // A node may look for what another one made ready only every 30 s.
                        .claim(fixture.wish(Profiles.TASKS, 1), Duration.ofSeconds(90))
                        .items()
                        .getFirst()
                        .item();
        node.work()
                .command(
                        fixture.order(
                                Profiles.TASKS,
                                mine.id(),
                                new Command.Complete(Fence.of(mine.lease().token()), null, null)));
    }

    @Test
    void one_item_has_its_own_part_of_the_log() {
        UUID first = fixture.submit(Profiles.TASKS);
        fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS, 2);
        EventFeed feed = fixture.kernel().events();
        var query = new EventQuery(fixture.account, List.of("tasks"), first, null);
        EventPage page = feed.read(query, EventCursor.START, 1);
        assertThat(page.more()).isTrue();
        assertThat(page.items().getFirst().entry().event()).isEqualTo(WorkEvent.SUBMIT);
        EventPage next = feed.read(query, page.next(), 5);
        assertThat(next.items().getFirst().entry().event()).isEqualTo(WorkEvent.LEASE);
        assertThat(next.items()).hasSize(1);
        EventCursor start = EventCursor.START;
        assertThat(feed.ofItem(fixture.account, "tasks", first, start, 10).items()).hasSize(2);
        assertThat(feed.ofItem(fixture.account, "tasks", first, start, 1).more()).isTrue();
        assertThat(feed.ofItem(fixture.account, "jobs", first, start, 10).items()).isEmpty();
        assertThat(feed.ofItem(UUID.randomUUID(), "tasks", first, start, 10).items()).isEmpty();
    }

    @Test
    void other_queues_and_accounts_are_not_in_it() {
        fixture.submit(Profiles.QUEUE);
        UUID mine = fixture.submit(Profiles.TASKS);
        UUID other = fixture.test.account();
        assertThat(rest(EventCursor.START, 10)).extracting(FeedEvent::workId).containsExactly(mine);
        assertThat(
                        fixture.kernel()
                                .events()
                                .read(
                                        new EventQuery(other, List.of("tasks"), null, null),
                                        EventCursor.START,
                                        10)
                                .items())
                .isEmpty();
    }

    /// A page of what is rarely wanted moves on all the same, and says that there is more.
    @Test
    void what_is_not_wanted_is_gone_through_in_bounded_parts() {
        UUID first = fixture.submit(Profiles.TASKS);
        int rows = EventFeed.SCAN * EventFeed.SCANS_MAX;
        // As if others had been put on hold, of which one transaction told after the other.
        fixture.database()
                .execute(
                        "create temp table held as select w.* from work w, generate_series(2, "
                                + rows
                                + ");"
                                + " update held set id = gen_random_uuid(), history ="
                                + " replace(history, 'submit', 'hold');"
                                + " alter table work disable trigger user;"
                                + " insert into work select * from held;"
                                + " alter table work enable trigger user");
        fixture.database()
                .execute(
                        "insert into event_chunk (account_id, queue, tx_id, part, work_ids, seqs,"
                            + " sums, look_ms) select c.account_id, c.queue, c.tx_id, n.part,"
                            + " n.ids, n.seqs, '[]', c.look_ms from event_chunk c, (select part,"
                            + " array_agg(id) as ids, array_agg(1) as seqs from (select id, 1 +"
                            + " (row_number() over ())::int / 400 as part from work where history"
                            + " like '%hold%') as each group by part) n where c.part = 0");
        UUID last = fixture.submit(Profiles.TASKS);
        var submits =
                new EventQuery(
                        fixture.account,
                        List.of("tasks"),
                        null,
                        event -> ((FeedEvent) event).entry().event() == WorkEvent.SUBMIT);
        EventPage page = fixture.kernel().events().read(submits, EventCursor.START, 10);
        assertThat(page.items()).extracting(FeedEvent::workId).containsExactly(first);
        assertThat(page.more()).isTrue();
        EventPage next = fixture.kernel().events().read(submits, page.next(), 10);
        assertThat(next.items()).extracting(FeedEvent::workId).containsExactly(last);
        assertThat(next.more()).isFalse();
    }

    /// A cursor older than what is kept goes on with what there is.
    @Test
    void events_go_with_their_item_and_cursors_go_on() {
        UUID gone = fixture.submit(Profiles.TASKS);
        EventCursor old = read(EventCursor.START, 1).next();
        fixture.apply(Profiles.TASKS, gone, new Command.Cancel());
        fixture.advance(Duration.ofDays(4000));
        fixture.database().execute("update work set purge_after_ms = 1 where finished_ms > 0");
        fixture.sweep("purger");
        UUID kept = fixture.submit(Profiles.TASKS);
        assertThat(rest(old, 10)).extracting(FeedEvent::workId).containsExactly(kept);
        assertThat(rest(EventCursor.START, 10)).extracting(FeedEvent::workId).containsExactly(kept);
    }

    @Test
    void from_the_end_only_what_comes_is_read() {
        fixture.submit(Profiles.TASKS);
        EventCursor end = fixture.kernel().events().end(fixture.account);
        assertThat(rest(end, 10)).isEmpty();
        UUID next = fixture.submit(Profiles.TASKS);
        assertThat(rest(end, 10)).extracting(FeedEvent::workId).containsExactly(next);
    }

    /// After a failover that lost the last transactions a reader is ahead of the log.
    @Test
    void a_place_beyond_the_end_is_the_end() {
        fixture.submit(Profiles.TASKS);
        EventCursor end = fixture.kernel().events().end(fixture.account);
        var ahead = new EventCursor(end.position() + 1000, UUID.randomUUID(), 3);
        EventPage page = read(ahead, 10);
        assertThat(page.items()).isEmpty();
        assertThat(page.next().position()).isLessThan(ahead.position());
        UUID next = fixture.submit(Profiles.TASKS);
        assertThat(rest(page.next(), 10)).extracting(FeedEvent::workId).containsExactly(next);
    }

    @Test
    void a_follower_is_woken_by_a_commit_of_its_node_and_by_nothing_else() throws Exception {
        var wakes = new AtomicInteger();
        var woken = new CompletableFuture<Void>();
        EventFeed feed = fixture.kernel().events();
        UUID stranger = fixture.test.account();
        try (var follower =
                        feed.follow(fixture.account, List.of("tasks"), () -> woken.complete(null));
                var _ = feed.follow(stranger, List.of("tasks"), wakes::incrementAndGet)) {
            assertThat(follower.read(all(), EventCursor.START, 10).items()).isEmpty();
            UUID id = fixture.submit(Profiles.TASKS);
            woken.get(20, TimeUnit.SECONDS);
            assertThat(follower.read(all(), EventCursor.START, 10).items())
                    .extracting(FeedEvent::workId)
                    .containsExactly(id);
            assertThat(wakes).hasValue(0);
            assertThat(feed.following()).isEqualTo(2);
        }
        assertThat(feed.following()).isZero();
    }

    @Test
    void a_follower_hears_of_another_node_by_a_hint_and_without_one_by_looking() throws Exception {
        var never = Duration.ofHours(1);
        for (boolean hints : new boolean[] {true, false}) {
            var woken = new CompletableFuture<Void>();
            try (Kernel a = fixture.test.anotherNode(o -> o.withPace(never, never, hints));
                    Kernel b = fixture.test.anotherNode(o -> o.withPace(never, never, hints));
                    var _ =
                            a.events()
                                    .follow(
                                            fixture.account,
                                            List.of("tasks"),
                                            () -> woken.complete(null))) {
                a.start();
                b.start();
                b.work().submit(Submission.of(fixture.draft(Profiles.TASKS)));
                woken.get(20, TimeUnit.SECONDS);
            }
        }
    }

    /// As if nobody had read for long: rows of the log that have no position yet, more than one
    /// round of the sequencer places, of another queue and without an event.
    private void backlog(int rows) {
        long from = fixture.database().<Long>value("select count(*) from event_chunk");
        fixture.database()
                .execute(
                        "insert into event_chunk (account_id, queue, tx_id, part, work_ids, seqs,"
                                + " sums, look_ms) select '"
                                + fixture.account
                                + "', 'queue', "
                                + from
                                + " + n, 0, '{}', '{}', '[]', 0 from generate_series(1, "
                                + rows
                                + ") n");
    }

    @Test
    void a_backlog_without_positions_does_not_look_like_the_end_of_the_log() {
        UUID first = fixture.submit(Profiles.TASKS);
        backlog(3 * EventFeed.SCAN);
        UUID last = fixture.submit(Profiles.TASKS);
        EventPage page = read(EventCursor.START, 10);
        assertThat(page.items()).extracting(FeedEvent::workId).containsExactly(first, last);
        assertThat(page.more()).isFalse();
    }

    @Test
    void a_backlog_longer_than_one_page_places_is_said_to_have_more() {
        backlog((EventFeed.SCANS_MAX + 1) * EventFeed.SCAN);
        UUID last = fixture.submit(Profiles.TASKS);
        EventPage page = read(EventCursor.START, 10);
        assertThat(page.items()).isEmpty();
        assertThat(page.more()).isTrue();
        assertThat(rest(page.next(), 10)).extracting(FeedEvent::workId).containsExactly(last);
    }

    @Test
    void the_end_of_the_log_is_behind_all_that_was_committed_also_with_a_backlog() {
        backlog(3 * EventFeed.SCAN);
        UUID before = fixture.submit(Profiles.TASKS);
        EventFeed feed = fixture.kernel().events();
        EventCursor end = feed.end(fixture.account);
        assertThat(rest(end, 10)).isEmpty();
        assertThat(feed.ofItem(fixture.account, "tasks", before, EventCursor.START, 9).items())
                .hasSize(1);
        UUID next = fixture.submit(Profiles.TASKS);
        assertThat(rest(end, 10)).extracting(FeedEvent::workId).containsExactly(next);
    }

    @Test
    void one_item_and_a_new_receiver_are_behind_a_backlog_too() {
        backlog(2 * EventFeed.SCAN);
        UUID id = fixture.submit(Profiles.TASKS);
        assertThat(
                        fixture.kernel()
                                .events()
                                .ofItem(fixture.account, "tasks", id, EventCursor.START, 9)
                                .items())
                .hasSize(1);
        backlog(2 * EventFeed.SCAN);
        fixture.submit(Profiles.TASKS);
        var log = new LogReaders.Log(fixture.account, "tasks");
        long unused =
                fixture.kernel()
                        .database()
                        .transaction(tx -> LogReaders.follow(tx, fixture.account, "tasks"));
        assertThat(taken(log)).isEmpty();
        UUID next = fixture.submit(Profiles.TASKS);
        fixture.kernel().sequencer().place(fixture.account);
        assertThat(taken(log)).extracting(FeedEvent::workId).containsExactly(next);
    }

    private List<FeedEvent> taken(LogReaders.Log log) {
        return LogEvent.items(
                fixture.kernel()
                        .database()
                        .transaction(
                                tx -> Objects.requireNonNull(LogReaders.take(tx, log, false, 10))));
    }

    @Test
    void a_cursor_is_read_as_it_was_written_and_nothing_else_is_one() {
        var cursor = new EventCursor(1L << 40, UUID.randomUUID(), 17);
        assertThat(EventCursor.read(cursor.text())).isEqualTo(cursor);
        assertThat(EventCursor.read(EventCursor.START.text())).isEqualTo(EventCursor.START);
        for (String bad :
                List.of(
                        "",
                        "x",
                        "now",
                        cursor.text() + "A",
                        cursor.text().substring(1),
                        "C" + cursor.text().substring(1),
                        "-".repeat(cursor.text().length()),
                        "Ä".repeat(10))) {
            assertThat(EventCursor.read(bad)).as(bad).isNull();
        }
    }
}
