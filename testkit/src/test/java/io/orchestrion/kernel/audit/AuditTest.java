package io.orchestrion.kernel.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

class AuditTest {
    private final TestKernel test = new TestKernel();
    private final Registration made = test.kernel().identity().register("keeper");
    private final UUID account = made.accountId();
    private final Audit audit = test.kernel().audit();

    @AfterEach
    void close() {
        test.close();
    }

    private void write(Tx tx, String action) throws SQLException {
        Audit.write(
                tx,
                account,
                Actor.key(made.keyId()),
                action,
                new Subject("thing", "1"),
                Detail.none().text("why", "\"quoted\" \\ ü").text("none", null).number("n", 7));
    }

    private void write(String action) {
        test.kernel()
                .database()
                .transaction(
                        tx -> {
                            write(tx, action);
                            return null;
                        });
    }

    @Test
    void an_entry_says_who_did_what_to_what_and_when() {
        write("thing.done");
        AuditEntry entry = audit.oldestFirst(account, 1, 10).getFirst();
        assertThat(entry.seq()).isEqualTo(2);
        assertThat(entry.actor()).isEqualTo(Actor.key(made.keyId()));
        assertThat(entry.actorName()).isEqualTo("keeper");
        assertThat(entry.action()).isEqualTo("thing.done");
        assertThat(entry.subject()).isEqualTo(new Subject("thing", "1"));
        assertThat(entry.detail()).isEqualTo("{\"n\": 7, \"why\": \"\\\"quoted\\\" \\\\ ü\"}");
        assertThat(entry.atMs()).isGreaterThanOrEqualTo(made.createdMs());
        AuditEntry first = audit.oldestFirst(account, 0, 10).getFirst();
        assertThat(first.action()).isEqualTo("key.created");
        assertThat(first.actor()).isEqualTo(Actor.server());
        assertThat(first.actorName()).isNull();
    }

    /// There are both or neither.
    @Test
    void an_entry_goes_with_the_change_that_it_tells_of() {
        assertThatThrownBy(
                        () ->
                                test.kernel()
                                        .database()
                                        .transaction(
                                                tx -> {
                                                    write(tx, "thing.undone");
                                                    throw new IllegalStateException("after all");
                                                }))
                .hasMessage("after all");
        write("thing.done");
        assertThat(audit.oldestFirst(account, 0, 10))
                .extracting(AuditEntry::seq, AuditEntry::action)
                .containsExactly(tuple(1L, "key.created"), tuple(2L, "thing.done"));
    }

    /// Who follows the log while many write to it sees every entry, in its order, once.
    @Test
    void a_follower_misses_nothing_that_others_write_at_the_same_time() {
        int writers = 6;
        int each = 20;
        var over = new AtomicBoolean();
        var seen = new ArrayList<Long>();
        Thread follower =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    boolean last = false;
                                    while (!last) {
                                        last = over.get();
                                        long after = seen.isEmpty() ? 0 : seen.getLast();
                                        audit.oldestFirst(account, after, 1000)
                                                .forEach(entry -> seen.add(entry.seq()));
                                    }
                                });
        Parallel.run(
                writers,
                _ ->
                        () -> {
                            for (int i = 0; i < each; i++) {
                                write("thing.done");
                            }
                            return null;
                        });
        over.set(true);
        try {
            follower.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(seen)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 1 + writers * each).boxed().toList());
        List<Long> times =
                audit.oldestFirst(account, 0, 1000).stream().map(AuditEntry::atMs).toList();
        assertThat(times).isSorted();
    }

    @Test
    void pages_go_either_way() {
        for (int i = 0; i < 4; i++) {
            write("thing.done");
        }
        assertThat(audit.oldestFirst(account, 2, 2))
                .extracting(AuditEntry::seq)
                .containsExactly(3L, 4L);
        assertThat(audit.newestFirst(account, Audit.LAST, 2))
                .extracting(AuditEntry::seq)
                .containsExactly(5L, 4L);
        assertThat(audit.newestFirst(account, 4, 10))
                .extracting(AuditEntry::seq)
                .containsExactly(3L, 2L, 1L);
        UUID other = test.account();
        assertThat(audit.oldestFirst(other, 0, 10)).hasSize(1);
    }

    /// No API and no slip changes what is written: the database itself refuses.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update audit set action = 'x'",
                "update audit set detail = '{}'",
                "delete from audit",
                "truncate audit"
            })
    void an_entry_is_never_changed_or_removed(String sql) {
        assertThatThrownBy(() -> test.database().tryExecute(sql))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("never changed or removed");
        assertThat(audit.oldestFirst(account, 0, 10)).hasSize(1);
    }

    @Test
    void entries_are_kept_for_four_hundred_days() {
        test.clock().advance(AuditPurger.KEPT.minusHours(1));
        assertThat(test.kernel().sweepOnce("audit-purger")).isZero();
        write("thing.done");
        test.clock().advance(Duration.ofHours(2));
        assertThat(test.kernel().sweepOnce("audit-purger")).isEqualTo(1);
        assertThat(audit.oldestFirst(account, 0, 10))
                .extracting(AuditEntry::action)
                .containsExactly("thing.done");
        write("thing.done");
        assertThat(audit.newestFirst(account, Audit.LAST, 1).getFirst().seq())
                .as("numbers are never given twice")
                .isEqualTo(3);
    }
}
