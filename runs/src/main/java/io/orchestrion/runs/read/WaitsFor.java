package io.orchestrion.runs.read;

import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// What something in a run waits for.
///
/// @param id of the approval or the ticket; null for the others
/// @param untilMs when a wait ends by itself; null where that is not known
/// @param type what workers claim it as; null where it waits for no worker to claim it
public record WaitsFor(On on, @Nullable UUID id, @Nullable Long untilMs, @Nullable String type) {

    public enum On {
        /// Somebody has to start the run.
        START,
        /// A driver of this server picks it up.
        DRIVER,
        /// A plan is made.
        PLAN,
        /// What it consists of ends.
        PARTS,
        /// A worker claims it.
        WORKER,
        /// The worker that has claimed it reports.
        REPORT,
        /// Other tasks or steps have to end well first.
        DEPENDENCIES,
        /// The time until the next attempt.
        RETRY,
        /// The limits of what may be at once, or the order of a sequence.
        TURN,
        /// Somebody decides about the call of a tool.
        APPROVAL,
        /// Somebody resolves a ticket.
        ESCALATION,
        /// Somebody resumes the run.
        RESUME,
        /// Credits that other steps may give back.
        CREDITS;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(On::word).toList();
        }
    }

    private static WaitsFor on(On on) {
        return new WaitsFor(on, null, null, null);
    }

    private static WaitsFor until(On on, @Nullable Long timeMs) {
        return new WaitsFor(on, null, timeMs, null);
    }

    /// Null for a run that waits for nothing more.
    public static @Nullable WaitsFor of(Run run) {
        Long deadline = run.times().deadlineMs();
        return switch (run.status()) {
            case CREATED -> on(On.START);
            case PENDING, RESUMING, RETRYING -> until(On.DRIVER, deadline);
            case RUNNING -> on(run.progress().planVersion() == 0 ? On.PLAN : On.PARTS);
            case PAUSED ->
                    run.note().escalated()
                            ? new WaitsFor(On.ESCALATION, run.note().ticket(), deadline, null)
                            : until(On.RESUME, deadline);
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> null;
        };
    }

    /// Null for one that has ended.
    public static @Nullable WaitsFor of(Run run, AgentView agent, long nowMs) {
        Long notBefore = agent.lived().notBeforeMs();
        return switch (agent.status()) {
            case PENDING ->
                    isLater(notBefore, nowMs) ? until(On.RETRY, notBefore) : orHeld(run, On.PARTS);
            case RUNNING ->
                    agent.tasks().loops() && agent.tasks().open() == 0 ? on(On.PLAN) : on(On.PARTS);
            case PAUSED -> of(run);
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> null;
        };
    }

    /// @param agent of the task
    public static @Nullable WaitsFor of(Run run, AgentStatus agent, TaskView task, long nowMs) {
        if (task.status() == TaskStatus.RUNNING) {
            return orHeld(run, On.PARTS);
        }
        if (task.status() != TaskStatus.PENDING) {
            return null;
        }
        if (task.place().unmet() > 0) {
            return on(On.DEPENDENCIES);
        }
        Long notBefore = task.lived().notBeforeMs();
        return isLater(notBefore, nowMs)
                ? until(On.RETRY, notBefore)
                : agent == AgentStatus.PAUSED ? of(run) : orHeld(run, On.TURN);
    }

    public static @Nullable WaitsFor of(Run run, StepView step, long nowMs) {
        if (step.status() != StepStatus.PENDING && step.status() != StepStatus.RUNNING) {
            return null;
        }
        StepView.Open open = step.attempts().open();
        if (open != null) {
            return of(run, step, open, nowMs);
        }
        if (step.place().unmet() > 0) {
            return on(On.DEPENDENCIES);
        }
        Long notBefore = step.lived().notBeforeMs();
        if (isLater(notBefore, nowMs)) {
            return until(On.RETRY, notBefore);
        }
        boolean begun = step.place().taskStatus() == TaskStatus.RUNNING;
        return orHeld(run, begun && run.credits().shortOf() ? On.CREDITS : On.TURN);
    }

    private static @Nullable WaitsFor of(Run run, StepView step, StepView.Open open, long nowMs) {
        if (open.approval()) {
            return new WaitsFor(On.APPROVAL, open.id(), null, null);
        }
        if (open.held()) {
            return on(On.REPORT);
        }
        if (isLater(open.notBeforeMs(), nowMs)) {
            return until(On.RETRY, open.notBeforeMs());
        }
        WaitsFor held = held(run);
        return held == null ? new WaitsFor(On.WORKER, null, null, step.call().tool()) : held;
    }

    private static boolean isLater(@Nullable Long timeMs, long nowMs) {
        return timeMs != null && timeMs > nowMs;
    }

    private static @Nullable WaitsFor orHeld(Run run, On otherwise) {
        WaitsFor held = held(run);
        return held == null ? on(otherwise) : held;
    }

    /// While the run stands still, nothing begins.
    private static @Nullable WaitsFor held(Run run) {
        return run.status() == RunStatus.RUNNING ? null : of(run);
    }
}
