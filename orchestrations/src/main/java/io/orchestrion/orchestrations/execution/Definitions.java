package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.memory.WeighedMap;
import io.orchestrion.orchestrations.definition.Definition;
import io.orchestrion.orchestrations.definition.DefinitionGraph;
import io.orchestrion.orchestrations.definition.DefinitionReader;
import io.orchestrion.orchestrations.definition.ReadDefinition;
import io.orchestrion.orchestrations.definition.Schemas;
import io.orchestrion.orchestrations.execution.DefinitionVersion.Status;
import io.orchestrion.orchestrations.execution.Execution.DefinitionRef;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Definitions in versions: drafts are rewritten, published ones never change.
public final class Definitions {
    /// Read definitions are kept while they take so much memory, roughly.
    private static final long KEPT_BYTES = 64L << 20;

    /// What a read definition takes for each character of its document, roughly.
    private static final int BYTES_OF_CHARACTER = 20;

    /// How many definitions are remembered with their newest published version.
    private static final long LATEST_MAX = 10_000;

    private final Kernel kernel;
    private final DefinitionReader reader;
    private final Schemas schemas;

    private record Key(UUID account, UUID id, int version) {}

    private record Kept(Published published, long bytes) {}

    private record Name(UUID account, UUID id) {}

    private final WeighedMap<Key, Kept> kept = new WeighedMap<>(KEPT_BYTES, Kept::bytes);

    /// A guess: the transaction that makes an execution looks whether it is still so.
    private final WeighedMap<Name, Integer> latest = new WeighedMap<>(LATEST_MAX, _ -> 1);

    Definitions(Kernel kernel, DefinitionReader reader, Schemas schemas) {
        this.kernel = kernel;
        this.reader = reader;
        this.schemas = schemas;
    }

    /// The version that a new execution would follow.
    sealed interface Pin {
        record Usable(Published published, int version) implements Pin {}

        record None() implements Pin {}

        record Draft() implements Pin {}

        record Deprecated() implements Pin {}
    }

    /// What became of a change of a definition.
    public sealed interface Changed {
        /// @param findings what its author should know
        record Done(DefinitionVersion version, List<Finding> findings) implements Changed {}

        record NotFound() implements Changed {}

        /// @param findings at least one of which is an error
        record Refused(List<Finding> findings) implements Changed {}

        /// The version is published, so its content stays as it is.
        record Immutable(DefinitionVersion version) implements Changed {}

        /// Its status does not allow this.
        record WrongStatus(DefinitionVersion version) implements Changed {}

        /// There is a draft already.
        record DraftExists(DefinitionVersion draft) implements Changed {}
    }

    /// What there is to say of a document, without storing anything.
    public ReadDefinition read(UUID account, String document) {
        return reader.read(account, document);
    }

    public Changed create(UUID account, Person by, String document) {
        ReadDefinition read = reader.read(account, document);
        Definition definition = read.definition();
        if (definition == null) {
            return new Changed.Refused(read.findings());
        }
        return kernel.database()
                .retried(
                        tx -> {
                            UUID id = kernel.ids().next(tx.nowMillis());
                            DefinitionSql.insert(tx, account, id, 1, definition);
                            return done(tx, account, by, "create", id, 1, read.findings());
                        });
    }

    /// A new draft: of that document, or a copy of the newest version.
    public Changed addVersion(UUID account, Person by, UUID id, @Nullable String document) {
        ReadDefinition read = document == null ? null : reader.read(account, document);
        if (read != null && read.definition() == null) {
            return new Changed.Refused(read.findings());
        }
        return kernel.database()
                .retried(
                        tx -> {
                            DefinitionVersion newest = DefinitionSql.newest(tx, account, id);
                            if (newest == null) {
                                return new Changed.NotFound();
                            }
                            if (newest.status() == Status.DRAFT) {
                                return new Changed.DraftExists(newest);
                            }
                            ReadDefinition content =
                                    read == null ? reader.read(account, newest.document()) : read;
                            Definition definition = content.definition();
                            if (definition == null) {
                                return new Changed.Refused(content.findings());
                            }
                            int version = newest.version() + 1;
                            DefinitionSql.insert(tx, account, id, version, definition);
                            return done(
                                    tx,
                                    account,
                                    by,
                                    "new_version",
                                    id,
                                    version,
                                    content.findings());
                        });
    }

    public Changed rewrite(UUID account, Person by, UUID id, int version, String document) {
        ReadDefinition read = reader.read(account, document);
        Definition definition = read.definition();
        if (definition == null) {
            return new Changed.Refused(read.findings());
        }
        return kernel.database()
                .retried(
                        tx -> {
                            DefinitionVersion before = DefinitionSql.lock(tx, account, id, version);
                            if (before == null) {
                                return new Changed.NotFound();
                            }
                            if (before.status() != Status.DRAFT) {
                                return new Changed.Immutable(before);
                            }
                            DefinitionSql.rewrite(tx, account, id, version, definition);
                            return done(tx, account, by, "rewrite", id, version, read.findings());
                        });
    }

