package io.orchestrion.jobs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkItem;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// Writes the report of every attempt in the transaction that ends it, whether a runner, a client
/// or a sweeper ends it. So no job ever ends without one.
final class JobEnds implements WorkOwner {
    static final String KIND = "job";

    /// The report of a success could not be written, so there is no success; the transaction is
    /// over.
    static final class ReportFailed extends RuntimeException {
        private static final long serialVersionUID = 1;

        ReportFailed(Throwable cause) {
            super("the report could not be made", cause);
        }
    }

    @Override
    public String kind() {
        return KIND;
    }

    /// A job is its own owner: its item's lock is all there is to lock.
    @Override
    public Set<UUID> lock(Tx tx, UUID accountId, List<UUID> ownerIds) {
        return Set.copyOf(ownerIds);
    }

    @Override
    public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException {
        endedAll(tx, verbs, end.item().accountId(), List.of(end));
    }

    @Override
    public void endedAll(Tx tx, WorkVerbs verbs, UUID accountId, List<WorkEnd> ends)
            throws SQLException {
        var whole = new ArrayList<ReportSql.End>();
        var bare = new ArrayList<ReportSql.End>();
        var toRetry = new ArrayList<UUID>();
        boolean success = false;
        for (WorkEnd one : ends) {
            ReportSql.End end = end(one);
            (reportFailed(end) ? bare : whole).add(end);
            success |= end.outcome() == JobOutcome.SUCCESS;
            if (end.outcome() == JobOutcome.FAILED && hasRetryLeft(one.item())) {
                toRetry.add(end.id());
            }
        }
        write(tx, accountId, whole, false, success);
        write(tx, accountId, bare, true, false);
        if (!toRetry.isEmpty()) {
            ReportSql.wantRetries(tx, accountId, toRetry);
        }
    }

    private static boolean hasRetryLeft(WorkItem item) {
        return item.attempts().retries() + 1 < item.attempts().most();
    }

    private static ReportSql.End end(WorkEnd end) {
        WorkItem item = end.item();
        JobOutcome outcome = Objects.requireNonNull(JobState.of(item).outcome());
        return new ReportSql.End(
                item.id(),
                item.attempts().retries() + 1,
                outcome,
                item.place().eventMs(),
                outcome == JobOutcome.FAILED ? item.attempts().failure() : null,
                JobOutput.Kept.of(end.outputRef()));
    }

    private static boolean reportFailed(ReportSql.End end) {
        JobFailure failure = JobFailure.of(end.failure());
        return failure != null && failure.code().equals(JobFailure.REPORT_FAILED);
    }

    private static void write(
            Tx tx, UUID account, List<ReportSql.End> ends, boolean bare, boolean success)
            throws SQLException {
        if (ends.isEmpty()) {
            return;
        }
        try {
            ReportSql.insert(tx, account, ends, bare);
        } catch (SQLException e) {
            // The data itself was refused: the same again would be, too.
            String state = e.getSQLState() == null ? "" : e.getSQLState();
            boolean refused =
                    state.startsWith("22") || state.startsWith("23") || state.startsWith("P0");
            if (success && refused) {
                throw new ReportFailed(e);
            }
            throw e;
        }
    }
}
