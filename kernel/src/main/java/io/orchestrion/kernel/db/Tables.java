package io.orchestrion.kernel.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// Every table of the schema and where its rows are on a PostgreSQL that is spread over several
/// machines. Statements are held to it by a test, and `./orchestrion database distribute` does it.
public final class Tables {

    /// Where the rows of a table are.
    public enum Place {
        /// Those of an account are together on one machine, with those of the other such tables.
        BY_ACCOUNT,
        /// Whole on each machine: read much, written seldom, and looked up without an account.
        EVERYWHERE,
        /// On the machine that all connect to.
        AT_THE_ENTRY
    }

    private static final List<String> BY_ACCOUNT =
            List.of(
                    "account",
                    "work",
                    "event_chunk",
                    "event_log",
                    "subject_event",
                    "event_fold",
                    "log_reader",
                    "idempotency",
                    "work_receipt",
                    "claim_receipt",
                    "claim_lease",
                    "work_dependency",
                    "parent_end",
                    "work_unique",
                    "work_type",
                    "flow_ring",
                    "flow_start",
                    "job_event",
                    "job_log",
                    "schedule",
                    "schedule_fire",
                    "bulk_operation",
                    "audit_head",
                    "audit",
                    "client",
                    "plan_period",
                    "usage_month",
                    "purchase",
                    "payment_entry",
                    "local_order",
                    "job",
                    "job_definition",
                    "job_report",
                    "job_retry",
                    "job_problem",
                    "webhook_endpoint",
                    "webhook_secret",
                    "webhook_delivery",
                    "webhook_attempt");

    private static final List<String> EVERYWHERE =
            List.of("api_key", "worker_token", "worker_token_secret");

    /// The windows of limits are here because each take is one call for several accounts.
    private static final List<String> AT_THE_ENTRY =
            List.of(
                    "allowance",
                    "event_era",
                    "event_total",
                    "job_capacity",
                    "runner",
                    "schema_migration");

    private Tables() {}

    /// Those of the place, in the order in which they can be put there.
    public static List<String> at(Place place) {
        return switch (place) {
            case BY_ACCOUNT -> BY_ACCOUNT;
            case EVERYWHERE -> EVERYWHERE;
            case AT_THE_ENTRY -> AT_THE_ENTRY;
        };
    }

    /// Whether they are spread. The catalogue that tells is there only with the extension.
    static boolean areDistributed(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return yes(statement, "select to_regclass('pg_dist_partition') is not null")
                    && yes(
                            statement,
                            "select exists (select from pg_dist_partition"
                                    + " where logicalrelid = to_regclass('work'))");
        }
    }

    private static boolean yes(Statement statement, String question) throws SQLException {
        try (ResultSet rows = statement.executeQuery(question)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
