package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.runs.artifact.ArtifactSql.LockedRun;
import io.orchestrion.runs.artifact.ArtifactSql.Use;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.objects.ObjectStore;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Takes artifacts in. The row is written before the first byte and says how many bytes are set
/// aside, so what a run may have is never passed, whoever uploads at the same moment on whichever
/// node. The row is ready only after the object is durable. Between the two it has a lease, which
/// the upload renews while bytes come; one that ends without a word is swept away.
final class Uploads {
    private static final Logger log = LoggerFactory.getLogger(Uploads.class);

    /// What an upload of unknown length takes at a time. Nothing else may have it meanwhile.
    static final long GRANT_BYTES = 16 * 1024 * 1024;

    /// A lease is renewed so often before it ends.
    private static final int RENEWALS = 9;

    private final Database database;
    private final Kernel kernel;
    private final ObjectStore store;
    private final Spaces spaces;
    private final ArtifactOptions options;
    private final Failpoints failpoints;

    Uploads(Kernel kernel, ObjectStore store, Spaces spaces, ArtifactOptions options) {
        this.database = kernel.database();
        this.kernel = kernel;
        this.store = store;
        this.spaces = spaces;
        this.options = options;
        this.failpoints = kernel.database().failpoints();
    }

    private sealed interface Begun {
        record Open(Artifact artifact) implements Begun {}

        record Refused(UploadOutcome why) implements Begun {}
    }

    /// Ends the writing of an object from within its source.
    private static final class Stop extends IOException {
        private static final long serialVersionUID = 1;
        private final transient UploadOutcome outcome;

        Stop(UploadOutcome outcome) {
            super("the upload is refused");
            this.outcome = outcome;
        }
    }

    /// @throws IOException when the store fails; what the content throws is passed on
    UploadOutcome upload(UUID account, Upload asked, InputStream content, UploadEnd end)
            throws IOException {
        Space space = spaces.of(account);
        return switch (database.retried(tx -> begin(tx, space, asked.of(), asked.length()))) {
            case Begun.Refused(var why) -> why;
            case Begun.Open(var artifact) -> {
                failpoints.hit("artifact.begun");
                boolean stored = false;
                try {
                    UploadOutcome outcome = write(artifact, asked, content, end);
                    stored = outcome instanceof UploadOutcome.Stored;
                    yield outcome;
                } catch (Stop stop) {
                    yield stop.outcome;
                } finally {
                    if (!stored) {
                        discard(artifact);
                    }
                }
            }
        };
    }

    private Begun begin(Tx tx, Space space, Artifact.Of of, @Nullable Long length)
            throws SQLException {
        Commit.UPLOAD_BEGUN.in(tx);
        UUID account = space.account();
        LockedRun run = ArtifactSql.lockRun(tx, account, of.run());
        if (run == null) {
            return new Begun.Refused(new UploadOutcome.NoRun());
        }
        if (isOver(run)) {
            return new Begun.Refused(new UploadOutcome.RunOver(run.status(), run.deleted()));
        }
        if (of.step() != null && !ArtifactSql.hasStep(tx, account, of.run(), of.step())) {
            return new Begun.Refused(new UploadOutcome.NoStep());
        }
        Artifact before = ArtifactSql.named(tx, account, of.run(), of.name());
        if (before != null) {
            return new Begun.Refused(new UploadOutcome.NameTaken(before));
        }
        Use use = ArtifactSql.use(tx, account, of.run());
        if (use.uploads() >= options.uploadsPerRun()) {
            return new Begun.Refused(new UploadOutcome.TooManyUploads(options.uploadsPerRun()));
        }
        if (use.artifacts() >= options.artifactsPerRun()) {
            return new Begun.Refused(new UploadOutcome.TooManyArtifacts(options.artifactsPerRun()));
        }
        long left = Math.max(0, options.bytesPerRun() - use.bytes());
        if (length != null && length > left) {
            return new Begun.Refused(
                    new UploadOutcome.TooLarge(options.bytesPerRun(), use.bytes()));
        }
        long now = tx.nowMillis();
        UUID id = kernel.ids().next(now);
        var artifact =
                new Artifact(
                        account,
                        id,
                        of,
                        space.key(id),
                        length == null ? Math.min(GRANT_BYTES, left) : length,
                        null,
                        ArtifactState.UPLOADING,
                        false,
                        new Artifact.Times(now, null, null, null));
        ArtifactSql.begin(tx, artifact, now + options.lease().toMillis());
        return new Begun.Open(artifact);
    }

    private static boolean isOver(LockedRun run) {
        return run.status().isOver() || run.deleted();
    }

