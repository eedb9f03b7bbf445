package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.UUID;

/// What the end of a run means for its artifacts. The engine of runs calls it in its own
/// transaction, with the run locked, so no upload can end at the same moment.
public final class ArtifactEnds {
    private ArtifactEnds() {}

    /// The run has reached a state in which its attempt is over, whichever: what is not uploaded
    /// yet is discarded, and the rest is kept for thirty days from then on.
    public static void ended(Tx tx, UUID account, UUID run, long endedMs) throws SQLException {
        ArtifactSql.endUploads(tx, account, run);
        ArtifactSql.endReady(tx, account, run, endedMs + ArtifactOptions.KEPT.toMillis());
    }

    /// The run was taken away, or is about to be purged: its artifacts have no reason to stay.
    public static void dropped(Tx tx, UUID account, UUID run) throws SQLException {
        ArtifactSql.endUploads(tx, account, run);
        ArtifactSql.expireAll(tx, account, run);
    }

    /// Whether the run has records of artifacts, whatever became of them.
    public static boolean anyLeft(Tx tx, UUID account, UUID run) throws SQLException {
        return ArtifactSql.anyLeft(tx, account, run);
    }

    /// Removes records without an object, before the row of the run is removed. After [#dropped],
    /// some may stay until their objects are swept; the run's row can be removed only when none is
    /// left.
    ///
    /// @return how many went
    public static int purge(Tx tx, UUID account, UUID run, int most) throws SQLException {
        return ArtifactSql.purge(tx, account, run, most).size();
    }
}
