package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// The spaces of accounts. One never changes, so it is read once.
final class Spaces {
    /// More are read anew.
    private static final int REMEMBERED = 10_000;

    private final Database database;
    private final Ids ids;
    private final SecureRandom random = new SecureRandom();
    private final ConcurrentHashMap<UUID, Space> remembered = new ConcurrentHashMap<>();

    Spaces(Database database, Ids ids) {
        this.database = database;
        this.ids = ids;
    }

    /// Null for an account that has never had an artifact.
    @Nullable Space find(UUID account) {
        Space known = remembered.get(account);
        return known == null
                ? remember(database.transaction(tx -> ArtifactSql.space(tx, account)))
                : known;
    }

    /// Makes it where there is none.
    Space of(UUID account) {
        Space known = find(account);
        if (known != null) {
            return known;
        }
        byte[] urlKey = new byte[Space.URL_KEY_BYTES];
        random.nextBytes(urlKey);
        var made = new Space(account, ids.token(), urlKey);
        Space stored =
                database.retried(
                        tx -> {
                            ArtifactSql.makeSpace(tx, made);
                            return ArtifactSql.space(tx, account);
                        });
        remember(stored);
        return Objects.requireNonNull(stored, "no such account");
    }

    private @Nullable Space remember(@Nullable Space space) {
        if (space != null) {
            if (remembered.size() >= REMEMBERED) {
                remembered.clear();
            }
            remembered.put(space.account(), space);
        }
        return space;
    }
}
