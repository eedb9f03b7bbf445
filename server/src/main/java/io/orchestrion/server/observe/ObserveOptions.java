package io.orchestrion.server.observe;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Set;

/// What is observed, and where it goes.
///
/// @param detail of which doors every request and state change is logged
/// @param otlp where spans are sent by OTLP over HTTP; null for nowhere
/// @param samplePercent how many of the traces that begin here are kept; one that a client began is
///     kept when the client keeps it
public record ObserveOptions(Detail detail, @Nullable URI otlp, int samplePercent) {
    public enum Detail {
        NONE,
        /// Of the doors that say so themselves.
        USUAL,
        ALL
    }

    public static final ObserveOptions DEFAULT = new ObserveOptions(Detail.USUAL, null, 100);

    /// @param usual the doors that say so themselves
    boolean logs(String door, Set<String> usual) {
        return switch (detail) {
            case NONE -> false;
            case USUAL -> usual.contains(door);
            case ALL -> true;
        };
    }
}
