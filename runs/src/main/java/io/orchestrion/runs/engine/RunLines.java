package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.policy.ErrorWindow;
import io.orchestrion.runs.policy.EscalationTrigger;
import io.orchestrion.runs.policy.PolicySettings;
import io.orchestrion.runs.run.Counts;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.tree.Step;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import java.util.UUID;

/// The lines that the engine itself writes of runs, each when what it says is committed. The ids
/// are fields, in the form in which the door shows them, so that a search for one finds its lines.
/// Changes of state have lines of their own, which the server writes of the events.
final class RunLines {
    private static final Logger log = LoggerFactory.getLogger(RunLines.class);
    private static final int TEXT_MAX = 500;
    private static final long SECOND = 1_000;

    private RunLines() {}

    /// A step is tried again.
    ///
    /// @param step as it was when its attempt failed
    static void retried(Tx tx, Step step, String error, long delayMs) {
        int attempt = step.progress().attempt();
        write(
                tx,
                of(log.atInfo(), step.home().run())
                        .addKeyValue("agent_id", PublicId.AGENT.of(step.home().agent()))
                        .addKeyValue("task_id", PublicId.TASK.of(step.home().task()))
                        .addKeyValue("step_id", PublicId.STEP.of(step.id()))
                        .addKeyValue("attempt_number", attempt)
                        .addKeyValue("error_code", error)
                        .addKeyValue("delay_ms", delayMs)
                        .setMessage("attempt {} failed with {}, again in {} ms")
                        .addArgument(attempt)
                        .addArgument(error)
                        .addArgument(delayMs));
    }

    /// People are asked.
    ///
    /// @param window what went wrong lately; null where something else is the reason
    static void escalated(
            Tx tx,
            Run run,
            EscalationTrigger trigger,
            @Nullable String code,
            String message,
            @Nullable ErrorWindow window,
            PolicySettings settings) {
        LoggingEventBuilder line =
                withError(of(log.atError(), run.id()), code, message)
                        .addKeyValue("trigger", trigger.word())
                        .addKeyValue("attempt_number", run.attempt());
        if (window == null) {
            write(tx, line.setMessage("the run needs people: {}").addArgument(trigger.word()));
            return;
        }
        write(
                tx,
                line.addKeyValue("errors", window.errors())
                        .addKeyValue("outcomes", window.outcomes())
                        .addKeyValue("window_seconds", settings.windowMs() / SECOND)
                        .setMessage("the run needs people: {}, {} errors of {} outcomes in {} s")
                        .addArgument(trigger.word())
                        .addArgument(window.errors())
                        .addArgument(window.outcomes())
                        .addArgument(settings.windowMs() / SECOND));
    }

    /// The run is given up.
    static void aborted(Tx tx, Run run, Finish.Why why) {
        write(
                tx,
                withError(of(log.atError(), run.id()), why.code(), why.message())
                        .addKeyValue("reason", why.reason().word())
                        .addKeyValue("attempt_number", run.attempt())
                        .setMessage("the run is given up: {}")
                        .addArgument(why.reason().word()));
    }

    /// Another plan is asked for.
    static void replanned(Tx tx, Run run, String trigger) {
        Counts.OfPlan plan = run.counts().plan();
        write(
                tx,
                of(log.atWarn(), run.id())
                        .addKeyValue("trigger", trigger)
                        .addKeyValue("agents_failed", plan.lostAgents())
                        .addKeyValue("agents", plan.workers())
                        .addKeyValue("tasks_failed", plan.lostTasks())
                        .addKeyValue("replan_count", run.progress().replans())
                        .setMessage(
                                "the run is planned anew, {}: {} of {} agents and {} tasks failed")
                        .addArgument(trigger)
                        .addArgument(plan.lostAgents())
                        .addArgument(plan.workers())
                        .addArgument(plan.lostTasks()));
    }

    /// A driver could not do its work.
    static void notDriven(UUID run, Throwable why) {
        of(log.atError(), run).setCause(why).log("the run could not be driven");
    }

    private static LoggingEventBuilder of(LoggingEventBuilder line, UUID run) {
        return line.addKeyValue("run_id", PublicId.RUN.of(run));
    }

    /// Workers and services say why something failed, whatever that has in it.
    private static LoggingEventBuilder withError(
            LoggingEventBuilder line, @Nullable String code, String message) {
        String summary = Redaction.summary(message);
        LoggingEventBuilder more = code == null ? line : line.addKeyValue("error_code", code);
        return summary == null
                ? more
                : more.addKeyValue(
                        "error_message",
                        (summary.length() > TEXT_MAX ? summary.substring(0, TEXT_MAX) : summary)
                                .replaceAll("\\p{Cntrl}", " "));
    }

    private static void write(Tx tx, LoggingEventBuilder line) {
        tx.afterCommit(line::log);
    }
}
