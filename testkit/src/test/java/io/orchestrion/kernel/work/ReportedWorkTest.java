package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.work.Documents.Reported;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// What holders say of an attempt beside its result, and what an item is a part of.
class ReportedWorkTest {
    private static final WorkError BUSY = new WorkError("rate_limited", 429, "too busy", 7, false);
    private static final String BUSY_JSON =
            "{\"code\":\"rate_limited\",\"http_status\":429,\"message\":\"too busy\","
                    + "\"retry_after_seconds\":7,\"partial_side_effect\":false}";

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID claimed() {
        UUID id = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        return id;
    }

    private Ack say(UUID id, Command command, boolean theLongWay) {
        return fixture.work()
                .command(new Order(fixture.account, Profiles.TASKS, id, command, theLongWay));
    }

    private Reported reported(UUID id) {
        return fixture.view(Profiles.TASKS, id).documents().reported();
    }

    private static Command.Fail fail(Report report, long delayMs) {
        return new Command.Fail(Fence.NONE, null, delayMs, true, report, null);
    }

    private List<FeedEvent> feed(UUID id) {
        return fixture.kernel()
                .events()
                .ofItem(fixture.account, "tasks", id, EventCursor.START, 20)
                .items();
    }

    /// The fast statement and the way that items with an owner take keep the same.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_completion_keeps_what_was_used_and_where_the_logs_are(boolean theLongWay) {
        UUID id = claimed();
        say(id, fail(Report.of(BUSY), 0), false);
        fixture.claim(Profiles.TASKS);
        var report = new Report(null, "{\"tokens\":12}", "s3://logs/1");
        say(id, new Command.Complete(Fence.NONE, "{}", null, report, null), theLongWay);
        assertThat(fixture.item(Profiles.TASKS, id).state()).isEqualTo(WorkState.SUCCEEDED);
        assertThat(reported(id))
                .isEqualTo(new Reported(BUSY_JSON, "{\"tokens\":12}", "s3://logs/1"));
    }

    @Test
    void a_completion_that_says_nothing_more_leaves_nothing_of_the_attempt_before() {
        UUID id = claimed();
        say(id, fail(new Report(BUSY, "{\"tokens\":1}", "old"), 0), false);
        fixture.claim(Profiles.TASKS);
        say(id, new Command.Complete(Fence.NONE, "{}", null), false);
        assertThat(reported(id)).isEqualTo(new Reported(BUSY_JSON, null, null));
    }

    @Test
    void a_failure_keeps_its_error_until_the_next_one() {
        UUID id = claimed();
        say(id, fail(new Report(BUSY, "{\"tokens\":3}", "s3://logs/2"), 0), false);
        assertThat(reported(id))
                .isEqualTo(new Reported(BUSY_JSON, "{\"tokens\":3}", "s3://logs/2"));
        assertThat(fixture.item(Profiles.TASKS, id).attempts().failure()).isEqualTo("too busy");
        fixture.claim(Profiles.TASKS);
        // At the very same time as the first.
        say(id, new Command.Fail(Fence.NONE, "for another reason", 0L, true), false);
        assertThat(reported(id)).isEqualTo(Reported.NOTHING);
        assertThat(fixture.item(Profiles.TASKS, id).attempts().failure())
                .isEqualTo("for another reason");
    }

    @Test
    void a_reason_of_its_own_goes_before_the_message_of_the_error() {
        UUID id = claimed();
        say(id, new Command.Fail(Fence.NONE, "so", 0L, true, Report.of(BUSY), null), false);
        assertThat(fixture.item(Profiles.TASKS, id).attempts().failure()).isEqualTo("so");
        assertThat(reported(id).error()).isEqualTo(BUSY_JSON);
    }

    @Test
    void what_the_kernel_found_has_a_code_as_well() {
        UUID id = claimed();
        fixture.advance(Duration.ofSeconds(301));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(reported(id).error()).startsWith("{\"code\":\"lease_expired\",\"message\":");
    }

    @Test
    void each_failure_is_in_the_history_with_its_own_error() {
        UUID id = claimed();
        say(id, fail(Report.of(BUSY), 0), false);
        fixture.claim(Profiles.TASKS);
        WorkError other = WorkError.of("broken", "a \"quoted\"\nline");
        say(id, fail(Report.of(other), 0), false);
        List<String> errors =
                fixture.work().history(fixture.account, id).stream()
                        .filter(entry -> entry.event() == WorkEvent.FAIL)
                        .map(HistoryEntry::error)
                        .toList();
        assertThat(errors).containsExactly(BUSY_JSON, other.json());
        assertThat(feed(id).stream().map(event -> event.entry().error()).filter(e -> e != null))
                .isEqualTo(errors);
    }

    @Test
    void the_correlation_id_is_with_the_item_and_with_each_of_its_events() {
        UUID id = fixture.submit(fixture.draft(Profiles.TASKS).correlated("order-7"));
        fixture.claim(Profiles.TASKS);
        say(id, new Command.Complete(Fence.NONE, "{}", null), false);
        assertThat(fixture.item(Profiles.TASKS, id).trail().correlationId()).isEqualTo("order-7");
        assertThat(feed(id)).hasSize(3).allMatch(event -> "order-7".equals(event.correlationId()));
    }

    @Test
    void what_is_out_of_bounds_is_nobodys_error() {
        for (String wrong : List.of("", "x".repeat(WorkError.CODE_MAX + 1))) {
            assertThatThrownBy(() -> WorkError.of(wrong, "m")).hasMessageContaining("code");
        }
        assertThatThrownBy(() -> WorkError.of("c", "")).hasMessageContaining("message");
        assertThatThrownBy(() -> new WorkError("c", 600, "m", null, null))
                .hasMessageContaining("httpStatus");
        assertThatThrownBy(() -> new WorkError("c", null, "m", -1, null))
                .hasMessageContaining("retryAfterSeconds");
        // Counted as the doors count: in characters, not in halves of them.
        assertThat(WorkError.of("c", "😀".repeat(WorkError.MESSAGE_MAX)).message()).isNotEmpty();
        assertThatThrownBy(
                        () -> new Command.Complete(Fence.NONE, null, null, Report.of(BUSY), null))
                .hasMessageContaining("no error");
    }
}
