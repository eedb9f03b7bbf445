package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;

/// Whether another plan is made.
public sealed interface ReplanVerdict {
    /// Not enough has failed, or the run is not running.
    record GoOn() implements ReplanVerdict {}

    /// Another plan.
    record Replan(ReplanTrigger trigger) implements ReplanVerdict {}

    /// Another plan is wanted and there is no way to one: the run's failure mode decides.
    record Stuck(ReplanTrigger trigger, Why why) implements ReplanVerdict {}

    /// Why there is no way to another plan.
    enum Why {
        STATIC_PLAN("static_plan"),
        REPLANS_USED_UP("replans_used_up"),
        NO_CREDITS("no_credits");

        private final String word;

        Why(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    static ReplanVerdict of(PlanFacts facts, PolicySettings settings) {
        if (!facts.running()) {
            return new GoOn();
        }
        ReplanTrigger trigger;
        if (facts.failedAgents() > settings.agentShare() * facts.agents()) {
            trigger = ReplanTrigger.AGENTS_FAILED;
        } else if (facts.failedTasks() > settings.failedTasks()) {
            trigger = ReplanTrigger.TASKS_FAILED;
        } else {
            return new GoOn();
        }
        if (facts.fixed()) {
            return new Stuck(trigger, Why.STATIC_PLAN);
        }
        if (facts.replans() >= facts.maxReplans()) {
            return new Stuck(trigger, Why.REPLANS_USED_UP);
        }
        return facts.creditsLeft() ? new Replan(trigger) : new Stuck(trigger, Why.NO_CREDITS);
    }

    default String json() {
        return JsonWriter.objectText(
                out -> {
                    switch (this) {
                        case GoOn() -> out.text("verdict", "go_on");
                        case Replan(var trigger) ->
                                out.text("verdict", "replan").text("trigger", trigger.word());
                        case Stuck(var trigger, var why) ->
                                out.text("verdict", "stuck")
                                        .text("trigger", trigger.word())
                                        .text("why", why.word());
                    }
                });
    }
}
