package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;

/// Remembers where the ready items of a kind begin in their index, for as long as finding the first
/// one is slow.
///
/// Claimed entries that are not cleared away yet lie before the first ready item in its index. As a
/// rule there are few of them. But nothing is cleared away while an old snapshot is open, such as
/// that of a backup or of a forgotten session. Then every claim would read through all these
/// entries, and claims would get slower by the minute. So after some slow looks, claims begin where
/// the last one found something. Only now and then, depending on how long that takes, a claim looks
/// from the beginning again.
///
/// An item that this node makes ready again is found at once, because the node then forgets the
/// mark. An older item that another node makes ready again may come after younger ones until the
/// next look from the beginning. When there are no others, it is found at once, too.
public final class ClaimMarks {
    /// The ready items of one kind, in the order of claims.
    public record Line(UUID account, String queue, String kind) {}

    /// A place in a line. Items of a better rank lie before it, and claims always look for those,
    /// too.
    public record Mark(long rank, long orderMs, UUID id) {
        private static final Comparator<Mark> BEST_FIRST =
                Comparator.comparingLong(Mark::rank)
                        .reversed()
                        .thenComparingLong(Mark::orderMs)
                        .thenComparing(Mark::id);

        /// The mark of the first item that a claim found; null when the item's id does not tell its
        /// age.
        static @Nullable Mark of(long rank, long orderMs, UUID id) {
            return id.version() == 7 ? new Mark(rank, orderMs, earlier(id)) : null;
        }

        Mark better(Mark other) {
            return BEST_FIRST.compare(this, other) <= 0 ? this : other;
        }

        /// A transaction that began earlier may commit later, and its items lie before this one. So
        /// the mark is set a little before the item.
        private static UUID earlier(UUID id) {
            long millis = (id.getMostSignificantBits() >>> 16) - SLACK.toMillis();
            return new UUID(millis << 16, 0);
        }
    }

    private static final Duration SLOW = Duration.ofMillis(20);

    /// A look for many items takes longer than one for few, so the bound is by item. On a busy
    /// machine a look for a hundred or more always took over twenty milliseconds, and claims of
    /// batches began at marks for nothing.
    private static final Duration SLOW_EACH = Duration.ofNanos(250_000);

    private static final int SLOW_LOOKS = 3;
    private static final Duration SLACK = Duration.ofSeconds(1);
    private static final Duration TRUSTED_AT_MOST = Duration.ofSeconds(30);

    /// A look from the beginning takes at most this part of the time.
    private static final int TIMES_AS_LONG = 100;

    private static final class State {
        long generation;
        int slowLooks;
        @Nullable Mark mark;
        long until;
    }

    private final NanoTicker ticker;
    private final Map<Line, State> states = new BoundedMap<>();

    public ClaimMarks(NanoTicker ticker) {
        this.ticker = ticker;
    }

    /// Where a claim may begin; null for the beginning.
    public synchronized @Nullable Mark of(Line line) {
        State state = states.get(line);
        return state == null || ticker.nanos() - state.until >= 0 ? null : state.mark;
    }

    /// Begins a look from the beginning of the line.
    ///
    /// @param wanted how many items it may find, of whatever line
    synchronized Look look(Line line, int wanted) {
        State state = states.computeIfAbsent(line, _ -> new State());
        long slow = SLOW.plus(SLOW_EACH.multipliedBy(wanted)).toNanos();
        return new Look(state, state.generation, ticker.nanos(), slow);
    }

    final class Look {
        private final State state;
        private final long generation;
        private final long began;
        private final long slow;

        private Look(State state, long generation, long began, long slow) {
            this.state = state;
            this.generation = generation;
            this.began = began;
            this.slow = slow;
        }

        /// @param first the best item that was found; null when there was nothing
        void found(@Nullable Mark first) {
            synchronized (ClaimMarks.this) {
                long now = ticker.nanos();
                long took = now - began;
                state.slowLooks = took < slow ? 0 : state.slowLooks + 1;
                // Something older may have become ready while it looked.
                boolean usable = generation == state.generation && first != null;
                state.mark = usable && state.slowLooks >= SLOW_LOOKS ? first : null;
                state.until = now + Math.min(took * TIMES_AS_LONG, TRUSTED_AT_MOST.toNanos());
            }
        }
    }

    /// An item that is not new became ready.
    public synchronized void again(UUID account, String queue, String kind) {
        State state = states.get(new Line(account, queue, kind));
        if (state != null) {
            state.generation++;
            state.mark = null;
        }
    }
}
