package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Which of the times that have passed are to fire now.
///
/// @param missed how many are given up
/// @param lastMissedMs the newest of those
/// @param fires oldest first
/// @param nextMs the first time that is left for later, null when none is
record DueFires(
        long missed, @Nullable Long lastMissedMs, List<Planned> fires, @Nullable Long nextMs) {

    /// How many times are gone through in one transaction: a second's distance and a month without
    /// a server are millions. What is left stays due.
    static final int LOOKS_MAX = 1_000_000;

    /// @param late whether it was missed and is made good for
    record Planned(long fireMs, boolean late) {}

    /// @param firstMs the first time that nobody has dealt with
    /// @param most how many fires at the most; the others stay due
    static DueFires of(FireTimes times, long firstMs, long nowMs, CatchUp rule, int most) {
        var late = new ArrayDeque<Long>();
        var fires = new ArrayList<Planned>();
        long missed = 0;
        Long lastMissed = null;
        Long time = firstMs;
        for (int looks = 0; time != null && time <= nowMs; looks++) {
            if (looks >= LOOKS_MAX && time < rule.missedBefore(nowMs)) {
                // Whether those at hand are the newest is not known yet: they are looked at again.
                return new DueFires(
                        missed, lastMissed, List.of(), late.isEmpty() ? time : late.getFirst());
            }
            if (time < rule.missedBefore(nowMs)) {
                late.add(time);
                if (late.size() > rule.kept()) {
                    lastMissed = late.remove();
                    missed++;
                }
            } else {
                fires.add(new Planned(time, false));
            }
            time = times.after(time);
        }
        if (rule.policy() == CatchUp.Policy.LATEST && !fires.isEmpty() && !late.isEmpty()) {
            lastMissed = late.remove();
            missed++;
        }
        fires.addAll(0, late.stream().map(ms -> new Planned(ms, true)).toList());
        return fires.size() <= most
                ? new DueFires(missed, lastMissed, fires, time)
                : new DueFires(
                        missed, lastMissed, fires.subList(0, most), fires.get(most).fireMs());
    }
}
