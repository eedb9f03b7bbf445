package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem.Keys;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkItem.Settled;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/// Reads items out of rows, for every `*Sql` class that gets some.
final class WorkRowSql {
    private WorkRowSql() {}

    static WorkView view(Tx tx, ResultSet row) throws SQLException {
        return new WorkView(item(row), documents(row), tx.nowMillis());
    }

    static Documents documents(ResultSet row) throws SQLException {
        return new Documents(
                row.getString("payload"), row.getString("result"), row.getString("output_ref"));
    }

    static WorkItem item(ResultSet row) throws SQLException {
        String waitReason = row.getString("wait_reason");
        String ownerKind = row.getString("owner_kind");
        String ifParentFails = row.getString("if_parent_fails");
        return new WorkItem(
                row.getObject("account_id", UUID.class),
                row.getObject("id", UUID.class),
                row.getString("profile"),
                row.getString("queue"),
                row.getString("kind"),
                WorkState.of(row.getString("state")),
                waitReason == null ? null : WaitReason.of(waitReason),
                row.getInt("priority"),
                Bound.nullableLong(row, "run_at_ms"),
                row.getInt("attempt"),
                row.getInt("max_attempts"),
                row.getInt("retries"),
                row.getInt("lease_seconds"),
                row.getLong("lease_number"),
                row.getObject("lease_token", UUID.class),
                Bound.nullableLong(row, "lease_until_ms"),
                row.getString("holder"),
                Bound.nullableLong(row, "timeout_ms"),
                Bound.nullableLong(row, "deadline_ms"),
                row.getBoolean("cancel_requested"),
                ownerKind == null
                        ? null
                        : new OwnerRef(ownerKind, row.getObject("owner_id", UUID.class)),
                row.getLong("created_ms"),
                row.getLong("updated_ms"),
                Bound.nullableLong(row, "claimed_ms"),
                Bound.nullableLong(row, "heartbeat_ms"),
                Bound.nullableLong(row, "finished_ms"),
                Bound.nullableLong(row, "failed_ms"),
                row.getString("failure"),
                row.getInt("event_seq"),
                row.getLong("event_ms"),
                Bound.nullableLong(row, "purge_after_ms"),
                new Keys(
                        row.getString("concurrency_key"),
                        row.getString("rate_key"),
                        row.getString("unique_key")),
                ifParentFails == null ? null : IfParentFails.of(ifParentFails),
                row.getBoolean("has_dependents"),
                Settled.of(
                        row.getObject("settled_token", UUID.class),
                        row.getObject("settled_digest", UUID.class)));
    }
}
