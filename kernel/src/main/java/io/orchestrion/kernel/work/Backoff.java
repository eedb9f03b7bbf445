package io.orchestrion.kernel.work;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// The delay before attempt n + 1: base · 2ⁿ⁻¹, at most the cap, spread by ± jitter. With full
/// jitter it is a random length between the floor and that value, so that many items that failed
/// together are not all retried at one moment.
///
/// @param base the first delay; zero means none
/// @param jitter a share of the delay, 0 to 1
/// @param floor the least delay there is
/// @param full whether the delay is a random length up to the computed one
public record Backoff(Duration base, Duration cap, double jitter, Duration floor, boolean full) {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    public static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 0);

    public Backoff(Duration base, Duration cap, double jitter) {
        this(base, cap, jitter, SHORTEST, false);
    }

    public static Backoff withFullJitter(Duration base, Duration cap, Duration floor) {
        return new Backoff(base, cap, 1, floor, true);
    }

    public Backoff {
        if (jitter < 0 || jitter > 1 || base.isNegative() || cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("base ≤ cap and jitter from 0 to 1");
        }
        if (!floor.isPositive() || (base.isPositive() && cap.compareTo(floor) < 0)) {
            throw new IllegalArgumentException("0 < floor ≤ cap");
        }
    }

    public boolean delays() {
        return base.isPositive();
    }

    public long delayMillis(int attemptsSoFar, RandomGenerator random) {
        if (!delays()) {
            return 0;
        }
        int doublings = Math.clamp(attemptsSoFar - 1L, 0, 40);
        double longest =
                Math.min((double) cap.toMillis(), base.toMillis() * Math.pow(2, doublings));
        double share = full ? random.nextDouble() : 1 + jitter * (2 * random.nextDouble() - 1);
        return Math.clamp(Math.round(longest * share), floor.toMillis(), cap.toMillis());
    }
}
