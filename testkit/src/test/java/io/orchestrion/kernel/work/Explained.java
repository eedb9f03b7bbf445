package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.lifecycle.TransitionTable;
import io.orchestrion.testkit.TestDatabase;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Checks every item of a database against its own history: K-09's "a state of 7.1, with events
/// that explain it and, if final, its outcome".
public final class Explained {
    private Explained() {}

    /// Items of the checked tests always end with a result, so a success without one is a loss.
    public static void assertAll(TestDatabase database) {
        Map<Object, List<Map<String, Object>>> events =
                database.rows("select * from work_event order by work_id, seq").stream()
                        .collect(Collectors.groupingBy(row -> row.get("work_id")));
        List<Map<String, Object>> items = database.rows("select * from work");
        for (Map<String, Object> item : items) {
            assertThat(events).containsKey(item.get("id"));
            assertOne(item, events.get(item.get("id")));
        }
        assertThat(events).as("histories without an item").hasSize(items.size());
        assertNone(
                database,
                "work w where (w.state = 'succeeded') <>"
                        + " (w.result is not null or w.output_ref is not null)");
    }

    private static void assertNone(TestDatabase database, String from) {
        assertThat((Long) database.value("select count(*) from " + from)).as(from).isZero();
    }

    private static void assertOne(Map<String, Object> item, List<Map<String, Object>> history) {
        TransitionTable<WorkState, WorkEvent> table =
                Profiles.named((String) item.get("profile")).lifecycle();
        Supplier<String> what = () -> item + " after " + history;
        assertThat(history.getFirst().get("event")).as(what).isEqualTo("submit");
        for (int i = 0; i < history.size(); i++) {
            Map<String, Object> event = history.get(i);
            assertThat(event.get("seq")).as(what).isEqualTo(i + 1);
            if (i > 0) {
                Map<String, Object> before = history.get(i - 1);
                assertThat((Long) event.get("at_ms"))
                        .as(what)
                        .isGreaterThan((Long) before.get("at_ms"));
                assertThat(event.get("from_state")).as(what).isEqualTo(before.get("to_state"));
                assertThat(
                                table.allows(
                                        WorkState.of((String) event.get("from_state")),
                                        WorkEvent.of((String) event.get("event")),
                                        WorkState.of((String) event.get("to_state"))))
                        .as(what)
                        .isTrue();
            }
        }
        Map<String, Object> last = history.getLast();
        assertThat(last.get("to_state")).as(what).isEqualTo(item.get("state"));
        assertThat(last.get("seq")).as(what).isEqualTo(item.get("event_seq"));
        assertThat(last.get("lease_number")).as(what).isEqualTo(item.get("lease_number"));
    }

    /// How often the history of the item says this of the given lease.
    public static long count(TestDatabase database, UUID id, String event, long lease) {
        return database.value(
                "select count(*) from work_event where work_id = ? and event = ? and"
                        + " lease_number = ?",
                id,
                event,
                lease);
    }
}
