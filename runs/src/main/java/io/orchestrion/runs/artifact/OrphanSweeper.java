package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.runs.objects.ObjectKey;
import io.orchestrion.runs.objects.ObjectStore;
import io.orchestrion.runs.objects.ObjectStore.Found;
import io.orchestrion.runs.objects.ObjectStore.Page;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// Walks over all that the store holds, page by page, and removes what belongs to no artifact. A
/// row is written before the first byte of its object and outlives it, so what has no row or a
/// deleted one can be removed whoever else walks at the same moment.
///
/// Objects of other databases in the same store are not ours to judge, and are left alone.
final class OrphanSweeper implements Sweeper {
    private static final int PAGE = 500;

    /// The rest between two pages, and after the last. A crash is cleaned up after by the
    /// [ArtifactSweeper]; this finds what a writer finished that was taken for dead long before.
    private static final Duration BETWEEN_PAGES = Duration.ofSeconds(5);

    private static final Duration BETWEEN_WALKS = Duration.ofHours(1);

    private final Database database;
    private final Failpoints failpoints;
    private final ObjectStore store;
    private final Spaces spaces;
    private volatile @Nullable String next;

    OrphanSweeper(Database database, ObjectStore store, Spaces spaces) {
        this.database = database;
        this.failpoints = database.failpoints();
        this.store = store;
        this.spaces = spaces;
    }

    @Override
    public String name() {
        return "artifact-orphans";
    }

    @Override
    public Duration pace(Duration usual) {
        return next == null ? BETWEEN_WALKS : BETWEEN_PAGES;
    }

    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int runOnce() {
        try {
            Page page = store.list(next, PAGE);
            int removed = 0;
            Map<UUID, List<Found>> byAccount =
                    page.found().stream()
                            .filter(each -> Space.account(each.key()) != null)
                            .collect(Collectors.groupingBy(each -> accountOf(each.key())));
            for (Map.Entry<UUID, List<Found>> each : byAccount.entrySet()) {
                removed += judge(each.getKey(), each.getValue());
            }
            next = page.next();
            return removed;
        } catch (IOException e) {
            next = null;
            throw new UncheckedIOException(e);
        }
    }

    private static UUID accountOf(ObjectKey key) {
        UUID account = Space.account(key);
        if (account == null) {
            throw new IllegalArgumentException("not of an artifact: " + key);
        }
        return account;
    }

    private int judge(UUID account, List<Found> found) throws IOException {
        Space space = spaces.find(account);
        if (space == null) {
            return 0;
        }
        List<Found> ours = found.stream().filter(each -> space.has(each.key())).toList();
        Map<ObjectKey, ArtifactState> known =
                database.transaction(
                        tx -> SweepSql.known(tx, account, ours.stream().map(Found::key).toList()));
        int removed = 0;
        for (Found each : ours) {
            ArtifactState state = known.get(each.key());
            if (state == null || state == ArtifactState.DELETED) {
                failpoints.hit("artifact.orphan-found");
                store.remove(each.key());
                failpoints.hit("artifact.orphan-removed");
                removed++;
            } else if (state == ArtifactState.READY && !each.finished()) {
                store.removeUnfinished(each.key());
                removed++;
            }
        }
        return removed;
    }
}
