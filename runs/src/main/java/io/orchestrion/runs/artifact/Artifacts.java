package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.objects.CheckedContent;
import io.orchestrion.runs.objects.ObjectStore;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// The artifacts of runs as a door sees them.
public final class Artifacts {
    private final Database database;
    private final ObjectStore store;
    private final Uploads uploads;
    private final SignedAddresses addresses;
    private final Transfers uploading;
    private final Transfers downloading;

    /// @param kernel that is not started yet
    /// @param store is closed by whoever made it
    public Artifacts(Kernel kernel, ObjectStore store, ArtifactOptions options) {
        this.database = kernel.database();
        this.store = store;
        var spaces = new Spaces(database, kernel.ids());
        uploads = new Uploads(kernel, store, spaces, options);
        addresses = new SignedAddresses(spaces);
        uploading = new Transfers(options.transfersOfNode(), options.transfersOfAccount());
        downloading = new Transfers(options.transfersOfNode(), options.transfersOfAccount());
        kernel.add(new ArtifactSweeper(kernel, store));
        kernel.add(new OrphanSweeper(database, store, spaces));
    }

    /// The uploads of this node.
    public Transfers uploading() {
        return uploading;
    }

    /// The downloads of this node.
    public Transfers downloading() {
        return downloading;
    }

    public SignedAddresses addresses() {
        return addresses;
    }

    /// How much memory one transfer takes.
    public int bufferBytes() {
        return store.bufferBytes();
    }

    /// Takes the content in and returns when it is stored or refused.
    ///
    /// @param length of the content; null when it is not known before
    /// @throws IOException when the store fails; what the content throws is passed on
    public UploadOutcome upload(
            UUID account, Artifact.Of of, @Nullable Long length, InputStream content)
            throws IOException {
        return upload(
                account, new Upload(of, length, null), content, work -> database.retried(work::in));
    }

    /// The same, with the end committed as the caller likes.
    public UploadOutcome upload(UUID account, Upload asked, InputStream content, UploadEnd end)
            throws IOException {
        return uploads.upload(account, asked, content, end);
    }

    /// Somebody asks for an artifact.
    public sealed interface Got {
        /// @param nowMs when it was asked for
        record Here(Artifact artifact, long nowMs) implements Got {}

        record Missing() implements Got {}

        /// The record is kept, the bytes are gone or will be.
        record Expired(Artifact artifact) implements Got {}
    }

    /// Finds an artifact and keeps it for a while longer, as somebody wants it.
    public Got get(UUID account, UUID id) {
        return database.retried(tx -> get(tx, account, id));
    }

    /// The same in a transaction of the caller's.
    public Got get(Tx tx, UUID account, UUID id) throws SQLException {
        long until = tx.nowMillis() + ArtifactOptions.KEPT_AFTER_ACCESS.toMillis();
        Artifact extended = ArtifactSql.extend(tx, account, id, until);
        Artifact artifact = extended == null ? ArtifactSql.find(tx, account, id) : extended;
        if (artifact == null) {
            return new Got.Missing();
        }
        return artifact.isOver(tx.nowMillis())
                ? new Got.Expired(artifact)
                : new Got.Here(artifact, tx.nowMillis());
    }

    /// A part of the content of an artifact that is ready. All of it is checked against what was
    /// written before its last byte is given.
    ///
    /// @throws ObjectStore.NoSuchObject when it has expired meanwhile, or the store has lost it
    public InputStream open(Artifact artifact, long from, long length) throws IOException {
        InputStream content = store.open(artifact.key(), from, length);
        String sha256 = artifact.sha256();
        return sha256 != null && from == 0 && length == artifact.size()
                ? new CheckedContent(content, artifact.key(), length, sha256)
                : content;
    }

    /// Null where the account has no such run.
    public @Nullable List<Artifact> list(ArtifactQuery query) {
        return database.transaction(
                tx ->
                        ArtifactSql.hasRun(tx, query.account(), query.run())
                                ? ArtifactSql.page(tx, query)
                                : null);
    }

    public long nowMillis() {
        return database.aboutNowMillis();
    }
}
