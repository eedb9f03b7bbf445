package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.FailureDecision.Reason;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which dead letters are listed, newest first. Null leaves a filter out.
///
/// @param actionRequired whether only those that ask something of a person, or are being undone
/// @param before the id of the last one of the page before
public record DeadLetterQuery(
        UUID account,
        DeadLetter.@Nullable Status status,
        @Nullable Reason reason,
        @Nullable UUID definition,
        @Nullable UUID execution,
        @Nullable Long fromMs,
        @Nullable Long toMs,
        boolean actionRequired,
        @Nullable UUID before,
        int limit) {}
