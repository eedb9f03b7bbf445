package io.orchestrion.kernel.work;

import io.orchestrion.kernel.flow.FlowKey;
import io.orchestrion.kernel.work.WorkItem.Keys;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/// On what terms an item is done, beside its schedule and priority.
///
/// @param concurrencyKey items of one type and key share its slots
/// @param rateKey items of one type and key share its starts in a time
/// @param unique null when there may be any number of it
/// @param parents null when it waits for no other item
public record Terms(
        @Nullable String concurrencyKey,
        @Nullable String rateKey,
        @Nullable Unique unique,
        @Nullable Parents parents) {

    public Terms {
        var _ = new FlowKey(concurrencyKey, rateKey);
    }

    public static final Terms NONE = new Terms(null, null, null, null);

    /// At most one such item of its type in the account.
    ///
    /// @param states in which an earlier one stands in the way
    /// @param periodMs after which it no longer does; null for never
    public record Unique(
            String key, Set<WorkState> states, @Nullable Long periodMs, OnConflict onConflict) {
        public Unique {
            states = Set.copyOf(states);
        }
    }

    /// What is done when an earlier item stands in the way.
    public enum OnConflict {
        REJECT,
        RETURN_EXISTING,
        REPLACE_PENDING
    }

    /// The items of the same account that must end well first.
    public record Parents(List<UUID> ids, IfParentFails ifFails) {
        public Parents {
            ids = List.copyOf(ids);
        }
    }

    Keys keys() {
        return concurrencyKey == null && rateKey == null && unique == null
                ? Keys.NONE
                : new Keys(concurrencyKey, rateKey, unique == null ? null : unique.key());
    }
}
