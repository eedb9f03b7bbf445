package io.orchestrion.server.observe;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/// What is observed, and where it goes.
///
/// @param detail of which doors every request and state change is logged
/// @param otlp where spans are sent by OTLP over HTTP; null for nowhere
/// @param samplePercent how many of the traces that begin here are kept; one that a client began is
///     kept when the client keeps it
public record ObserveOptions(Detail detail, @Nullable URI otlp, int samplePercent) {
    /// The tasks and queue doors take tens of thousands of requests in a second, and a line for
    /// each would cost more than the request.
    public enum Detail {
        NONE,
        JOBS,
        ALL
    }

    public static final ObserveOptions DEFAULT = new ObserveOptions(Detail.JOBS, null, 100);

    boolean logs(String door) {
        return switch (detail) {
            case NONE -> false;
            case JOBS -> door.equals("jobs");
            case ALL -> true;
        };
    }
}
