package io.orchestrion.jobs;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Looks through all jobs after the start, and now and then, for any that is not whole: without its
/// job row, its definition or, when it has ended, its report. The engine writes each of them with
/// the rest, so such a job comes from a damaged or half restored database. Each is noted in
/// `job_problem` for whoever repairs it, and logged once.
final class JobCheck implements Sweeper {
    static final String NAME = "job-check";
    private static final Logger log = LoggerFactory.getLogger(JobCheck.class);
    private static final int BATCH = 1_000;
    private static final Duration BETWEEN = Duration.ofHours(1);
    private static final ReportSql.Looked BEGINNING =
            new ReportSql.Looked(new UUID(0, 0), "", new UUID(0, 0));

    private final Database database;
    private ReportSql.Looked last = BEGINNING;

    JobCheck(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public Duration pace(Duration usual) {
        return BETWEEN;
    }

    /// How many it has looked at.
    @Override
    public int runOnce() {
        if (last.equals(BEGINNING)) {
            forgetProblems();
        }
        List<ReportSql.Looked> looked = database.transaction(tx -> ReportSql.look(tx, last, BATCH));
        if (!looked.isEmpty()) {
            PerAccount.list(database, looked, ReportSql.Looked::account, JobCheck::note);
        }
        last = looked.size() < BATCH ? BEGINNING : looked.getLast();
        return looked.size();
    }

    private void forgetProblems() {
        for (UUID account : database.transaction(ReportSql::accountsWithProblems)) {
            database.transaction(
                    tx -> {
                        ReportSql.forgetProblems(tx, account);
                        return account;
                    });
        }
    }

    private static List<ReportSql.Unsound> note(
            Tx tx, @Nullable UUID account, List<ReportSql.Looked> jobs) throws SQLException {
        List<ReportSql.Unsound> unsound = ReportSql.unsound(tx, account, jobs);
        for (ReportSql.Unsound one : unsound) {
            note(tx, one, one.noJob(), "job missing");
            note(tx, one, one.noDefinition(), "definition missing");
            note(tx, one, one.noReport(), "report missing");
        }
        return unsound;
    }

    private static void note(Tx tx, ReportSql.Unsound one, boolean lacks, String problem)
            throws SQLException {
        if (lacks && ReportSql.noteProblem(tx, one.account(), one.id(), problem)) {
            log.error(
                    "job {} of account {} is not whole: {}; noted in job_problem",
                    one.id(),
                    one.account(),
                    problem);
        }
    }
}
