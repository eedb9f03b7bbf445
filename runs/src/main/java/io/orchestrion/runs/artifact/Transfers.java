package io.orchestrion.runs.artifact;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// The uploads or the downloads that this node has under way. No account may have all places.
public final class Transfers {
    private final int most;
    private final int mostOfAccount;
    private final Map<UUID, Integer> byAccount = new HashMap<>();
    private int all;

    Transfers(int most, int mostOfAccount) {
        this.most = most;
        this.mostOfAccount = mostOfAccount;
    }

    /// A place, held until it is closed.
    public final class Place implements AutoCloseable {
        private final UUID account;
        private boolean left;

        private Place(UUID account) {
            this.account = account;
        }

        @Override
        public void close() {
            synchronized (Transfers.this) {
                if (!left) {
                    left = true;
                    all--;
                    byAccount.computeIfPresent(account, (_, n) -> n == 1 ? null : n - 1);
                }
            }
        }
    }

    /// Null when there is none for this account now.
    public synchronized @Nullable Place enter(UUID account) {
        int own = byAccount.getOrDefault(account, 0);
        if (all >= most || own >= mostOfAccount) {
            return null;
        }
        all++;
        byAccount.put(account, own + 1);
        return new Place(account);
    }

    /// Whether there is none for any account.
    public synchronized boolean isFull() {
        return all >= most;
    }

    public synchronized int underWay() {
        return all;
    }
}
