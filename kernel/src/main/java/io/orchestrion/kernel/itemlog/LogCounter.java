package io.orchestrion.kernel.itemlog;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// How much was written to one log, held to its bounds. Lines beyond a thousand a second would run
/// ahead of the clock, because no two share a millisecond: the rate stays below that.
///
/// @param windowMs when the stretch began that the rate is counted in
public record LogCounter(int events, long bytes, long windowMs, int inWindow) {
    public static final int EVENTS_MAX = 100_000;
    public static final long BYTES_MAX = 64L << 20;
    public static final int IN_WINDOW_MAX = 5_000;
    public static final Duration WINDOW = Duration.ofSeconds(10);

    public static final LogCounter ZERO = new LogCounter(0, 0, 0, 0);

    /// A bound that one more line would break.
    ///
    /// @param waitMs until there is room again; 0 for never
    public record Full(String what, long max, long waitMs) {}

    /// Which bound forbids more lines; null when none does.
    public @Nullable Full full(int more, long nowMs) {
        if (events >= EVENTS_MAX) {
            return new Full("events of one job", EVENTS_MAX, 0);
        }
        if (bytes + more > BYTES_MAX) {
            return new Full("bytes of the events of one job", BYTES_MAX, 0);
        }
        long over = windowMs + WINDOW.toMillis() - nowMs;
        return over > 0 && inWindow >= IN_WINDOW_MAX
                ? new Full(
                        "events of one job in " + WINDOW.toSeconds() + " seconds",
                        IN_WINDOW_MAX,
                        over)
                : null;
    }

    public LogCounter plus(int more, long nowMs) {
        boolean fresh = nowMs >= windowMs + WINDOW.toMillis();
        return new LogCounter(
                events + 1, bytes + more, fresh ? nowMs : windowMs, fresh ? 1 : inWindow + 1);
    }
}
