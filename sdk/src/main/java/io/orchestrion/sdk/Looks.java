package io.orchestrion.sdk;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Looks at something until it has ended, at intervals that grow while nothing happens.
final class Looks {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private Looks() {}

    /// @param same whether nothing has happened from one look to the next
    /// @return empty if it has not ended within the time
    static <T> Optional<T> until(
            MonotonicClock clock,
            Duration within,
            Supplier<T> look,
            BiPredicate<T, T> same,
            Predicate<T> ended) {
        long end = clock.nanos() + within.toNanos();
        Duration wait = FIRST;
        T before = null;
        while (true) {
            T now = look.get();
            if (before == null || !same.test(before, now)) {
                wait = FIRST;
            }
            before = now;
            long left = end - clock.nanos();
            if (ended.test(now) || left <= 0) {
                return ended.test(now) ? Optional.of(now) : Optional.empty();
            }
            try {
                clock.sleep(Duration.ofNanos(Math.min(left, wait.toNanos())));
            } catch (InterruptedException e) {
                throw Transport.interrupted(e);
            }
            Duration longer = wait.multipliedBy(3).dividedBy(2);
            wait = longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
        }
    }
}
