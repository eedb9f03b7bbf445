package io.orchestrion.kernel.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkFixture;

import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

class OutboxTest {
    /// Remembers what it was handed, and can refuse one item.
    private static class Recording implements OutboxSubscriber {
        final List<OutboxMessage> heard = new ArrayList<>();
        final List<Long> transactions = new ArrayList<>();
        UUID refused;

        @Override
        public String topic() {
            return "recording";
        }

        @Override
        public boolean wants(Outbox.Notice notice) {
            return notice.profile().equals("tasks")
                    && (notice.event().equals("complete") || notice.event().equals("submit"));
        }

        @Override
        public void accept(Tx tx, OutboxMessage message) throws SQLException {
            if (message.workId().equals(refused)) {
                throw new IllegalStateException("refused");
            }
            try (var statement = tx.connection().createStatement();
                    var row = statement.executeQuery("select txid_current()")) {
                row.next();
                transactions.add(row.getLong(1));
            }
            heard.add(message);
        }
    }

    private final Recording recording = new Recording();

    private WorkFixture fixture() {
        return new WorkFixture(options -> options.withSubscribers(List.of(recording)));
    }

    private static long messages(WorkFixture fixture) {
        return fixture.database().value("select count(*) from outbox");
    }

    @Test
    void a_subscriber_gets_what_it_wants_in_order_in_a_transaction_and_once() {
        try (var fixture = fixture()) {
            UUID id = fixture.submit(Profiles.TASKS);
            fixture.submit(Profiles.JOBS);
            fixture.claim(Profiles.TASKS);
            fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, null, null));
            assertThat(fixture.sweep("outbox-relay")).isEqualTo(2);
            assertThat(recording.heard)
                    .extracting(OutboxMessage::workId, OutboxMessage::eventSeq)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(id, 1),
                            org.assertj.core.groups.Tuple.tuple(id, 3));
            assertThat(recording.transactions).allMatch(xid -> xid > 0);
            assertThat(messages(fixture)).isZero();
            assertThat(fixture.sweep("outbox-relay")).isZero();
        }
    }

    @Test
    void a_refused_message_is_put_off_longer_each_time_and_holds_up_no_other() {
        try (var fixture = fixture()) {
            recording.refused = fixture.submit(Profiles.TASKS);
            UUID other = fixture.submit(Profiles.TASKS);
            assertThat(fixture.sweep("outbox-relay")).isEqualTo(1);
            assertThat(recording.heard).extracting(OutboxMessage::workId).containsExactly(other);
            assertThat(fixture.sweep("outbox-relay")).isZero();
            for (int tries = 1; tries <= 8; tries++) {
                long wait = fixture.database().value("select next_ms - created_ms from outbox");
                assertThat((int) fixture.database().value("select tries from outbox"))
                        .isEqualTo(tries);
                assertThat(wait).isGreaterThanOrEqualTo(1000);
                fixture.advance(Duration.ofSeconds(Math.min(60, 1L << (tries - 1)) + 1));
                assertThat(fixture.sweep("outbox-relay")).isZero();
            }
            recording.refused = null;
            fixture.advance(Duration.ofSeconds(61));
            assertThat(fixture.sweep("outbox-relay")).isEqualTo(1);
        }
    }

    @Test
    void a_crash_between_handing_over_and_commit_hands_over_again() {
        try (var fixture = fixture()) {
            UUID id = fixture.submit(Profiles.TASKS);
            var commits = new AtomicInteger();
            fixture.test
                    .failpoints()
                    .arm(
                            "pool.before-commit",
                            () -> {
                                // The look for accounts passes, everything after it breaks.
                                if (commits.incrementAndGet() > 1) {
                                    throw new Failpoints.Injected("pool.before-commit");
                                }
                            });
            assertThatThrownBy(() -> fixture.sweep("outbox-relay"))
                    .isInstanceOf(Failpoints.Injected.class);
            assertThat(recording.heard).isNotEmpty();
            assertThat(messages(fixture)).isEqualTo(1);
            fixture.test.failpoints().disarm("pool.before-commit");
            recording.heard.clear();
            assertThat(fixture.sweep("outbox-relay")).isEqualTo(1);
            assertThat(recording.heard).extracting(OutboxMessage::workId).containsExactly(id);
        }
    }

    @Test
    void where_nobody_subscribes_nothing_is_written() {
        try (var fixture = new WorkFixture()) {
            UUID id = fixture.submit(Profiles.TASKS);
            fixture.claim(Profiles.TASKS);
            fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, null, null));
            assertThat(messages(fixture)).isZero();
            assertThat(fixture.sweep("outbox-relay")).isZero();
        }
    }

    @Test
    void two_subscribers_of_one_topic_are_refused() {
        assertThatThrownBy(() -> new Outbox(List.of(recording, new Recording())))
                .hasMessageContaining("given twice");
    }
}
