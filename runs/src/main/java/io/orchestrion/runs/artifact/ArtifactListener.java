package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectLog;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunListener;
import io.orchestrion.runs.run.Times;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Has the artifacts of runs follow them: what is left open at the end of a run is discarded, the
/// rest expires, and goes with its run.
public final class ArtifactListener implements RunListener {
    private final SubjectLog subjects;

    /// @param subjects in which what is told of an artifact goes with it
    public ArtifactListener(SubjectLog subjects) {
        this.subjects = subjects;
    }

    @Override
    public void ended(Tx tx, Run run) throws SQLException {
        Times.Ends ends = run.times().ends();
        Long at = ends.completedMs() == null ? ends.cancelledMs() : ends.completedMs();
        ArtifactEnds.ended(tx, run.account(), run.id(), at == null ? tx.nowMillis() : at);
    }

    @Override
    public void dropped(Tx tx, Run run) throws SQLException {
        ArtifactEnds.dropped(tx, run.account(), run.id());
    }

    /// A record goes only when its object is gone, which the sweeper sees to. Until then there is
    /// more.
    @Override
    public int remove(Tx tx, UUID account, UUID run, int most) throws SQLException {
        ArtifactEnds.dropped(tx, account, run);
        List<UUID> gone = ArtifactSql.purge(tx, account, run, most);
        subjects.remove(tx, account, gone);
        return ArtifactEnds.anyLeft(tx, account, run) ? most : gone.size();
    }
}
