package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// A transition, its money and its items are there together or not at all, and are decided on what
/// the lock shows.
class OneTransactionTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID created() {
        return fixture.create(
                fixture.asked(one(step("a"), step("b")), FailureMode.FAIL_FAST, each -> each));
    }

    /// Has every insert into the table fail, as a full disk would.
    private void broken(String table) {
        fixture.test
                .database()
                .execute(
                        "create function broken() returns trigger language plpgsql as $$ begin"
                                + " raise exception 'the disk is full'; end $$; create trigger"
                                + " broken before insert on "
                                + table
                                + " for each row execute function broken()");
    }

    private void repaired(String table) {
        fixture.test
                .database()
                .execute("drop trigger broken on " + table + "; drop function broken()");
    }

    private static final List<String> TABLES =
            List.of(
                    "run",
                    "credit_balance",
                    "credit_entry",
                    "run_attempt",
                    "run_transition",
                    "run_decision",
                    "run_agent",
                    "run_task",
                    "run_step",
                    "run_step_attempt",
                    "run_usage",
                    "run_message",
                    "subject_event",
                    "item");

    private List<String> everything() {
        return TABLES.stream()
                .flatMap(
                        table ->
                                fixture
                                        .test
                                        .database()
                                        .rows(
                                                "select t::text as line from "
                                                        + table
                                                        + " t order by 1")
                                        .stream()
                                        .map(row -> table + " " + row.get("line")))
                .toList();
    }

    private interface Act {
        void run();
    }

    private void allOrNothing(String table, Act act) {
        List<String> before = everything();
        broken(table);
        assertThatThrownBy(act::run).hasStackTraceContaining("the disk is full");
        repaired(table);
        assertThat(everything()).as("without " + table).isEqualTo(before);
    }

    /// of reservation, transition, attempt and item none is there alone.
    @ParameterizedTest
    @ValueSource(strings = {"credit_entry", "run_transition", "run_attempt", "run_message", "work"})
    void a_start_is_whole(String table) {
        UUID id = created();
        allOrNothing(table, () -> fixture.start(id));
        assertThat(fixture.start(id)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.PENDING);
        assertThat(fixture.ledger(id)).containsExactly("reserve 100");
    }

    /// a failure goes through all levels to the ledger, or nowhere.
    @ParameterizedTest
    @ValueSource(strings = {"credit_entry", "run_transition", "run_decision", "run_usage"})
    void a_failure_is_whole(String table) {
        UUID id = fixture.running(one(step("a")));
        WorkItem held = fixture.claim("a");
        allOrNothing(table, () -> fixture.fail(held, "ValueError"));
        fixture.fail(held, "ValueError");
        assertThat(fixture.tree(id)).containsExactly("all failed", "- t failed", "-- a failed");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
    }

    ///
    @ParameterizedTest
    @ValueSource(strings = {"credit_entry", "run_transition"})
    void a_cancel_is_whole(String table) {
        UUID id = fixture.running(one(step("a"), step("b")));
        fixture.done("a");
        fixture.claim("b");
        allOrNothing(table, () -> fixture.cancel(id));
        fixture.cancel(id);
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.01", "refund 99.99");
    }

    ///
    @ParameterizedTest
    @ValueSource(strings = {"credit_entry", "run_transition", "run_attempt", "run_message", "work"})
    void a_retry_is_whole(String table) {
        UUID id = fixture.running(one(step("a")));
        fixture.failed("a", "ValueError");
        allOrNothing(table, () -> fixture.retry(id));
        fixture.retry(id);
        assertThat(fixture.run(id).attempt()).isEqualTo(2);
    }

    /// no code gets a run from created to running, and storage has never seen it.
    @Test
    void no_status_is_left_out() {
        UUID id = created();
        assertThatThrownBy(
                        () ->
                                fixture.runs.inOne(
                                        tx ->
                                                new Engine(fixture.test.kernel(), fixture.options)
                                                        .withRun(
                                                                tx,
                                                                Commit.START,
                                                                fixture.account,
                                                                id,
                                                                turn ->
                                                                        Lifecycle.change(
                                                                                turn,
                                                                                RunStatus.RUNNING,
                                                                                Requester.ENGINE,
                                                                                null))))
                .hasMessageContaining("cannot go from CREATED to RUNNING");
        assertThat(fixture.transitions(id)).containsExactly("created");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.CREATED);
    }

    private String waiting() {
        return fixture.value(
                "select count(*) from pg_stat_activity where datname = current_database() and"
                        + " wait_event_type = 'Lock'");
    }

    /// whoever waits for the lock decides by what is there when it has it.
    @Test
    void a_verb_looks_at_the_status_after_it_has_the_lock() throws Exception {
        UUID id = fixture.running(one(step("a")));
        try (Connection other = fixture.test.database().connect();
                Statement statement = other.createStatement();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            other.setAutoCommit(false);
            statement.execute("select 1 from run for update");
            Future<Ack> pause = threads.submit(() -> fixture.pause(id));
            Until.isTrue("it waits", Duration.ofSeconds(20), () -> waiting().equals("1"));
            // As a cancel that came first would leave it.
            statement.execute("alter table run disable trigger user");
            statement.execute(
                    "update run set status = 'cancelled', running_since_ms = null, cancelled_ms ="
                            + " 1, duration_ms = 1, credits_refunded = credits_reserved");
            statement.execute("alter table run enable trigger user");
            other.commit();
            assertThat(pause.get())
                    .isInstanceOfSatisfying(
                            Ack.WrongStatus.class,
                            it -> assertThat(it.status()).isEqualTo("cancelled"));
            statement.execute("alter table run disable trigger user");
            statement.execute(
                    "update run set status = 'running', running_since_ms = 1, cancelled_ms = null,"
                            + " duration_ms = null, credits_refunded = 0");
            statement.execute("alter table run enable trigger user");
            other.commit();
        }
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// R-324, CB-080.
    @Test
    void transactions_are_read_committed() {
        String level =
                fixture.test
                        .kernel()
                        .database()
                        .transaction(
                                tx -> {
                                    try (var statement = tx.connection().createStatement();
                                            var rows =
                                                    statement.executeQuery(
                                                            "show transaction_isolation")) {
                                        rows.next();
                                        return rows.getString(1);
                                    }
                                });
        assertThat(level).isEqualTo("read committed");
    }

    /// Each attempt keeps its own figures, times and end.
    @Test
    void each_attempt_of_a_run_has_a_record_of_its_own() {
        UUID id =
                fixture.create(
                        fixture.asked(
                                one(step("a"), step("b")),
                                FailureMode.FAIL_FAST,
                                of ->
                                        new io.orchestrion.runs.run.Bounds(
                                                of.attempts(),
                                                of.agents(),
                                                of.replans(),
                                                20_000,
                                                of.tasksAtOnce(),
                                                of.stepsAtOnce(),
                                                of.timeouts())));
        fixture.start(id);
        assertThat(fixture.run(id).credits().reserved()).isEqualByComparingTo("20");
        fixture.drive(id, RunStatus.RUNNING);
        fixture.complete(fixture.claim("a"), "{}", "{\"tokens\":5000}");
        fixture.test.clock().advance(Duration.ofSeconds(7));
        fixture.failed("b", "ValueError");
        fixture.retry(id);
        assertThat(fixture.run(id).credits().charged()).isZero();
        fixture.drive(id, RunStatus.RUNNING);
        fixture.complete(fixture.claim("a"), "{}", "{\"tokens\":1000}");

        var records =
                fixture.runs.inOne(
                        tx -> io.orchestrion.runs.run.RecordSql.attempts(tx, fixture.account, id));
        assertThat(records).hasSize(2);
        var first = records.getFirst();
        assertThat(first.run()).isEqualTo(id);
        assertThat(first.number()).isEqualTo(1);
        assertThat(first.outcome()).isEqualTo(RunStatus.FAILED);
        assertThat(first.errorCode()).isEqualTo("ValueError");
        assertThat(first.credits().reserved()).isEqualByComparingTo("20");
        assertThat(first.credits().charged()).isEqualByComparingTo("5");
        assertThat(first.credits().refunded()).isEqualByComparingTo("15");
        assertThat(first.endedMs() - first.startedMs()).isGreaterThanOrEqualTo(7_000);
        var second = records.getLast();
        assertThat(second.number()).isEqualTo(2);
        assertThat(second.outcome()).isNull();
        assertThat(second.endedMs()).isNull();
        assertThat(second.startedMs()).isGreaterThanOrEqualTo(first.endedMs());
        fixture.done("b");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.credits().charged()).isEqualByComparingTo("1.01");
        assertThat(fixture.ledger(id))
                .containsExactly(
                        "reserve 20",
                        "charge 5",
                        "refund 15",
                        "reserve 20",
                        "charge 1.01",
                        "refund 18.99");
    }
}
