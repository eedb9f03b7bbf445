package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// What an attempt leaves at its end besides the result. It comes from the holder, or from the
/// kernel where that ended the attempt.
///
/// @param error why it failed; null for success and for a failure that has only a reason
/// @param usage JSON text of an object: what the attempt used up, such as tokens
/// @param logsRef where the attempt's logs are kept
public record Report(@Nullable WorkError error, @Nullable String usage, @Nullable String logsRef) {
    public static final Report NONE = new Report(null, null, null);

    public static final int USAGE_MAX_BYTES = 4096;
    public static final int USAGE_MAX_DEPTH = 4;
    public static final int LOGS_REF_MAX = 500;

    public static Report of(WorkError error) {
        return new Report(error, null, null);
    }
}
