package io.orchestrion.runs.model;

import io.orchestrion.runs.engine.NewRun;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Asked;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.Timeouts;

import java.util.UUID;

/// What is asked for, in the words of the engine.
final class Asking {
    private Asking() {}

    static NewRun of(int number, UUID account, Plot.Asked asked, RunsOptions options) {
        Plot.Times times = asked.times();
        Bounds usual = options.usual();
        Plot plan = asked.plan();
        return new NewRun(
                account,
                new Asked(
                        "run " + number,
                        "do it",
                        null,
                        plan == null ? null : plan.document(),
                        plan == null ? PlannerMode.CLAIM : PlannerMode.STATIC,
                        number % 3 == 0 ? Priority.HIGH : Priority.NORMAL,
                        FailureMode.named(asked.mode()).orElseThrow(),
                        asked.confirmed() ? "{\"tc\":\"confirm\"}" : null,
                        Doing.PERSON.word()),
                new Bounds(
                        asked.attempts(),
                        usual.agents(),
                        asked.replans(),
                        asked.tokens(),
                        usual.tasksAtOnce(),
                        usual.stepsAtOnce(),
                        new Timeouts(
                                times.pending(),
                                times.running(),
                                times.paused(),
                                times.resuming(),
                                times.retrying(),
                                times.agent(),
                                times.task(),
                                times.step(),
                                times.planning())),
                Doing.PERSON);
    }
}
