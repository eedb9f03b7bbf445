package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.StopRequest;
import io.orchestrion.kernel.work.TimeInState;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.Attempts;
import io.orchestrion.kernel.work.WorkItem.Holding;
import io.orchestrion.kernel.work.WorkItem.Identity;
import io.orchestrion.kernel.work.WorkItem.Keys;
import io.orchestrion.kernel.work.WorkItem.Lease;
import io.orchestrion.kernel.work.WorkItem.Links;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkItem.Place;
import io.orchestrion.kernel.work.WorkItem.Settled;
import io.orchestrion.kernel.work.WorkItem.Times;
import io.orchestrion.kernel.work.WorkItem.Trail;
import io.orchestrion.kernel.work.WorkItem.Turn;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Reads items out of rows that begin with the columns of `item.sql`, for every `*Sql` class that
/// gets such rows. Columns are read by number, because looking up forty names for each row took
/// longer than reading the values.
final class WorkRowSql {
    /// How many columns the part `item` has.
    private static final int ITEM_COLUMNS = 44;

    private WorkRowSql() {}

    /// Reads a row that has both parts, `item` and `documents`.
    static WorkView view(Tx tx, ResultSet row) throws SQLException {
        return new WorkView(item(row), documents(row, ITEM_COLUMNS), tx.nowMillis());
    }

    /// @param after how many columns come before those of the part `documents`
    static Documents documents(ResultSet row, int after) throws SQLException {
        String error = row.getString(after + 4);
        String usage = row.getString(after + 5);
        String logsRef = row.getString(after + 6);
        return new Documents(
                row.getString(after + 1),
                row.getString(after + 2),
                row.getString(after + 3),
                error == null && usage == null && logsRef == null
                        ? Documents.Reported.NOTHING
                        : new Documents.Reported(error, usage, logsRef),
                List.of());
    }

    static WorkItem item(ResultSet row) throws SQLException {
        return new WorkItem(
                identity(row),
                WorkState.of(row.getString(6)),
                turn(row),
                attempts(row),
                lease(row),
                holding(row),
                times(row),
                new Place(row.getInt(30), row.getLong(31), TimeInState.of(row.getString(44))),
                links(row),
                trail(row.getString(40), row.getString(41)));
    }

    private static Identity identity(ResultSet row) throws SQLException {
        String ownerKind = row.getString(21);
        return new Identity(
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                ownerKind == null ? null : new OwnerRef(ownerKind, row.getObject(22, UUID.class)));
    }

    private static Turn turn(ResultSet row) throws SQLException {
        String waitReason = row.getString(7);
        return new Turn(
                row.getInt(8),
                waitReason == null ? null : WaitReason.of(waitReason),
                nullableLong(row, 9),
                nullableLong(row, 43));
    }

    private static Attempts attempts(ResultSet row) throws SQLException {
        return new Attempts(
                row.getInt(10),
                row.getInt(11),
                row.getInt(12),
                nullableLong(row, 18),
                nullableLong(row, 28),
                row.getString(29));
    }

    private static Lease lease(ResultSet row) throws SQLException {
        return new Lease(
                row.getLong(14),
                row.getObject(15, UUID.class),
                row.getInt(13),
                nullableLong(row, 16),
                nullableLong(row, 19));
    }

    private static Holding holding(ResultSet row) throws SQLException {
        return new Holding(
                row.getString(17),
                stop(row.getBoolean(20), row.getBoolean(42)),
                settled(row.getObject(38, UUID.class), row.getObject(39, UUID.class)));
    }

    private static Times times(ResultSet row) throws SQLException {
        return new Times(
                row.getLong(23),
                row.getLong(24),
                nullableLong(row, 25),
                nullableLong(row, 26),
                nullableLong(row, 27),
                nullableLong(row, 32));
    }

    private static Links links(ResultSet row) throws SQLException {
        String ifParentFails = row.getString(36);
        return new Links(
                new Keys(row.getString(33), row.getString(34), row.getString(35)),
                ifParentFails == null ? null : IfParentFails.of(ifParentFails),
                row.getBoolean(37));
    }

    private static Trail trail(@Nullable String trace, @Nullable String correlationId) {
        return trace == null && correlationId == null
                ? Trail.NONE
                : new Trail(trace, correlationId);
    }

    private static StopRequest stop(boolean cancel, boolean pause) {
        return cancel ? StopRequest.CANCEL : pause ? StopRequest.PAUSE : StopRequest.NONE;
    }

    private static @Nullable Settled settled(@Nullable UUID token, @Nullable UUID digest) {
        return token == null ? null : new Settled(token, digest);
    }

    private static @Nullable Long nullableLong(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
