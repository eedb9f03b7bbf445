package io.orchestrion.kernel.audit;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What is read of the audit of an account by time. Null leaves a filter out.
///
/// @param subject the id of what it was done to, or of what that is a part of
/// @param event a name, or the beginning of names up to a dot
/// @param fromMs the first millisecond
/// @param toMs the first millisecond that is not shown any more
/// @param after the place to go on from, in the order that is asked for
/// @param limit how many at the most
public record TrailQuery(
        UUID account,
        boolean oldestFirst,
        @Nullable String subject,
        @Nullable String event,
        @Nullable Long fromMs,
        @Nullable Long toMs,
        @Nullable TrailPlace after,
        int limit) {}
