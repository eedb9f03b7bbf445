package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// Starts about to be counted against their rate keys.
final class Starts {
    /// A period is counted in so many slices. A slice is dropped when its last start is a period
    /// old. So a key may wait for up to a slice longer than it must, and never too short.
    static final int SLICES = 32;

    private record Key(String queue, String kind, String rateKey, long periodMs) {}

    /// One row to be written.
    record Row(String queue, String kind, String rateKey, long sliceMs, int starts, long purgeMs) {}

    private final Map<Key, Integer> counted = new LinkedHashMap<>();

    void add(String queue, String kind, @Nullable String rateKey, @Nullable Long periodMs) {
        if (rateKey != null && periodMs != null) {
            counted.merge(new Key(queue, kind, rateKey, periodMs), 1, Integer::sum);
        }
    }

    void write(Tx tx, UUID account) throws SQLException {
        if (counted.isEmpty()) {
            return;
        }
        long nowMs = tx.nowMillis();
        var rows = new ArrayList<Row>();
        counted.forEach(
                (key, count) -> {
                    long slice = Math.ceilDiv(key.periodMs(), SLICES);
                    rows.add(
                            new Row(
                                    key.queue(),
                                    key.kind(),
                                    key.rateKey(),
                                    nowMs - nowMs % slice,
                                    count,
                                    nowMs + 2 * key.periodMs()));
                });
        FlowSql.addStarts(tx, account, rows);
    }
}
