package io.orchestrion.kernel.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// What engines tell of their own subjects stands in the same log as what happens to items.
@Timeout(180)
class SubjectEventsTest {
    private static final SubjectKind EXECUTION =
            new SubjectKind(
                    "execution",
                    "engine",
                    List.of("started", "moved", "ended"),
                    List.of("running", "done"));
    private static final SubjectKind APPROVAL =
            new SubjectKind("approval", "engine", List.of("asked"), List.of());

    private final WorkFixture fixture =
            new WorkFixture(options -> options.withSubjects(List.of(EXECUTION, APPROVAL)));

    @BeforeEach
    void makeTable() {
        fixture.database().execute("create table sample (id uuid primary key, seq int not null)");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private EventQuery both() {
        return new EventQuery(fixture.account, List.of("tasks", "engine"), null, null);
    }

    private static SubjectEvent started(UUID id, int seq) {
        return SubjectEvent.of("execution", id, seq, "started", null, "running");
    }

    private void append(SubjectEvent... events) {
        append(fixture.kernel(), events);
    }

    private void append(Kernel node, SubjectEvent... events) {
        node.database()
                .transaction(
                        tx -> {
                            node.subjects().append(tx, fixture.account, List.of(events));
                            return null;
                        });
    }

    private List<LogEvent> rest(Kernel node, EventQuery query, EventCursor after, int limit) {
        var events = new ArrayList<LogEvent>();
        EventPage page = node.events().read(query, after, limit);
        events.addAll(page.events());
        while (page.more()) {
            page = node.events().read(query, page.next(), limit);
            events.addAll(page.events());
        }
        return events;
    }

    @Test
    void a_subject_and_an_item_are_in_one_log_in_the_order_of_their_commits() {
        UUID execution = UUID.randomUUID();
        UUID before = fixture.submit(Profiles.TASKS);
        append(started(execution, 1).with("{\"n\": 1}", "order-7"));
        UUID between = fixture.submit(Profiles.TASKS);
        append(
                SubjectEvent.of("execution", execution, 2, "ended", "running", "done").after(70),
                SubjectEvent.of("approval", UUID.randomUUID(), 1, "asked", null, null));

        for (int limit : List.of(1, 2, 100)) {
            List<LogEvent> log = rest(fixture.kernel(), both(), EventCursor.START, limit);
            assertThat(log)
                    .filteredOn(
                            event ->
                                    !(event instanceof SubjectLine line
                                            && line.event().kind().equals("approval")))
                    .extracting(LogEvent::subjectId, LogEvent::seq)
                    .containsExactly(
                            tuple(before, 1),
                            tuple(execution, 1),
                            tuple(between, 1),
                            tuple(execution, 2));
            assertThat(log).hasSize(5);
        }
        SubjectLine first =
                LogEvent.subjects(
                                rest(
                                        fixture.kernel(),
                                        new EventQuery(
                                                fixture.account, List.of("engine"), null, null),
                                        EventCursor.START,
                                        10))
                        .getFirst();
        assertThat(first.event()).isEqualTo(started(execution, 1).with("{\"n\": 1}", "order-7"));
        assertThat(fixture.kernel().subjects().of(fixture.account, execution, 0, 10))
                .extracting(line -> line.event().event())
                .containsExactly("started", "ended");
        assertThat(fixture.kernel().subjects().of(fixture.account, execution, 1, 10)).hasSize(1);
        assertThat(
                        rest(
                                fixture.kernel(),
                                EventQuery.ofItems(fixture.account, "tasks"),
                                EventCursor.START,
                                10))
                .as("who does not ask")
                .extracting(LogEvent::subjectId)
                .containsExactly(before, between);
    }

    @Test
    void what_is_rolled_back_or_numbered_twice_was_never_told() {
        UUID execution = UUID.randomUUID();
        append(started(execution, 1));
        assertThatThrownBy(() -> append(started(execution, 2), started(execution, 1)))
                .isInstanceOf(StoreException.class);
        assertThat(rest(fixture.kernel(), both(), EventCursor.START, 10)).hasSize(1);
    }

    @Test
    void only_words_of_the_catalogue_and_bounded_data_are_taken() {
        UUID id = UUID.randomUUID();
        for (SubjectEvent wrong :
                List.of(
                        SubjectEvent.of("run", id, 1, "started", null, null),
                        SubjectEvent.of("execution", id, 1, "exploded", null, null),
                        SubjectEvent.of("execution", id, 1, "moved", "running", "gone"),
                        SubjectEvent.of("approval", id, 1, "asked", "running", null))) {
            assertThatThrownBy(() -> append(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> started(id, 0)).isInstanceOf(IllegalArgumentException.class);
        String large = "{\"a\":\"" + "x".repeat(SubjectEvent.DATA_MAX_BYTES) + "\"}";
        assertThatThrownBy(() -> started(id, 1).with(large, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> started(id, 1).with(null, "x".repeat(201)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Subjects(List.of(EXECUTION, EXECUTION)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new Subjects(
                                        List.of(
                                                new SubjectKind(
                                                        "x", "tasks", List.of(), List.of()))))
                .hasMessageContaining("that of items");
        assertThat(rest(fixture.kernel(), both(), EventCursor.START, 10)).isEmpty();
    }

    @Test
    void subjects_are_counted_once_by_kind_and_event() throws Exception {
        UUID id = UUID.randomUUID();
        append(started(id, 1));
        append(SubjectEvent.of("execution", id, 2, "ended", "running", "done").after(70));
        append(started(UUID.randomUUID(), 1));
        try (Kernel other = fixture.test.anotherNode(o -> o.withSubjects(List.of(EXECUTION)))) {
            List<Total> first = fixture.kernel().totals().read(Duration.ofSeconds(20));
            assertThat(other.totals().read(Duration.ofSeconds(20))).isEqualTo(first);
            assertThat(first)
                    .filteredOn(total -> total.queue().equals("engine"))
                    .extracting(Total::kind, Total::event, Total::to, Total::count, Total::millis)
                    .containsExactlyInAnyOrder(
                            tuple("execution", "started", "running", 2L, 0L),
                            tuple("execution", "ended", "done", 1L, 70L));
        }
    }

    @Test
    void lines_go_when_their_subject_is_removed_and_not_before() {
        UUID id = UUID.randomUUID();
        append(started(id, 1));
        fixture.kernel().totals().read(Duration.ofSeconds(20));
        fixture.advance(Duration.ofDays(2));
        fixture.sweep("chunk-purger");
        assertThat(rest(fixture.kernel(), both(), EventCursor.START, 10)).hasSize(1);
        fixture.kernel()
                .database()
                .transaction(
                        tx -> {
                            fixture.kernel().subjects().remove(tx, fixture.account, List.of(id));
                            return null;
                        });
        assertThat(rest(fixture.kernel(), both(), EventCursor.START, 10)).isEmpty();
        fixture.advance(Duration.ofDays(2));
        fixture.sweep("chunk-purger");
        assertThat(fixture.database().<Long>value("select count(*) from event_chunk")).isZero();
    }

    /// Two nodes move the same few subjects on, each under the subject's lock and now and then
    /// together with an item, while a reader on each node reads on from where it was.
    @Test
    void subjects_keep_their_order_for_readers_that_resume_while_two_nodes_write()
            throws Exception {
        long seed = new Random().nextLong();
        System.out.println("SubjectEventsTest seed " + seed);
        int rounds = 40;
        List<UUID> subjects = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            UUID id = UUID.randomUUID();
            subjects.add(id);
            fixture.database().execute("insert into sample values ('" + id + "', 0)");
        }
        var writing = new AtomicInteger(4);
        var logs = new ArrayList<List<LogEvent>>();
        try (Kernel other =
                fixture.test.anotherNode(o -> o.withSubjects(List.of(EXECUTION, APPROVAL)))) {
            List<Kernel> nodes = List.of(fixture.kernel(), other);
            List<List<LogEvent>> read =
                    Parallel.run(
                            6,
                            i ->
                                    () -> {
                                        var random = new Random(seed + i);
                                        Kernel node = nodes.get(i % 2);
                                        if (i >= 4) {
                                            return follow(node, random, writing);
                                        }
                                        try {
                                            for (int n = 0; n < rounds; n++) {
                                                move(node, subjects, random);
                                            }
                                        } finally {
                                            writing.decrementAndGet();
                                        }
                                        return List.of();
                                    });
            logs.add(read.get(4));
            logs.add(read.get(5));
            logs.add(rest(other, both(), EventCursor.START, 7));
        }
        for (List<LogEvent> log : logs) {
            assertThat(log).as("seed %d", seed).isEqualTo(logs.getLast());
        }
        var seqs = new HashMap<UUID, Integer>();
        for (LogEvent event : logs.getLast()) {
            assertThat(event.seq())
                    .as("seed %d: event of %s", seed, event.subjectId())
                    .isEqualTo(seqs.merge(event.subjectId(), 1, Integer::sum));
        }
        assertThat(subjects.stream().mapToInt(id -> seqs.getOrDefault(id, 0)).sum())
                .isEqualTo(4 * rounds);
    }

    private void move(Kernel node, List<UUID> subjects, Random random) {
        UUID id = subjects.get(random.nextInt(subjects.size()));
        boolean withItem = random.nextInt(3) == 0;
        node.database()
                .transaction(
                        tx -> {
                            int seq = next(tx, id);
                            if (withItem) {
                                node.verbs()
                                        .submit(
                                                tx,
                                                fixture.account,
                                                List.of(
                                                        io.orchestrion.kernel.work.Submission.of(
                                                                fixture.draft(Profiles.TASKS))));
                            }
                            node.subjects()
                                    .append(
                                            tx,
                                            fixture.account,
                                            List.of(
                                                    SubjectEvent.of(
                                                            "execution",
                                                            id,
                                                            seq,
                                                            "moved",
                                                            "running",
                                                            "running")));
                            return null;
                        });
    }

    private static int next(Tx tx, UUID id) throws SQLException {
        try (var update =
                tx.connection()
                        .prepareStatement(
                                "update sample set seq = seq + 1 where id = ? returning seq")) {
            update.setObject(1, id);
            try (var row = update.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /// Reads on until the writers are done, and then once more to the end.
    private List<LogEvent> follow(Kernel node, Random random, AtomicInteger writing) {
        var events = new ArrayList<LogEvent>();
        EventCursor at = EventCursor.START;
        boolean last = false;
        while (true) {
            boolean done = writing.get() == 0;
            EventPage page = node.events().read(both(), at, 1 + random.nextInt(9));
            events.addAll(page.events());
            at = page.next();
            if (last && !page.more()) {
                return events;
            }
            last = done;
        }
    }
}
