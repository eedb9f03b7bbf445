package io.orchestrion.jobs;

import io.orchestrion.jobs.JobOutput.Kept;
import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `reports.sql`; decides nothing.
public final class ReportSql {
    private static final NamedSql SQL = NamedSql.beside(ReportSql.class, "reports.sql");

    private ReportSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// The end of an attempt.
    record End(
            UUID id,
            int attempt,
            JobOutcome outcome,
            long finishedMs,
            @Nullable String failure,
            @Nullable Kept output) {}

    /// @param bare without the histories
    static void insert(Tx tx, UUID account, List<End> ends, boolean bare) throws SQLException {
        int written =
                SQL.on(tx, "insert_reports")
                        .uuid("account", account)
                        .bool("bare", bare)
                        .column("ids", "uuid", ends, End::id)
                        .column("attempts", "int4", ends, End::attempt)
                        .column("outcomes", "text", ends, end -> end.outcome().name())
                        .column("finisheds", "int8", ends, End::finishedMs)
                        .column("failures", "text", ends, End::failure)
                        .column("outputs_bytes", "int8", ends, end -> bytes(end.output()))
                        .column("outputs_sha256", "text", ends, end -> sha256(end.output()))
                        .update();
        if (written != ends.size()) {
            throw new IllegalStateException(written + " reports for " + ends.size() + " jobs");
        }
    }

    private static @Nullable Long bytes(@Nullable Kept output) {
        return output == null ? null : output.sizeBytes();
    }

    private static @Nullable String sha256(@Nullable Kept output) {
        return output == null ? null : output.sha256();
    }

    /// The report of an attempt; null when there is none.
    static @Nullable JobReport find(Tx tx, UUID account, UUID id, int attempt, JobFacts facts)
            throws SQLException {
        JobReport report =
                SQL.on(tx, "report")
                        .uuid("account", account)
                        .uuid("id", id)
                        .integer("attempt", attempt)
                        .one(
                                row ->
                                        new JobReport(
                                                id,
                                                row.getInt("attempt"),
                                                JobOutcome.valueOf(row.getString("outcome")),
                                                List.of(),
                                                row.getLong("started_ms"),
                                                row.getLong("finished_ms"),
                                                row.getLong("duration_ms"),
                                                JobFailure.of(row.getString("failure")),
                                                Bound.nullableLong(row, "output_bytes"),
                                                row.getString("output_sha256"),
                                                row.getString("result")));
        return report == null ? null : report.telling(events(tx, account, report, facts));
    }

    private static List<JobEvent> events(Tx tx, UUID account, JobReport report, JobFacts facts)
            throws SQLException {
        return SQL.on(tx, "reported_events")
                .uuid("account", account)
                .uuid("id", report.jobId())
                .integer("attempt", report.attempt())
                .list(
                        row -> {
                            String from = row.getString("from_state");
                            return JobEvents.of(
                                    report.jobId(),
                                    facts,
                                    new HistoryEntry(
                                            row.getInt("seq"),
                                            row.getLong("at_ms"),
                                            WorkEvent.of(row.getString("event")),
                                            from == null ? null : WorkState.of(from),
                                            WorkState.of(row.getString("to_state")),
                                            row.getInt("attempt"),
                                            row.getLong("lease_number"),
                                            row.getString("holder"),
                                            row.getString("detail"),
                                            null));
                        });
    }

    static void wantRetries(Tx tx, UUID account, List<UUID> ids) {
        SQL.on(tx, "want_retries")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .uuids("ids", List.copyOf(ids))
                .later();
    }

    static List<UUID> accountsWithRetries(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_retries")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static List<UUID> wantedRetries(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "wanted_retries")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("job_id", UUID.class));
    }

    static void retried(Tx tx, UUID account, UUID id) {
        SQL.on(tx, "retried").uuid("account", account).uuid("id", id).later();
    }

    /// Unless the job has failed again meanwhile.
    static void forgetRetry(Tx tx, UUID account, UUID id) {
        SQL.on(tx, "forget_retry").uuid("account", account).uuid("id", id).later();
    }

    static int retryLater(Tx tx, UUID account, UUID id, long atMs) throws SQLException {
        return SQL.on(tx, "retry_later")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("at", atMs)
                .update();
    }

    /// One job that was looked at.
    record Looked(UUID account, String state, UUID id) {}

    /// @param after the last one of the look before
    static List<Looked> look(Tx tx, Looked after, int most) throws SQLException {
        return SQL.on(tx, "jobs_after")
                .uuid("after", after.account())
                .text("state", after.state())
                .uuid("id", after.id())
                .integer("most", most)
                .list(
                        row ->
                                new Looked(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("job_state"),
                                        row.getObject("id", UUID.class)));
    }

    /// A job that is not whole.
    record Unsound(UUID account, UUID id, boolean noJob, boolean noDefinition, boolean noReport) {}

    static List<Unsound> unsound(Tx tx, @Nullable UUID one, List<Looked> jobs) throws SQLException {
        return SQL.on(tx, "unsound", one)
                .column("accounts", "uuid", jobs, Looked::account)
                .column("ids", "uuid", jobs, Looked::id)
                .list(
                        row ->
                                new Unsound(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("id", UUID.class),
                                        row.getBoolean("no_job"),
                                        row.getBoolean("no_definition"),
                                        row.getBoolean("no_report")));
    }

    /// Whether it was not known before.
    static boolean noteProblem(Tx tx, UUID account, UUID id, String problem) throws SQLException {
        return SQL.on(tx, "note_problem")
                        .uuid("account", account)
                        .uuid("id", id)
                        .text("problem", problem)
                        .bigint("now", tx.nowMillis())
                        .update()
                == 1;
    }

    static List<UUID> accountsWithProblems(Tx tx) throws SQLException {
        return SQL.on(tx, "accounts_with_problems")
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static void forgetProblems(Tx tx, UUID account) throws SQLException {
        SQL.on(tx, "forget_problems").uuid("account", account).update();
    }
}
