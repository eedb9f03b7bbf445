package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// Notes when credentials were last used, at most once a minute for each. A request only leaves a
/// note in memory. A duty writes the notes, and a node that dies loses those of its last second.
abstract class UseNotes<U extends UseNotes.Use> implements Sweeper {
    static final long PAUSE_MS = 60_000;
    private static final int REMEMBERED_AT_MOST = 10_000;

    /// That a credential was used.
    interface Use {
        UUID account();

        UUID id();
    }

    private final Database database;
    private final Map<UUID, U> uses = new ConcurrentHashMap<>();

    UseNotes(Database database) {
        this.database = database;
    }

    /// Writes the notes of one account; returns how many.
    abstract int write(Tx tx, UUID account, List<U> uses) throws SQLException;

    static boolean due(@Nullable Long lastMs, long nowMs) {
        return lastMs == null || lastMs <= nowMs - PAUSE_MS;
    }

    void note(U use) {
        if (uses.size() < REMEMBERED_AT_MOST) {
            uses.put(use.id(), use);
        }
    }

    /// Everything is written in one pass.
    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int runOnce() {
        var byAccount = new TreeMap<UUID, List<U>>();
        for (U use : uses.values()) {
            byAccount.computeIfAbsent(use.account(), _ -> new ArrayList<>()).add(use);
        }
        if (byAccount.isEmpty()) {
            return 0;
        }
        int noted =
                database.transaction(
                        tx -> {
                            int written = 0;
                            for (var account : byAccount.entrySet()) {
                                written += write(tx, account.getKey(), account.getValue());
                            }
                            return written;
                        });
        byAccount.values().forEach(list -> list.forEach(use -> uses.remove(use.id(), use)));
        return noted;
    }
}
