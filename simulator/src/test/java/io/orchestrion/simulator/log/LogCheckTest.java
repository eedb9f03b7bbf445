package io.orchestrion.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The check finds each way in which a log can be wrong.
class LogCheckTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID TWO = new UUID(0, 2);
    private static final Map<UUID, String> ENDS = Map.of(ONE, "completed", TWO, "pending");

    private static List<Entry> right() {
        return new ArrayList<>(
                List.of(
                        new Entry("a", ONE, "created", null, "pending", 0),
                        new Entry("b", TWO, "created", null, "pending", 0),
                        new Entry("c", ONE, "claimed", "pending", "claimed", 1),
                        new Entry("d", ONE, "failed", "claimed", "pending", 1),
                        new Entry("e", ONE, "claimed", "pending", "claimed", 2),
                        new Entry("f", ONE, "completed", "claimed", "completed", 2)));
    }

    private static List<String> violations(List<Entry> log) {
        return LogCheck.violations(log, List.of(ids(log)), ENDS);
    }

    private static List<String> ids(List<Entry> log) {
        return log.stream().map(Entry::id).toList();
    }

    @Test
    void a_right_log_has_nothing_to_tell_of() {
        assertThat(violations(right())).isEmpty();
    }

    @Test
    void any_two_events_of_a_task_that_changed_places_are_found() {
        for (int i : new int[] {2, 3, 4}) {
            List<Entry> log = right();
            Collections.swap(log, i, i + 1);
            assertThat(violations(log)).as("places %d and %d", i, i + 1).isNotEmpty();
        }
    }

    @Test
    void any_event_that_is_missing_is_found() {
        for (int i = 0; i < right().size(); i++) {
            List<Entry> log = right();
            log.remove(i);
            assertThat(violations(log)).as("without %d", i).isNotEmpty();
        }
    }

    @Test
    void an_event_that_is_told_twice_is_found() {
        for (int i = 0; i < right().size(); i++) {
            List<Entry> log = right();
            log.add(i + 1, log.get(i));
            assertThat(violations(log)).as("%d twice", i).isNotEmpty();
        }
    }

    @Test
    void a_reader_that_saw_something_else_is_found() {
        List<Entry> log = right();
        List<String> missed = new ArrayList<>(ids(log));
        missed.remove(1);
        List<String> swapped = new ArrayList<>(ids(log));
        Collections.swap(swapped, 0, 1);
        for (List<String> seen : List.of(missed, swapped, List.<String>of())) {
            assertThat(LogCheck.violations(log, List.of(ids(log), seen), ENDS)).hasSize(1);
        }
    }
}
