package io.orchestrion.runs.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.check.RunsInvariants.Phase;
import io.orchestrion.runs.check.RunsInvariants.Place;
import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Each rule finds the row that breaks it, and nothing else.
class RunsInvariantsTest {
    private final TestKernel test = new TestKernel(RunsInvariantsTest::withRuns);
    private final UUID account = test.account();
    private final Ledger ledger =
            new Ledger(
                    test.kernel().ids(),
                    new InitialGrants(new BigDecimal(1000), new BigDecimal(1000)));
    private final long nowMs = this.<Long>in(Tx::nowMillis);
    private final Rows rows = new Rows(test.database(), account, nowMs);

    private static KernelOptions withRuns(KernelOptions options) {
        return options.withSchema(options.schema().plus(List.of(RunsSchema.PART)));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private <T> T in(Session.Body<T> body) {
        return test.kernel().database().retried(body);
    }

    private List<Violation> violations() {
        return RunsInvariants.violations(test.kernel().database());
    }

    private void broken(int invariant, String rule, UUID id) {
        assertThat(violations())
                .extracting(Violation::invariant, Violation::rule, Violation::id)
                .containsExactly(tuple(invariant, rule, id));
    }

    private void change(String sql, Object... parameters) {
        test.database().execute("set session_replication_role = replica");
        test.database().execute(sql, parameters);
        test.database().execute("set session_replication_role = origin");
    }

    private UUID reserved(String status, String amount) {
        UUID run = rows.run(status, Map.of("credits_reserved", new BigDecimal(amount)));
        in(tx -> ledger.reserve(tx, account, run, 1, new BigDecimal(amount)));
        return run;
    }

    /// A run that is running, with an agent.
    private UUID running() {
        UUID run = reserved("running", "100");
        rows.agent(run, 0, "running", Map.of());
        return run;
    }

    @Test
    void rows_that_are_as_they_should_be_break_nothing() {
        running();
        reserved("pending", "10");
        rows.run("created", Map.of());
        UUID failed = rows.run("failed", Map.of("agent_count", 2));
        rows.agent(failed, 0, "failed", Map.of());
        rows.agent(failed, 1, "cancelled", Map.of());
        UUID completed = rows.run("completed", Map.of("agent_count", 3));
        UUID done = rows.agent(completed, 0, "completed", Map.of("task_count", 1));
        rows.agent(completed, 1, "skipped", Map.of());
        rows.agent(completed, 2, "failed", Map.of("superseded", true));
        rows.task(completed, done, Map.of());
        assertThat(violations()).isEmpty();
    }

    ///
    @Test
    void credits_that_are_not_settled_at_the_end_are_found() {
        test.database().execute("alter table run drop constraint run_conserves");
        UUID run = rows.run("completed", Map.of("credits_reserved", 10));
        assertThat(violations())
                .extracting(Violation::rule, Violation::id)
                .containsExactly(
                        tuple("a check is missing: run_conserves", null),
                        tuple("the run is over and its credits are not settled", run));
    }

    ///
    @Test
    void a_ledger_that_has_something_else_reserved_is_found() {
        UUID run = rows.run("pending", Map.of("credits_reserved", 10));
        broken(1, "the ledger has something else reserved", run);
    }

    ///
    @Test
    void usage_that_is_not_charged_is_found() {
        UUID run = running();
        test.database()
                .execute(
                        "insert into run_usage select ?, ?, ?, 1, 5, 0.5, 0.5, 0, 1",
                        account,
                        UUID.randomUUID(),
                        run);
        broken(1, "steps used something else than is charged", run);
    }

    ///
    @Test
    void a_wrong_count_of_agents_is_found() {
        UUID run = rows.run("created", Map.of("agent_count", 1));
        broken(2, "agent_count is not the number of agents", run);
    }

    ///
    @Test
    void a_wrong_count_of_tasks_is_found() {
        UUID agent =
                rows.agent(
                        rows.run("created", Map.of("agent_count", 1)),
                        0,
                        "pending",
                        Map.of("task_count", 2));
        broken(2, "task_count is not the number of tasks", agent);
    }

    ///
    @Test
    void a_wrong_count_of_steps_is_found() {
        UUID run = rows.run("created", Map.of("agent_count", 1));
        UUID agent = rows.agent(run, 0, "pending", Map.of("task_count", 1));
        UUID task = rows.task(run, agent, Map.of("step_count", 1));
        broken(2, "step_count is not the number of steps", task);
    }

    ///
    @Test
    void a_reference_that_somebody_removed_is_found() {
        test.database().execute("alter table run_step drop constraint run_step_task");
        assertThat(violations())
                .containsExactly(
                        new Violation(
                                2,
                                "a reference is missing: run_step_task",
                                Violation.Of.GUARD,
                                null,
                                null));
    }

    ///
    @Test
    void a_running_run_without_an_active_agent_is_found() {
        UUID run = reserved("running", "10");
        rows.agent(run, 0, "completed", Map.of());
        broken(3, "the run is running and no agent is", run);
    }

    ///
    @Test
    void a_completed_run_with_an_agent_that_is_not_is_found() {
        UUID run = rows.run("completed", Map.of("agent_count", 1));
        rows.agent(run, 0, "failed", Map.of());
        broken(3, "the run is completed and an agent is not", run);
    }

    ///
    @Test
    void a_failed_run_without_a_failed_agent_is_found() {
        UUID run = rows.run("failed", Map.of("agent_count", 1));
        rows.agent(run, 0, "cancelled", Map.of());
        broken(3, "the run is failed and no agent is", run);
    }

    ///
    @Test
    void a_cancelled_run_with_an_agent_that_goes_on_is_found() {
        UUID run = rows.run("cancelled", Map.of("agent_count", 1));
        rows.agent(run, 0, "running", Map.of());
        broken(3, "the run is cancelled and an agent is not over", run);
    }

    ///
    @Test
    void artifacts_that_expire_too_early_or_never_or_stay_are_found() {
        long kept = 30L * 24 * 3_600_000;
        UUID run = rows.run("completed", Map.of());
        rows.artifact(run, Map.of("expires_ms", nowMs + kept));
        UUID running = running();
        rows.artifact(running, Map.of());
        assertThat(violations()).isEmpty();
        UUID never = rows.artifact(run, Map.of());
        UUID early = rows.artifact(run, Map.of("expires_ms", nowMs + kept - 1));
        UUID late = rows.artifact(run, Map.of("expires_ms", nowMs - 700_000));
        UUID future = rows.artifact(running, Map.of("created_ms", nowMs + 3_600_000));
        assertThat(violations())
                .extracting(Violation::invariant, Violation::rule, Violation::id)
                .containsExactlyInAnyOrder(
                        tuple(4, "the run is completed and the artifact never expires", never),
                        tuple(8, "the artifact expires too early", early),
                        tuple(8, "the artifact has expired and is still there", late),
                        tuple(4, "the artifact is in the future", future));
    }

    ///
    @Test
    void an_artifact_without_a_run_is_found() {
        UUID run = rows.run("created", Map.of());
        UUID artifact = rows.artifact(run, Map.of());
        test.database().execute("alter table run_artifact drop constraint run_artifact_run");
        change("delete from run where id = ?", run);
        assertThat(violations())
                .extracting(Violation::rule)
                .containsExactly(
                        "a reference is missing: run_artifact_run",
                        "there is no run of the artifact");
        assertThat(violations().getLast().id()).isEqualTo(artifact);
    }

    ///
    @Test
    void a_key_of_idempotency_that_somebody_removed_is_found() {
        test.database().execute("alter table idempotency drop constraint idempotency_pkey");
        assertThat(violations()).extracting(Violation::invariant).containsExactly(5);
    }

    ///
    @Test
    void a_trigger_of_the_ledger_that_somebody_disabled_is_found() {
        test.database().execute("alter table credit_entry disable trigger credit_entry_is_final");
        assertThat(violations())
                .extracting(Violation::invariant, Violation::rule)
                .containsExactly(tuple(6, "a trigger is missing: credit_entry_is_final"));
    }

    /// Somebody has disabled the triggers and changed the ledger.
    @Test
    void entries_that_somebody_changed_or_removed_are_found() {
        running();
        UUID second = reserved("pending", "10");
        test.database().execute("alter table credit_entry disable trigger credit_entry_is_final");
        test.database().execute("update credit_entry set amount = 11 where run_id = ?", second);
        test.database()
                .execute("alter table credit_entry enable always trigger credit_entry_is_final");
        UUID entry = test.database().value("select id from credit_entry where run_id = ?", second);
        broken(1, "the entry does not lead from the balance before it to the one after it", entry);

        test.database().execute("alter table credit_entry disable trigger credit_entry_is_final");
        test.database()
                .execute(
                        "update credit_entry set amount = 10, created_ms = 1 where run_id = ?",
                        second);
        test.database().execute("delete from credit_entry where seq = 2");
        test.database()
                .execute("alter table credit_entry enable always trigger credit_entry_is_final");
        assertThat(violations())
                .extracting(Violation::rule)
                .contains("the entry before it is missing");

        test.database().execute("update credit_balance set balance = balance - 1");
        assertThat(violations())
                .filteredOn(each -> each.of() == Violation.Of.ACCOUNT)
                .containsExactly(
                        new Violation(
                                1,
                                "the newest entry leads to another balance",
                                Violation.Of.ACCOUNT,
                                account,
                                account));
    }

    ///
    @Test
    void a_running_run_without_a_heartbeat_is_found() {
        UUID run = running();
        change("update run set last_heartbeat_ms = ? where id = ?", nowMs - 95_000, run);
        broken(7, "the run is running without a heartbeat", run);
        change("update run set last_heartbeat_ms = ? where id = ?", nowMs + 3_600_000, run);
        broken(7, "the heartbeat is in the future", run);
    }

    @Test
    void a_walk_in_small_pages_finds_the_same() {
        var wrong = new ArrayList<UUID>();
        for (int i = 0; i < 9; i++) {
            wrong.add(rows.run("created", Map.of("agent_count", i % 3)));
        }
        var found = new ArrayList<UUID>();
        Place place = Place.START;
        while (place != null) {
            RunsInvariants.Page page = RunsInvariants.page(test.kernel().database(), place, 2);
            page.violations().forEach(each -> found.add(each.id()));
            place = page.next();
        }
        assertThat(found).hasSize(6).isSubsetOf(wrong);
        assertThat(violations()).hasSize(6);
    }

    /// Where accounts are spread over machines, each is looked at for itself.
    @Test
    void said_of_one_account_the_statements_find_the_same_as_of_all() {
        UUID run = rows.run("created", Map.of("agent_count", 5));
        UUID agent = rows.agent(run, 0, "pending", Map.of("task_count", 5));
        UUID task = rows.task(run, agent, Map.of("step_count", 5));
        UUID artifact = rows.artifact(run, Map.of("expires_ms", nowMs));
        reserved("pending", "10");
        test.database().execute("update credit_balance set balance = balance - 1");
        test.database().execute("alter table credit_entry disable trigger credit_entry_is_final");
        test.database().execute("update credit_entry set amount = 11 where seq = 2");
        UUID entry = test.database().value("select id from credit_entry where seq = 2");
        in(
                tx -> {
                    List<Place> of = List.of(new Place(Phase.RUNS, account, run, 0));
                    same(run, CheckSql.runs(tx, null, of, 0), CheckSql.runs(tx, account, of, 0));
                    of = List.of(new Place(Phase.AGENTS, account, agent, 0));
                    same(agent, CheckSql.agents(tx, null, of), CheckSql.agents(tx, account, of));
                    of = List.of(new Place(Phase.TASKS, account, task, 0));
                    same(task, CheckSql.tasks(tx, null, of), CheckSql.tasks(tx, account, of));
                    of = List.of(new Place(Phase.ARTIFACTS, account, artifact, 0));
                    same(
                            artifact,
                            CheckSql.artifacts(tx, null, of, 0, Long.MAX_VALUE),
                            CheckSql.artifacts(tx, account, of, 0, Long.MAX_VALUE));
                    of = List.of(new Place(Phase.ENTRIES, account, entry, 2));
                    same(entry, CheckSql.entries(tx, null, of), CheckSql.entries(tx, account, of));
                    of = List.of(new Place(Phase.BALANCES, account, account, 0));
                    same(
                            account,
                            CheckSql.balances(tx, null, of),
                            CheckSql.balances(tx, account, of));
                    return true;
                });
    }

    private static void same(UUID id, List<Violation> many, List<Violation> one) {
        assertThat(many).singleElement().extracting(Violation::id).isEqualTo(id);
        assertThat(one).isEqualTo(many);
    }
}
