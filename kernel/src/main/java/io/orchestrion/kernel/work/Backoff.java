package io.orchestrion.kernel.work;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// The delay before attempt n + 1: base · 2ⁿ⁻¹, at most the cap, spread by ± jitter.
///
/// @param base the first delay; zero means none
/// @param jitter a share of the delay, 0 to 1
public record Backoff(Duration base, Duration cap, double jitter) {
    public static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 0);

    public Backoff {
        if (jitter < 0 || jitter > 1 || base.isNegative() || cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("base ≤ cap and jitter from 0 to 1");
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
        double full = Math.min((double) cap.toMillis(), base.toMillis() * Math.pow(2, doublings));
        double spread = 1 + jitter * (2 * random.nextDouble() - 1);
        return Math.clamp(Math.round(full * spread), 1, cap.toMillis());
    }
}