    /// From then on executions can follow it, and nothing of it changes.
    public Changed publish(UUID account, Person by, UUID id, int version) {
        return kernel.database()
                .retried(
                        tx -> {
                            DefinitionVersion draft = DefinitionSql.lock(tx, account, id, version);
                            if (draft == null) {
                                return new Changed.NotFound();
                            }
                            if (draft.status() != Status.DRAFT) {
                                return new Changed.WrongStatus(draft);
                            }
                            ReadDefinition read = reader.read(account, draft.document());
                            if (!read.isPublishable()) {
                                return new Changed.Refused(read.findings());
                            }
                            DefinitionSql.publish(tx, account, id, version);
                            tx.afterCommit(() -> forget(account, id));
                            return done(tx, account, by, "publish", id, version, read.findings());
                        });
    }

    /// No new execution follows it; those that do go on.
    public Changed deprecate(UUID account, Person by, UUID id, int version) {
        return kernel.database()
                .retried(
                        tx -> {
                            DefinitionVersion before = DefinitionSql.lock(tx, account, id, version);
                            if (before == null) {
                                return new Changed.NotFound();
                            }
                            if (before.status() != Status.PUBLISHED) {
                                return new Changed.WrongStatus(before);
                            }
                            DefinitionSql.deprecate(tx, account, id, version);
                            tx.afterCommit(() -> forget(account, id));
                            return done(tx, account, by, "deprecate", id, version, List.of());
                        });
    }

    private static Changed done(
            Tx tx,
            UUID account,
            Person by,
            String action,
            UUID id,
            int version,
            List<Finding> findings)
            throws SQLException {
        DefinitionVersion now = DefinitionSql.find(tx, account, id, version);
        if (now == null) {
            throw new IllegalStateException("account " + account + " does not exist");
        }
        Audit.write(
                tx,
                account,
                by.actor(),
                "orchestration.definition." + action,
                Subject.of("definition", id),
                Detail.none().number("version", version));
        return new Changed.Done(now, findings);
    }

    public @Nullable DefinitionVersion get(UUID account, UUID id, int version) {
        return kernel.database().transaction(tx -> DefinitionSql.find(tx, account, id, version));
    }

    /// The steps of a version, which may be a draft.
    public DefinitionGraph graph(DefinitionVersion version) {
        return reader.stored(version.document()).graph();
    }

    /// Newest first; empty where there is no such definition.
    public List<DefinitionVersion> versions(
            UUID account, UUID id, @Nullable Integer before, int most) {
        return kernel.database()
                .transaction(tx -> DefinitionSql.versions(tx, account, id, before, most));
    }

    /// The newest version of each definition that fits.
    public List<DefinitionVersion> list(DefinitionQuery query) {
        return kernel.database().transaction(tx -> DefinitionSql.page(tx, query, query.limit()));
    }

    /// The version that a new execution would follow, as far as this node knows.
    ///
    /// @param version null for the newest published one
    /// @param fresh whether what this node knows has turned out to be old
    Pin pin(UUID account, UUID id, @Nullable Integer version, boolean fresh) {
        if (fresh) {
            return kernel.database().transaction(tx -> pin(tx, account, id, version));
        }
        Integer wanted = version == null ? latest.get(new Name(account, id)) : version;
        Kept known = wanted == null ? null : kept.get(new Key(account, id, wanted));
        return wanted != null && known != null
                ? new Pin.Usable(known.published(), wanted)
                : kernel.database().transaction(tx -> pin(tx, account, id, version));
    }

    private Pin pin(Tx tx, UUID account, UUID id, @Nullable Integer version) throws SQLException {
        Integer wanted =
                version == null
                        ? DefinitionSql.standing(tx, account, List.of(id)).newest().get(id)
                        : version;
        DefinitionVersion found =
                wanted == null
                        ? first(DefinitionSql.versions(tx, account, id, null, 1))
                        : DefinitionSql.find(tx, account, id, wanted);
        if (found == null) {
            return new Pin.None();
        }
        return switch (found.status()) {
            case DRAFT -> new Pin.Draft();
            case DEPRECATED -> new Pin.Deprecated();
            case PUBLISHED -> {
                if (version == null) {
                    latest.put(new Name(account, id), found.version());
                }
                yield new Pin.Usable(keep(account, found), found.version());
            }
        };
    }

    private static @Nullable DefinitionVersion first(List<DefinitionVersion> versions) {
        return versions.isEmpty() ? null : versions.getFirst();
    }

    /// The guess about this definition was wrong.
    void forget(UUID account, UUID id) {
        latest.remove(new Name(account, id));
    }

    /// Reads a definition that executions follow, or gives the one that was read before.
    Published of(Tx tx, UUID account, DefinitionRef ref) throws SQLException {
        var key = new Key(account, ref.id(), ref.version());
        Kept known = kept.get(key);
        if (known != null) {
            return known.published();
        }
        DefinitionVersion version = DefinitionSql.find(tx, account, ref.id(), ref.version());
        if (version == null) {
            throw new IllegalStateException("no definition " + ref);
        }
        return keep(account, version);
    }

    private Published keep(UUID account, DefinitionVersion version) {
        var published = new Published(account, reader.stored(version.document()), schemas);
        kept.put(
                new Key(account, version.id(), version.version()),
                new Kept(published, (long) version.document().length() * BYTES_OF_CHARACTER));
        return published;
    }
}
