package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Statements that are said with the next one, and times that are counted on.
class LaterTest {
    private static final NamedSql SQL = NamedSql.beside(LaterTest.class, "later.sql");

    private final TestKernel test = new TestKernel();
    private final Database database = test.kernel().database();

    @BeforeEach
    void make() {
        database.transaction(tx -> SQL.on(tx, "make").update());
    }

    @AfterEach
    void close() {
        test.close();
    }

    private static Bound add(Tx tx, Integer... numbers) {
        return SQL.on(tx, "add").column("numbers", "int4", Arrays.asList(numbers), n -> n);
    }

    private static List<Integer> all(Tx tx) throws SQLException {
        return SQL.on(tx, "all").list(row -> row.getInt(1));
    }

    private List<Integer> stored() {
        return database.transaction(LaterTest::all);
    }

    @Test
    void what_is_said_later_is_said_before_the_next_statement_and_in_order() {
        database.transaction(
                tx -> {
                    add(tx, 1, 2).later();
                    add(tx, 3).later(1, "one");
                    assertThat(all(tx)).containsExactly(1, 2, 3);
                    add(tx, 4).later();
                    assertThat(add(tx, 5, 6).update()).isEqualTo(2);
                    return null;
                });
        assertThat(stored()).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void what_nothing_follows_is_said_before_the_commit() {
        database.transaction(
                tx -> {
                    add(tx, 1).later();
                    add(tx, 2).later(1, "one");
                    return null;
                });
        assertThat(stored()).containsExactly(1, 2);
    }

    @Test
    void however_much_waits_all_of_it_is_said() {
        for (int count = 1; count <= 10; count++) {
            int most = count;
            List<Integer> numbers = IntStream.rangeClosed(1, most).boxed().toList();
            database.transaction(
                    tx -> {
                        numbers.forEach(n -> add(tx, most * 100 + n).later(1, "one"));
                        return null;
                    });
            assertThat(stored())
                    .endsWith(numbers.stream().map(n -> most * 100 + n).toArray(Integer[]::new));
        }
        assertThat(stored()).hasSize(55);
    }

    @Test
    void a_raw_connection_finds_everything_said() {
        database.transaction(
                tx -> {
                    add(tx, 1).later();
                    try (var statement = tx.connection().createStatement();
                            var rows = statement.executeQuery("select count(*) from said")) {
                        rows.next();
                        assertThat(rows.getInt(1)).isEqualTo(1);
                    }
                    return null;
                });
    }

    @Test
    void what_a_raw_connection_said_first_goes_with_its_transaction() {
        for (boolean fails : new boolean[] {true, false}) {
            assertThatThrownBy(
                            () ->
                                    database.transaction(
                                            tx -> {
                                                try (var raw = tx.connection().createStatement()) {
                                                    raw.execute(
                                                            "insert into said select "
                                                                    + (fails ? "1 / 0" : "1"));
                                                }
                                                throw new IllegalStateException("enough");
                                            }))
                    .isInstanceOf(RuntimeException.class);
        }
        assertThat(stored()).isEmpty();
    }

    @Test
    void other_than_the_wanted_rows_leave_nothing_behind() {
        for (boolean followed : new boolean[] {true, false}) {
            assertThatThrownBy(
                            () ->
                                    database.transaction(
                                            tx -> {
                                                add(tx, 1).later();
                                                add(tx, 2, 3).later(1, "there were two");
                                                return followed ? all(tx) : null;
                                            }))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("there were two");
        }
        assertThat(stored()).isEmpty();
    }

    private static void addAllOrNone(Tx tx, boolean go, Integer... numbers) {
        SQL.on(tx, "add_all_or_none")
                .column("numbers", "int4", Arrays.asList(numbers), n -> n)
                .bool("go", go)
                .laterAllOrNone(numbers.length, "none was written");
    }

    @Test
    void one_that_writes_all_or_none_is_said_with_the_commit_and_what_follows_it() {
        database.transaction(
                tx -> {
                    addAllOrNone(tx, true, 1, 2);
                    add(tx, 3).later();
                    tx.flushBeforeCommit();
                    assertThat(tx.hasBegun()).isFalse();
                    return null;
                });
        assertThat(stored()).containsExactly(1, 2, 3);
    }

    @Test
    void one_that_wrote_none_is_found_out_after_the_commit_of_nothing() {
        assertThatThrownBy(
                        () ->
                                database.transaction(
                                        tx -> {
                                            addAllOrNone(tx, false, 1, 2);
                                            return null;
                                        }))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED))
                .hasMessage("none was written");
        assertThat(stored()).isEmpty();
    }

    @Test
    void one_that_wrote_none_takes_with_it_what_was_said_before_it() {
        for (boolean said : new boolean[] {true, false}) {
            assertThatThrownBy(
                            () ->
                                    database.transaction(
                                            tx -> {
                                                if (said) {
                                                    add(tx, 1).update();
                                                } else {
                                                    addAllOrNone(tx, true, 1);
                                                }
                                                addAllOrNone(tx, false, 2);
                                                return null;
                                            }))
                    .hasMessage("none was written");
        }
        assertThat(stored()).isEmpty();
    }

    @Test
    void one_that_fails_with_its_commit_leaves_nothing_behind() {
        assertThatThrownBy(
                        () ->
                                database.transaction(
                                        tx -> {
                                            addAllOrNone(tx, true, 1);
                                            add(tx, (Integer) null).later();
                                            return null;
                                        }))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED));
        assertThat(stored()).isEmpty();
        database.transaction(tx -> add(tx, 4).update());
        assertThat(stored()).containsExactly(4);
    }

    @Test
    void one_that_fails_leaves_nothing_behind() {
        assertThatThrownBy(
                        () ->
                                database.transaction(
                                        tx -> {
                                            add(tx, 1).later();
                                            add(tx, (Integer) null).later();
                                            add(tx, 2).later();
                                            return null;
                                        }))
                .isInstanceOf(StoreException.class);
        assertThat(stored()).isEmpty();
    }

    @Test
    void a_statement_without_all_its_parameters_is_refused_at_once() {
        assertThatThrownBy(() -> database.transaction(tx -> SQL.on(tx, "add").update()))
                .hasMessageContaining("0 of 1 parameters");
    }

    /// The database's clock, with its questions counted.
    private static final class Counted implements StoreClock {
        private final AtomicInteger asked = new AtomicInteger();
        private final Duration countedOn;

        Counted(Duration countedOn) {
            this.countedOn = countedOn;
        }

        @Override
        public long nowMillis(Connection connection) throws SQLException {
            asked.incrementAndGet();
            return DATABASE.nowMillis(connection);
        }

        @Override
        public Duration countedOn() {
            return countedOn;
        }
    }

    @Test
    void a_busy_connection_counts_on_and_is_never_early() {
        var clock = new Counted(Duration.ofHours(1));
        try (var counting = new Database(database.options(), clock, new Failpoints());
                Session session = counting.session("test")) {
            for (int i = 0; i < 100; i++) {
                long counted = session.transaction(Tx::nowMillis);
                long asked = database.transaction(Tx::nowMillis);
                assertThat(counted).isLessThanOrEqualTo(asked);
            }
            assertThat(clock.asked.get()).isEqualTo(1);
        }
    }

    @Test
    void one_that_rested_asks_again() {
        var clock = new Counted(Duration.ZERO);
        try (var counting = new Database(database.options(), clock, new Failpoints());
                Session session = counting.session("test")) {
            for (int i = 1; i <= 3; i++) {
                session.transaction(Tx::nowMillis);
                assertThat(clock.asked.get()).isEqualTo(i);
            }
        }
    }
}
