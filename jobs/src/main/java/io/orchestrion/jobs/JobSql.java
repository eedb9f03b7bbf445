package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `jobs.sql`; decides nothing.
public final class JobSql {
    private static final NamedSql SQL = NamedSql.beside(JobSql.class, "jobs.sql");

    private JobSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// A job about to be written.
    record NewRow(UUID id, NewJob job, JobDefinition definition) {}

    static void insert(Tx tx, UUID account, List<NewRow> rows) {
        SQL.on(tx, "insert_jobs")
                .uuid("account", account)
                .column("ids", "uuid", rows, NewRow::id)
                .column("types", "text", rows, row -> row.job().type().name())
                .column("executions", "int8", rows, row -> row.job().executionMs())
                .column("callbacks", "text", rows, row -> row.job().callback())
                .column("handlers", "text", rows, row -> row.job().handler())
                .column("auto_retries", "bool", rows, row -> row.job().autoRetry())
                .later(rows.size(), "account " + account + " does not exist");
        SQL.on(tx, "insert_definitions")
                .uuid("account", account)
                .column("ids", "uuid", rows, NewRow::id)
                .column("work_kinds", "text", rows, row -> row.definition().workKind())
                .column("durations", "int8", rows, row -> row.definition().durationMs())
                .column("should_fails", "bool", rows, row -> row.definition().shouldFail())
                .column("payload_sizes", "int4", rows, row -> row.definition().payloadSizeBytes())
                .column("seeds", "int8", rows, row -> row.definition().seedMs())
                .later(rows.size(), "account " + account + " does not exist");
    }

    /// Those of the jobs that exist, in no order.
    static Map<UUID, Job> find(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        var found = new HashMap<UUID, Job>();
        SQL.on(tx, "jobs")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(JobSql::read)
                .forEach(job -> found.put(job.id(), job));
        return found;
    }

    static List<Job> page(Tx tx, JobQuery query, @Nullable JobState state, int most)
            throws SQLException {
        Bound page = SQL.on(tx, state == null ? "page" : "page_in_state");
        if (state != null) {
            page.text("state", state.name());
        }
        return page.uuid("account", query.account())
                .uuid("after", query.after())
                .integer("most", most)
                .list(JobSql::read);
    }

    static Map<UUID, JobFacts> facts(Tx tx, UUID account, Collection<UUID> ids)
            throws SQLException {
        var found = new LinkedHashMap<UUID, JobFacts>();
        SQL.on(tx, "facts")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(
                        row ->
                                found.put(
                                        row.getObject("job_id", UUID.class),
                                        new JobFacts(
                                                JobType.valueOf(row.getString("type")),
                                                row.getString("work_kind"),
                                                row.getString("callback"),
                                                row.getInt("max_attempts"),
                                                row.getString("handler"))));
        return found;
    }

    /// Whether any account has a job of this id.
    static boolean anybodys(Tx tx, UUID id) throws SQLException {
        return !SQL.on(tx, "others").uuid("id", id).list(row -> row.getInt("found")).isEmpty();
    }

    private static Job read(ResultSet row) throws SQLException {
        String reason = row.getString("wait_reason");
        JobState state =
                JobState.of(
                        WorkState.of(row.getString("state")),
                        reason == null ? null : WaitReason.of(reason));
        Long deadline = Bound.nullableLong(row, "deadline_ms");
        Long timeout = Bound.nullableLong(row, "timeout_ms");
        Long started = Bound.nullableLong(row, "started_ms");
        if (state == JobState.RUNNING && deadline != null && timeout != null) {
            started = deadline - timeout;
        }
        return new Job(
                row.getObject("job_id", UUID.class),
                row.getObject("account_id", UUID.class),
                JobType.valueOf(row.getString("type")),
                state,
                state.outcome(),
                row.getLong("created_ms"),
                Bound.nullableLong(row, "execution_ms"),
                row.getLong("updated_ms"),
                row.getInt("retries") + 1,
                row.getInt("max_attempts"),
                row.getString("callback"),
                definition(row),
                row.getString("payload"),
                row.getString("handler"),
                row.getBoolean("auto_retry"),
                started,
                Bound.nullableLong(row, "finished_ms"),
                "backoff".equals(reason) ? Bound.nullableLong(row, "run_at_ms") : null,
                row.getString("holder"),
                state == JobState.FAILED ? JobFailure.of(row.getString("failure")) : null);
    }

    private static @Nullable JobDefinition definition(ResultSet row) throws SQLException {
        String workKind = row.getString("work_kind");
        return workKind == null
                ? null
                : new JobDefinition(
                        workKind,
                        row.getLong("duration_ms"),
                        row.getBoolean("should_fail"),
                        row.getInt("payload_size"),
                        row.getLong("seed_ms"));
    }
}
