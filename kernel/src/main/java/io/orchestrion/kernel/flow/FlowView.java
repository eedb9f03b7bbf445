package io.orchestrion.kernel.flow;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Which items wait in a type with limits, and for what.
///
/// @param settings null when the type has none
public record FlowView(@Nullable Settings settings, List<KeyLine> keys, long nowMs) {

    /// Counts of a key end here: beyond it, a key just has many.
    public static final int COUNTED_AT_MOST = 1000;

    /// The type's own settings.
    ///
    /// @param flow whether it has a limit
    /// @param settling whether the limit was switched a moment ago and rows are being put in order
    public record Settings(
            @Nullable Integer concurrencyMax,
            @Nullable Integer rateMax,
            @Nullable Long ratePeriodMs,
            boolean flow,
            boolean settling,
            boolean paused) {}

    /// Why a key's items wait.
    public enum Reason {
        NONE,
        CONCURRENCY,
        RATE,
        PAUSED
    }

    /// One key for which items are ready.
    ///
    /// @param sinceMs since when the one that waits longest could have been claimed, among those
    ///     counted
    /// @param held its slots that are taken, null without a concurrency key
    /// @param firstEndMs when the first of their leases ends if nobody renews it
    /// @param starts its starts in the window, null without a rate key
    /// @param nextMs when the window has room again, null when it has
    public record KeyLine(
            FlowKey key,
            int waiting,
            long sinceMs,
            @Nullable Integer held,
            @Nullable Long firstEndMs,
            @Nullable Integer starts,
            @Nullable Long nextMs) {

        public Reason reason(Settings settings) {
            if (settings.paused() || settings.settling()) {
                return Reason.PAUSED;
            }
            if (held != null
                    && settings.concurrencyMax() != null
                    && held >= settings.concurrencyMax()) {
                return Reason.CONCURRENCY;
            }
            return starts != null && settings.rateMax() != null && starts >= settings.rateMax()
                    ? Reason.RATE
                    : Reason.NONE;
        }

        /// When something of it can be claimed at the latest if nobody renews a lease; null when
        /// that is not known.
        public @Nullable Long nextFreeMs(Settings settings, long nowMs) {
            return switch (reason(settings)) {
                case NONE -> nowMs;
                case CONCURRENCY -> firstEndMs == null ? null : Math.max(nowMs, firstEndMs);
                case RATE -> nextMs;
                case PAUSED -> null;
            };
        }
    }
}
