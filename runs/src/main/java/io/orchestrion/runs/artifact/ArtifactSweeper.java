package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.runs.artifact.SweepSql.Due;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.objects.ObjectStore;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Removes the objects of artifacts that have expired and of uploads that are dead. They are marked
/// first, so that nobody begins to read one that is about to go, and struck from the list when the
/// object is gone. A node that dies between the two leaves them due for another.
final class ArtifactSweeper implements Sweeper {
    private static final Logger log = LoggerFactory.getLogger(ArtifactSweeper.class);
    private static final int ACCOUNTS = 50;
    private static final int BATCH = 50;

    /// How long a node may take for a batch before another takes it over. Removing twice does no
    /// harm.
    private static final Duration AGAIN = Duration.ofMinutes(2);

    private final Kernel kernel;
    private final Database database;
    private final ObjectStore store;
    private final Failpoints failpoints;

    ArtifactSweeper(Kernel kernel, ObjectStore store) {
        this.kernel = kernel;
        this.database = kernel.database();
        this.store = store;
        this.failpoints = kernel.database().failpoints();
    }

    @Override
    public String name() {
        return "artifact-sweeper";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts = database.transaction(tx -> SweepSql.accounts(tx, ACCOUNTS));
        return Sweeps.each(name(), accounts, this::sweep);
    }

    private record Batch(long again, List<Due> due) {}

    private int sweep(UUID account) {
        Batch batch =
                database.transaction(
                        tx -> {
                            Commit.ARTIFACT_EXPIRED.in(tx);
                            long again = tx.nowMillis() + AGAIN.toMillis();
                            List<Due> due = SweepSql.claim(tx, account, again, BATCH);
                            kernel.subjects()
                                    .append(
                                            tx,
                                            account,
                                            due.stream()
                                                    .filter(
                                                            each ->
                                                                    each.was()
                                                                            == ArtifactState.READY)
                                                    .map(ArtifactSubjects::expired)
                                                    .toList());
                            return new Batch(again, due);
                        });
        failpoints.hit("artifact.claimed-for-removal");
        var gone = new ArrayList<UUID>();
        for (Due each : batch.due()) {
            try {
                store.remove(each.key());
                gone.add(each.id());
            } catch (IOException e) {
                log.atWarn()
                        .addKeyValue("run_id", PublicId.RUN.of(each.run()))
                        .addKeyValue("artifact_id", PublicId.ARTIFACT.of(each.id()))
                        .setCause(e)
                        .log("the object of an artifact could not be removed");
            }
        }
        failpoints.hit("artifact.removed");
        if (!gone.isEmpty()) {
            database.retried(
                    tx -> {
                        Commit.OBJECT_REMOVED.in(tx);
                        ArtifactSql.removed(tx, account, gone, batch.again());
                        return gone;
                    });
        }
        return gone.size();
    }
}
