package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.EventQuery;
import io.orchestrion.kernel.events.EventsSql;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.history.HistoryEntry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The history of an item is a column of its row: lines that are added by whatever changes it.
class HistoryTest {
    private static final String EVENTS =
            "select account_id, work_id, queue, seq, at_ms, event, from_state, to_state, attempt,"
                    + " lease_number, holder, detail from work_event order by work_id, seq";

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<FeedEvent> feed() {
        return fixture.kernel()
                .events()
                .read(
                        new EventQuery(fixture.account, List.of("tasks"), null, null),
                        EventCursor.START,
                        100)
                .items();
    }

    private long count(String rows) {
        return fixture.database().<Long>value("select count(*) from " + rows);
    }

    /// Through the statements that put lines together in SQL, and through those that get them
    /// whole.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "\"quoted\"",
                "back\\slash\\n",
                "two\nlines\t\r",
                "@[,]",
                "ä€𝄞",
                "'"
            })
    void what_holders_are_called_and_say_comes_back_as_it_was(String words) {
        UUID id = fixture.submit(Profiles.TASKS);
        fixture.work()
                .claim(
                        new ClaimRequest(
                                fixture.account, "tasks", WorkFixture.KIND, 1, words, null, null),
                        Duration.ZERO);
        fixture.apply(Profiles.TASKS, id, new Command.Fail(Fence.NONE, words, 0L, true));
        fixture.advance(Duration.ofHours(1));
        fixture.work()
                .claim(
                        new ClaimRequest(
                                fixture.account, "tasks", WorkFixture.KIND, 1, words, null, null),
                        Duration.ZERO);
        fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, null, null));
        List<HistoryEntry> history = fixture.work().history(fixture.account, id);
        assertThat(history)
                .extracting(HistoryEntry::event)
                .containsExactly(
                        WorkEvent.SUBMIT,
                        WorkEvent.LEASE,
                        WorkEvent.FAIL,
                        WorkEvent.LEASE,
                        WorkEvent.COMPLETE);
        assertThat(history.subList(1, 5)).extracting(HistoryEntry::holder).containsOnly(words);
        assertThat(history.get(2).detail()).isEqualTo(words);
        assertThat(history).extracting(HistoryEntry::seq).containsExactly(1, 2, 3, 4, 5);
        assertThat(feed()).extracting(FeedEvent::entry).containsExactlyElementsOf(history);
    }

    @Test
    void where_an_item_is_and_was_is_read_from_its_history() {
        UUID id = fixture.submit(Profiles.TASKS);
        assertThat(fixture.item(Profiles.TASKS, id).place().stay().word()).isEqualTo("ready");
        assertThat(fixture.item(Profiles.TASKS, id).place().stay().before())
                .isEqualTo(TimeInState.NOWHERE);
        fixture.claim(Profiles.TASKS);
        WorkItem failed =
                fixture.apply(Profiles.TASKS, id, new Command.Fail(Fence.NONE, "no", 1000L, true));
        WorkItem read = fixture.item(Profiles.TASKS, id);
        for (WorkItem item : List.of(failed, read)) {
            assertThat(item.place().stay().word()).isEqualTo("backoff");
            assertThat(item.place().stay().sinceMs()).isEqualTo(item.place().eventMs());
            assertThat(item.place().stay().before())
                    .extracting(TimeInState::word)
                    .isEqualTo("running");
        }
        assertThat(TimeInState.of("")).isEqualTo(TimeInState.NOWHERE);
    }

    @Test
    void a_history_is_only_ever_added_to() {
        UUID id = fixture.submit(Profiles.TASKS);
        for (String changed : List.of("''", "replace(history, 'ready', 'waiting')")) {
            assertThatThrownBy(
                            () ->
                                    fixture.database()
                                            .execute(
                                                    "update work set history = "
                                                            + changed
                                                            + " where id = ?",
                                                    id))
                    .as(changed)
                    .hasStackTraceContaining("what the history of work tells stays");
        }
    }

    /// The guard here refuses everything, so that whoever it looks at is found out.
    @Test
    void what_was_decided_is_looked_at_row_by_row_and_the_lanes_own_statements_are_not() {
        UUID first = fixture.submit(Profiles.TASKS);
        fixture.database()
                .execute(
                        "create or replace function work_guard() returns trigger language plpgsql"
                                + " as $$ begin raise exception 'looked at' using errcode ="
                                + " 'check_violation'; end $$");
        UUID second = fixture.submit(Profiles.TASKS);
        assertThat(fixture.claim(Profiles.TASKS, 2)).hasSize(2);
        fixture.apply(Profiles.TASKS, first, new Command.Heartbeat(Fence.NONE));
        fixture.apply(Profiles.TASKS, first, new Command.Complete(Fence.NONE, "{}", null));
        for (Command decided :
                List.of(new Command.Fail(Fence.NONE, "no", null, true), new Command.Cancel(true))) {
            assertThatThrownBy(() -> fixture.command(Profiles.TASKS, second, decided))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("looked at");
        }
        assertThatThrownBy(() -> fixture.database().execute("update work set priority = 1"))
                .hasStackTraceContaining("looked at");
        assertThat(fixture.item(Profiles.TASKS, second).state()).isEqualTo(WorkState.RUNNING);
    }

    /// A row of the log goes when all its items are gone and it is counted, and not before.
    @Test
    void the_log_is_purged_behind_the_items() {
        UUID kept = fixture.submit(Profiles.TASKS);
        UUID gone = fixture.submit(Profiles.TASKS);
        fixture.apply(Profiles.TASKS, gone, new Command.Cancel());
        assertThat(count("event_chunk")).isEqualTo(3);
        fixture.advance(Duration.ofDays(2));
        assertThat(fixture.sweep("chunk-purger")).as("not counted yet").isZero();
        fixture.kernel().totals().read(Duration.ofSeconds(30));
        fixture.advance(Duration.ofDays(2));
        assertThat(fixture.sweep("chunk-purger")).as("its items are there").isZero();
        fixture.advance(Duration.ofDays(4000));
        fixture.sweep("purger");
        assertThat(count("work")).isEqualTo(1);
        assertThat(fixture.sweep("chunk-purger")).isEqualTo(2);
        assertThat(
                        fixture.database()
                                .<Boolean>value(
                                        "select bool_and(? = any(work_ids)) from event_chunk",
                                        kept))
                .isTrue();
        assertThat(feed()).extracting(FeedEvent::workId).containsExactly(kept);
        assertThat(fixture.sweep("chunk-purger")).as("looked at again later").isZero();
    }

    /// However long the log is, a page costs what is on it.
    @Test
    void a_page_of_the_log_is_read_along_its_index() throws Exception {
        fixture.submit(Profiles.TASKS);
        fixture.database()
                .execute(
                        "insert into event_chunk (account_id, queue, tx_id, part, position,"
                                + " work_ids, seqs, sums, look_ms) select c.account_id, c.queue, n,"
                                + " 0, c.position + n, c.work_ids, c.seqs, '[]', c.look_ms from"
                                + " event_chunk c, generate_series(1, 20000) n");
        fixture.database().execute("analyze event_chunk");
        var plan = new StringBuilder();
        try (Connection connection = fixture.database().connect();
                PreparedStatement explained =
                        connection.prepareStatement(
                                "explain (analyze, costs off, timing off) "
                                        + EventsSql.statements().texts().get("scan"))) {
            Object[] bound = {
                fixture.account, fixture.account, "tasks", 0L, 0L, new UUID(0, 0), 0, 50
            };
            for (int i = 0; i < bound.length; i++) {
                explained.setObject(i + 1, bound[i]);
            }
            try (ResultSet lines = explained.executeQuery()) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
        }
        Matcher read = Pattern.compile("on event_chunk c \\(actual rows=(\\d+)").matcher(plan);
        assertThat(read.find()).as(plan.toString()).isTrue();
        assertThat(Integer.parseInt(read.group(1))).as(plan.toString()).isLessThan(200);
    }

    /// The release before had a row for each event.
    @Test
    void the_histories_of_the_release_before_are_taken_over() throws Exception {
        UUID ended = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        fixture.apply(Profiles.TASKS, ended, new Command.Fail(Fence.NONE, "a \"b\"\nc", 0L, true));
        fixture.submit(Profiles.JOBS);
        fixture.kernel().totals().read(Duration.ofSeconds(30));
        List<Map<String, Object>> before = fixture.database().rows(EVENTS);
        List<FeedEvent> fed = feed();
        assertThat(fed).hasSize(3);
        for (String back :
                List.of(
                        "create table old_event as select e.account_id, e.work_id, e.seq, e.at_ms,"
                                + " e.event, e.from_state, e.to_state, e.attempt, e.lease_number,"
                                + " e.holder, e.detail, e.queue, c.position from work_event e join"
                                + " event_chunk c using (account_id, queue, tx_id)",
                        "drop view job_events, job_readable, item_event, item, work_event",
                        "alter table old_event rename to work_event",
                        "create view job_events as select * from work_event",
                        "create table old_fold as select account_id, queue, position,"
                                + " '00000000-0000-0000-0000-000000000000'::uuid as work_id, 0 as"
                                + " seq from event_fold",
                        "drop table event_fold, event_chunk, event_log",
                        "alter table old_fold rename to event_fold",
                        "update event_fold set position = 0",
                        "delete from event_total",
                        "alter table work drop column history, drop column error, drop column"
                                + " usage, drop column logs_ref, drop column correlation_id, drop"
                                + " column give_up_ms, drop column pause_requested",
                        "delete from schema_migration where name like 'V024%' or name"
                                + " like 'V026%' or name like 'V027%' or name like 'V033%'")) {
            fixture.database().execute(back);
        }
        try (var node = fixture.test.anotherNode(options -> options)) {
            node.migrate();
            assertThat(fixture.database().rows(EVENTS)).isEqualTo(before);
            assertThat(feed()).isEqualTo(fed);
            assertThat(
                            node.events()
                                    .ofItem(fixture.account, "tasks", ended, EventCursor.START, 10)
                                    .items())
                    .isEqualTo(fed);
            assertThat(
                            node.totals().read(Duration.ofSeconds(30)).stream()
                                    .mapToLong(t -> t.count())
                                    .sum())
                    .as("counted once")
                    .isEqualTo(before.size());
        }
        UUID next = fixture.submit(Profiles.TASKS);
        assertThat(feed().getLast().workId()).isEqualTo(next);
    }
}
