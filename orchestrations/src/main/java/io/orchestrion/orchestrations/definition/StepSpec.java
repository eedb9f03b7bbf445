package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.expression.CelUse;
import io.orchestrion.orchestrations.expression.Condition;
import io.orchestrion.orchestrations.expression.Mapping;
import io.orchestrion.orchestrations.expression.StepUse;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One step of a definition, with defaults filled in.
///
/// @param timeoutMs how long the step may take with all attempts and the delays between them
/// @param retryPolicy its own or the definition's
/// @param input what the handler or the approver gets; null for the execution's input. Null for
///     decisions and waits, which take none
/// @param guard asked before a repetition; given where the step is safe to retry with a guard
/// @param compensation undoes the step
/// @param onSuccess of a decision: always terminal, as its branches say where to go
/// @param onTimeout the failure's route where the definition names none
public record StepSpec(
        String id,
        String name,
        long timeoutMs,
        RetryPolicy retryPolicy,
        SafeRetry safeRetry,
        @Nullable Mapping input,
        @Nullable Handler guard,
        @Nullable Handler compensation,
        CompensationPolicy compensationPolicy,
        Route onSuccess,
        Route onFailure,
        Route onTimeout,
        StepDetails details) {
    public StepType type() {
        return details.type();
    }

    /// The steps whose results are needed to evaluate anything of this step.
    public Set<String> stepIds() {
        return uses().map(StepUse::stepId).collect(Collectors.toUnmodifiableSet());
    }

    Stream<StepUse> uses() {
        return Stream.concat(
                mappings().map(Mapping::uses).flatMap(List::stream),
                conditions().map(Condition::uses).flatMap(List::stream));
    }

    Stream<CelUse> cel() {
        return Stream.concat(
                mappings().map(Mapping::cel).flatMap(List::stream),
                conditions().map(Condition::cel).flatMap(List::stream));
    }

    private Stream<Mapping> mappings() {
        Stream<Mapping> own =
                switch (details) {
                    case StepDetails.ExternalCall(Handler.HttpHandler _, CallRequest request) ->
                            request.mappings();
                    case StepDetails.Notify(Handler.HttpHandler _, CallRequest request) ->
                            request.mappings();
                    case StepDetails.Wait(StepDetails.WaitTime.Until(Mapping at)) -> Stream.of(at);
                    case StepDetails.Wait _,
                            StepDetails.Task _,
                            StepDetails.Decision _,
                            StepDetails.HumanApproval _ ->
                            Stream.empty();
                };
        return Stream.concat(Stream.ofNullable(input), own);
    }

    private Stream<Condition> conditions() {
        return details instanceof StepDetails.Decision decision
                ? decision.branches().stream().map(StepDetails.Branch::when)
                : Stream.empty();
    }
}