    private UploadOutcome write(Artifact artifact, Upload asked, InputStream content, UploadEnd end)
            throws IOException {
        var source = new Source(artifact, content);
        ObjectStore.Written written = store.put(artifact.key(), source);
        failpoints.hit("artifact.written");
        if (asked.sha256() != null && !asked.sha256().equals(written.sha256())) {
            return new UploadOutcome.OtherContent(written.sha256());
        }
        UploadOutcome outcome =
                end.commit(
                        tx -> {
                            UploadOutcome done = finish(tx, artifact, written);
                            if (done instanceof UploadOutcome.Stored(var ready)) {
                                kernel.subjects()
                                        .append(
                                                tx,
                                                ready.account(),
                                                List.of(ArtifactSubjects.stored(ready)));
                            }
                            return done;
                        });
        failpoints.hit("artifact.ready");
        return outcome;
    }

    private static UploadOutcome finish(Tx tx, Artifact artifact, ObjectStore.Written written)
            throws SQLException {
        Commit.UPLOAD_FINISHED.in(tx);
        LockedRun run = ArtifactSql.lockRun(tx, artifact.account(), artifact.of().run());
        if (run == null) {
            return new UploadOutcome.NoRun();
        }
        if (isOver(run)) {
            return new UploadOutcome.RunOver(run.status(), run.deleted());
        }
        Artifact ready = ArtifactSql.finish(tx, artifact, written.size(), written.sha256());
        return ready == null ? new UploadOutcome.Lost() : new UploadOutcome.Stored(ready);
    }

    /// What cannot be discarded now, the sweeper finds when the lease is over. The object goes only
    /// where the row says so: after a commit whose outcome is unknown, the artifact may be ready.
    private void discard(Artifact artifact) {
        try {
            boolean gone =
                    database.retried(
                            tx -> {
                                Commit.UPLOAD_DISCARDED.in(tx);
                                ArtifactSql.discard(tx, artifact);
                                Artifact now =
                                        ArtifactSql.find(tx, artifact.account(), artifact.id());
                                return now == null || now.state() == ArtifactState.DELETED;
                            });
            if (gone) {
                store.remove(artifact.key());
            }
        } catch (StoreException | IOException e) {
            log.atInfo()
                    .addKeyValue("run_id", PublicId.RUN.of(artifact.of().run()))
                    .addKeyValue("artifact_id", PublicId.ARTIFACT.of(artifact.id()))
                    .setCause(e)
                    .log("what is left of an upload is for the sweeper");
        }
    }

    /// The content on its way to the store.
    private final class Source extends InputStream {
        private final Artifact artifact;
        private final InputStream content;
        private final long renewMs = options.lease().toMillis() / RENEWALS;
        private long setAside;
        private long count;
        private long renewedMs;

        Source(Artifact artifact, InputStream content) {
            this.artifact = artifact;
            this.content = content;
            this.setAside = artifact.size();
            this.renewedMs = database.aboutNowMillis();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int n = content.read(into, offset, length);
            if (n > 0) {
                count += n;
            }
            long now = database.aboutNowMillis();
            if (count > setAside || now - renewedMs >= renewMs) {
                renew();
                renewedMs = now;
            }
            return n;
        }

        private void renew() throws IOException {
            UploadOutcome refusal = database.retried(this::renewed);
            if (refusal != null) {
                throw new Stop(refusal);
            }
        }

        /// Null when the upload may go on.
        private @Nullable UploadOutcome renewed(Tx tx) throws SQLException {
            Commit.UPLOAD_RENEWED.in(tx);
            LockedRun run = ArtifactSql.lockRun(tx, artifact.account(), artifact.of().run());
            if (run == null) {
                return new UploadOutcome.NoRun();
            }
            if (isOver(run)) {
                return new UploadOutcome.RunOver(run.status(), run.deleted());
            }
            long wanted = setAside;
            if (count > setAside) {
                Use use = ArtifactSql.use(tx, artifact.account(), artifact.of().run());
                long others = use.bytes() - setAside;
                if (count > options.bytesPerRun() - others) {
                    return new UploadOutcome.TooLarge(options.bytesPerRun(), others);
                }
                wanted = Math.min(count + GRANT_BYTES, options.bytesPerRun() - others);
            }
            if (!ArtifactSql.renew(
                    tx, artifact, wanted, tx.nowMillis() + options.lease().toMillis())) {
                return new UploadOutcome.Lost();
            }
            long granted = wanted;
            tx.afterCommit(() -> setAside = granted);
            return null;
        }
    }
}
