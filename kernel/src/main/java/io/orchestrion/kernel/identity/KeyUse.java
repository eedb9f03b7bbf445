package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// Notes when keys were last used, at most once a minute for each. Requests only leave a word here;
/// it is written in passing, and a node that dies loses its last second of it.
public final class KeyUse implements Sweeper {
    static final long PAUSE_MS = 60_000;
    private static final int REMEMBERED_AT_MOST = 10_000;

    /// @param atMs by the database's clock
    record Use(UUID account, UUID keyId, long atMs) {}

    private final Database database;
    private final Map<UUID, Use> uses = new ConcurrentHashMap<>();

    public KeyUse(Database database) {
        this.database = database;
    }

    void seen(IdentitySql.KeyRow key, long nowMs) {
        Long last = key.lastUsedMs();
        boolean due = last == null || last <= nowMs - PAUSE_MS;
        if (due && uses.size() < REMEMBERED_AT_MOST) {
            Principal principal = key.principal();
            uses.put(principal.keyId(), new Use(principal.accountId(), principal.keyId(), nowMs));
        }
    }

    @Override
    public String name() {
        return "key-use";
    }

    /// Everything is written in one pass.
    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int runOnce() {
        var byAccount = new TreeMap<UUID, List<Use>>();
        for (Use use : uses.values()) {
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
                                written +=
                                        IdentitySql.noteUse(
                                                tx, account.getKey(), account.getValue());
                            }
                            return written;
                        });
        byAccount.values().forEach(list -> list.forEach(use -> uses.remove(use.keyId(), use)));
        return noted;
    }
}
