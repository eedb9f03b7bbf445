package io.orchestrion.kernel.totals;

import io.orchestrion.kernel.db.JsonText;

import java.util.LinkedHashMap;
import java.util.Map;

/// The sums of the events of one transaction. They are written with the events, so that counting
/// the log means adding up a few numbers of each transaction.
public final class Tally {
    private record What(
            String kind, String event, String from, String to, boolean again, int bucket) {}

    private static final class Sum {
        private long count;
        private long millis;
    }

    private final Map<What, Sum> sums = new LinkedHashMap<>();

    /// @param from the state that ended, empty for what was handed in
    /// @param lastedMs how long it had lasted, of no meaning for what was handed in
    public void add(
            String kind, String event, String from, String to, boolean again, long lastedMs) {
        boolean began = from.isEmpty();
        int bucket = began ? -1 : bucket(lastedMs);
        Sum sum =
                sums.computeIfAbsent(
                        new What(kind, event, from, to, again, bucket), _ -> new Sum());
        sum.count++;
        sum.millis += began ? 0 : lastedMs;
    }

    /// The same where nobody measured how long the state that ended had lasted.
    public void addUntimed(String kind, String event, String from, String to) {
        sums.computeIfAbsent(new What(kind, event, from, to, false, -1), _ -> new Sum()).count++;
    }

    /// The same for what ends no state and moves an amount, which is added up. A sum ends where a
    /// long does.
    public void addAmount(String kind, String event, String to, long amount) {
        Sum sum = sums.computeIfAbsent(new What(kind, event, "", to, false, -1), _ -> new Sum());
        sum.count++;
        sum.millis = sum.millis > Long.MAX_VALUE - amount ? Long.MAX_VALUE : sum.millis + amount;
    }

    private static int bucket(long lastedMs) {
        int place = 0;
        while (place < Totals.BOUNDS_MS.size() && lastedMs >= Totals.BOUNDS_MS.get(place)) {
            place++;
        }
        return place;
    }

    /// As it is stored in the table. Kinds are the only words in it that neither the kernel nor the
    /// catalogue of an engine defines.
    public String json() {
        var out = new StringBuilder(64).append('[');
        sums.forEach(
                (what, sum) -> {
                    out.append(out.length() > 1 ? ",[" : "[");
                    JsonText.append(out, what.kind());
                    out.append(",\"")
                            .append(what.event())
                            .append("\",\"")
                            .append(what.from())
                            .append("\",\"")
                            .append(what.to())
                            .append("\",")
                            .append(what.again())
                            .append(',')
                            .append(what.bucket())
                            .append(',')
                            .append(sum.count)
                            .append(',')
                            .append(sum.millis)
                            .append(']');
                });
        return out.append(']').toString();
    }
}
