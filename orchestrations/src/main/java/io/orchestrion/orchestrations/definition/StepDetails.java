package io.orchestrion.orchestrations.definition;

import io.orchestrion.orchestrations.expression.Condition;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What steps of one type have beyond what all steps have.
public sealed interface StepDetails {
    StepType type();

    /// @param handler a worker's type or a function of the server
    /// @param priority null for the default of tasks
    /// @param resultSchema JSON Schema of the result, as JSON text
    record Task(
            Handler handler,
            int leaseSeconds,
            @Nullable Integer priority,
            @Nullable String resultSchema)
            implements StepDetails {
        @Override
        public StepType type() {
            return StepType.TASK;
        }
    }

    /// @param branches the first whose condition is true is taken
    /// @param otherwise where none is; null fails the step with `no_branch_matched`
    record Decision(List<Branch> branches, @Nullable Route otherwise) implements StepDetails {
        @Override
        public StepType type() {
            return StepType.DECISION;
        }
    }

    /// @param name null where the definition gives none
    record Branch(@Nullable String name, Condition when, Route next) {}

    record Wait(WaitTime time) implements StepDetails {
        @Override
        public StepType type() {
            return StepType.WAIT;
        }
    }

    /// How long a step waits.
    sealed interface WaitTime {
        record For(long durationMs) implements WaitTime {}

        /// @param at gives a date and time as [WaitTimes] reads it
        record Until(Mapping at) implements WaitTime {}
    }

    record ExternalCall(Handler.HttpHandler handler, CallRequest request) implements StepDetails {
        @Override
        public StepType type() {
            return StepType.EXTERNAL_CALL;
        }
    }

    /// By webhook, which is the only channel.
    record Notify(Handler.HttpHandler handler, CallRequest request) implements StepDetails {
        @Override
        public StepType type() {
            return StepType.NOTIFY;
        }
    }

    record HumanApproval(
            @Nullable String assigneeGroup, @Nullable String title, @Nullable String note)
            implements StepDetails {
        @Override
        public StepType type() {
            return StepType.HUMAN_APPROVAL;
        }
    }
}
