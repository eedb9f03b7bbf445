package io.orchestrion.runs.engine;

import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.Plan;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanReader;
import io.orchestrion.runs.plan.ReadTasks;
import io.orchestrion.runs.policy.Failure;
import io.orchestrion.runs.policy.PlanFacts;
import io.orchestrion.runs.policy.ReplanVerdict;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.PlanVersion;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunSql;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AgentSql;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Where plans come from and what they replace: the plan that came with the run, that of a worker
/// that claimed the planning step, another one after too much has failed, and what agents plan for
/// themselves round by round.
final class Planning {

    /// A longer document is named, and not repeated to whoever plans anew.
    private static final int DOCUMENT_INLINE = 64 * 1024;

    private final Engine engine;
    private final Turn turn;

    Planning(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    /// The limits of a plan of this run.
    static PlanLimits limits(RunsOptions options, Run run) {
        return options.plans().withAgents(run.bounds().agents());
    }

    private PlanLimits limits() {
        return limits(engine.options(), turn.run());
    }

    /// The first agents of an attempt.
    void begin() throws SQLException {
        String document =
                turn.run().asked().planner() == PlannerMode.STATIC
                        ? RunSql.plan(turn.tx(), turn.account(), turn.run().id())
                        : null;
        if (document != null) {
            accept(document, PlanVersion.Source.STATIC, turn.run().asked().createdBy(), null);
        } else {
            new Planting(engine, turn).planner(0, input(null, List.of(), List.of()).toString());
        }
    }

    private void accept(
            String document, PlanVersion.Source source, String madeBy, @Nullable Asked asked)
            throws SQLException {
        Commit.PLANNED.in(turn.tx());
        Plan plan = PlanReader.stored(document, limits());
        Run run = turn.run();
        int version = run.progress().planVersion() + 1;
        boolean another = version > 1;
        RecordSql.add(
                turn.tx(),
                run.account(),
                new PlanVersion(
                        run.id(),
                        run.attempt(),
                        version,
                        source,
                        document,
                        asked == null ? null : asked.analysis(),
                        madeBy,
                        turn.nowMs()));
        turn.change(
                run.with(
                        run.progress()
                                .planned(
                                        version,
                                        run.progress().replans() + (another ? 1 : 0),
                                        plan.agents().size())));
        for (Agent agent : new Planting(engine, turn).plan(plan)) {
            if (agent.spec().loops()) {
                nextRound(agent);
            }
        }
        String told = "plan " + version + " with " + plan.agents().size() + " agents";
        String trigger = asked == null ? null : asked.trigger();
        if (another && trigger != null) {
            turn.tell(Subjects.REPLANNED, trigger, told);
        } else {
            turn.tell(Subjects.PLANNED, Requester.ENGINE, told);
        }
    }

    /// A worker has made the plan of the run. It was read before, and is good.
    void planned(Step step) throws SQLException {
        String document = step.document();
        supersede();
        accept(
                document,
                turn.run().asked().planner() == PlannerMode.OPENAI
                        ? PlanVersion.Source.OPENAI
                        : PlanVersion.Source.WORKER,
                PublicId.STEP.of(step.id()),
                Asked.in(step));
    }

    /// What a planner was asked with, beside the task.
    ///
    /// @param analysis JSON text of what failed; null for a first plan
    /// @param trigger why another plan is wanted; null for a first plan
    private record Asked(@Nullable String analysis, @Nullable String trigger) {
        static Asked in(Step step) {
            JsonNode input = Envelopes.JSON.readTree(step.call().input());
            JsonNode analysis = input.path("failure_analysis");
            JsonNode trigger = input.path("trigger");
            return new Asked(
                    analysis.isObject() ? analysis.toString() : null,
                    trigger.isString() ? trigger.asString() : null);
        }
    }

    /// Somebody has handed in the plan while a worker was to make it.
    void byHand(String document, Step step, Requester by) throws SQLException {
        supersede();
        accept(document, PlanVersion.Source.HAND, by.word(), Asked.in(step));
    }

    /// Agents of the plan before that have not ended are cancelled. What others gave stays.
    private void supersede() throws SQLException {
        if (turn.run().progress().planVersion() == 0) {
            return;
        }
        for (Agent each : turn.openAgents()) {
            if (!each.isPlanner()) {
                Agents.cancelTasks(turn, each);
                Agent ended =
                        Agents.end(
                                turn,
                                turn.agent(each.id()),
                                AgentStatus.CANCELLED,
                                new Fault("superseded", null, null));
                turn.change(ended, ended.with(ended.progress().stopped(true)));
            }
        }
    }

    /// A round of an agent's own planning is done: its tasks are added, and when they have ended
    /// it plans again if it asked for that.
    void plannedRound(Step step) throws SQLException {
        Agent agent = turn.agent(step.home().agent());
        turn.flush();
        Map<String, TaskStatus> earlier = TaskSql.names(turn.tx(), turn.account(), agent.id());
        ReadTasks.Round round = engine.readRound(turn.run(), agent, earlier.keySet(), step).round();
        if (round == null) {
            throw new IllegalStateException("an agent's plan was not judged before");
        }
        boolean again =
                round.again() && agent.progress().rounds() < engine.options().attempts().rounds();
        Agent next = turn.change(agent, agent.looping(again));
        if (!round.tasks().isEmpty()) {
            List<UUID> hopeless = new Planting(engine, turn).round(next, round.tasks(), earlier);
            new Completing(engine, turn).skipTasks(agent.id(), hopeless);
        }
    }

    /// All tasks of an agent have ended, and it plans further ones.
    void nextRound(Agent agent) throws SQLException {
        Agent planning = new Planting(engine, turn).planningRound(agent, roundInput(agent));
        turn.refill(planning.id());
    }

    private String roundInput(Agent agent) throws SQLException {
        Run run = turn.run();
        ObjectNode input = Envelopes.JSON.createObjectNode();
        input.put("subtask", agent.spec().subtask());
        input.put("task", run.asked().task());
        put(input, "context", run.asked().context());
        input.put("round", agent.progress().rounds() + 1);
        input.put("max_rounds", engine.options().attempts().rounds());
        ObjectNode outputs = input.putObject("outputs");
        if (agent.progress().rounds() > 0) {
            turn.flush();
            Envelopes.put(
                    outputs,
                    StepSql.outputsOfTasks(
                            turn.tx(),
                            turn.account(),
                            agent.id(),
                            0,
                            agent.progress().tasks(),
                            null,
                            Envelopes.OUTPUTS));
        }
        return input.toString();
    }

    private static void put(ObjectNode out, String name, @Nullable String json) {
        if (json != null) {
            out.putRawValue(name, new RawValue(json));
        }
    }

    /// What the decision about another plan rests on.
    ///
    /// @param moreAgents that have failed and are not counted yet
    PlanFacts facts(int moreAgents, int moreTasks) {
        Run run = turn.run();
        var plan = run.counts().plan();
        return new PlanFacts(
                turn.isRunning(),
                plan.workers(),
                plan.lostAgents() + moreAgents,
                plan.lostTasks() + moreTasks,
                run.progress().replans(),
                run.bounds().replans(),
                run.credits().left().compareTo(engine.options().prices().cost(0, true)) >= 0,
                run.asked().planner() == PlannerMode.STATIC);
    }

    /// Whether the run ends with this agent, all tasks of which were skipped: too much of the plan
    /// has failed, there is no way to another one, and the run does not go on without.
    boolean endsRun(Agent of) {
        return turn.run().asked().failureMode() != FailureMode.CONTINUE
                && verdict(of) instanceof ReplanVerdict.Stuck;
    }

    private ReplanVerdict verdict(Agent of) {
        Run run = turn.run();
        return of.isPlanner()
                        || run.progress().replanner() != null
                        || of.place().planVersion() != run.progress().planVersion()
                ? new ReplanVerdict.GoOn()
                : ReplanVerdict.of(facts(0, 0), engine.options().policy());
    }

    /// Something has failed that somebody tolerates: enough of that gets the run another plan.
    void replanIfWanted(Agent of, Fault fault, Failure failure) throws SQLException {
        PlanFacts facts = facts(0, 0);
        ReplanVerdict verdict = verdict(of);
        switch (verdict) {
            case ReplanVerdict.GoOn() -> {}
            case ReplanVerdict.Replan(var trigger) -> {
                decided(facts, verdict, Decision.Kind.REPLAN, trigger.word());
                beginReplan(trigger.word());
            }
            case ReplanVerdict.Stuck(var trigger, _) -> {
                decided(facts, verdict, Decision.Kind.GO_ON, trigger.word());
                new Failing(engine, turn)
                        .stuck(
                                of,
                                failure,
                                Objects.requireNonNullElse(
                                        fault.message(), "too much of the plan has failed"));
            }
        }
    }

    private void decided(
            PlanFacts facts, ReplanVerdict verdict, Decision.Kind kind, String trigger) {
        engine.decided(
                turn,
                Decision.Level.RUN,
                turn.run().id(),
                kind,
                trigger,
                facts.json(engine.options().policy()),
                verdict.json());
    }

    /// A planner is asked for another plan. The agents of the old one go on until it is there.
    void beginReplan(String trigger) throws SQLException {
        Commit.REPLAN.in(turn.tx());
        Run run = turn.run();
        turn.flush();
        int version = run.progress().planVersion();
        List<Agent> all = AgentSql.ofRun(turn.tx(), run.account(), run.id(), run.attempt());
        int sequence =
                (int)
                        all.stream()
                                .filter(Agent::isPlanner)
                                .filter(each -> each.place().planVersion() == version)
                                .count();
        PlanVersion before =
                RecordSql.plan(turn.tx(), run.account(), run.id(), run.attempt(), version);
        List<Agent> current =
                all.stream()
                        .filter(each -> !each.isPlanner())
                        .filter(each -> each.place().planVersion() == version)
                        .toList();
        ObjectNode input =
                input(
                        before,
                        current.stream().filter(Planning::isLost).toList(),
                        all.stream()
                                .filter(each -> !each.isPlanner())
                                .filter(each -> each.status() == AgentStatus.COMPLETED)
                                .toList());
        input.put("trigger", trigger);
        Agent planner = new Planting(engine, turn).planner(sequence, input.toString());
        turn.change(turn.run().with(turn.run().progress().replannedBy(planner.id())));
        RunLines.replanned(turn.tx(), run, trigger);
    }

    private static boolean isLost(Agent agent) {
        return agent.status() == AgentStatus.FAILED || agent.status() == AgentStatus.SKIPPED;
    }

    private ObjectNode input(
            @Nullable PlanVersion before, List<Agent> failed, List<Agent> completed) {
        Run run = turn.run();
        ObjectNode input = Envelopes.JSON.createObjectNode();
        input.put("task", run.asked().task());
        put(input, "context", run.asked().context());
        input.put("max_agents", run.bounds().agents());
        input.put("replan_count", run.progress().replans());
        if (before != null) {
            if (before.document().getBytes(StandardCharsets.UTF_8).length <= DOCUMENT_INLINE) {
                put(input, "previous_decomposition", before.document());
            } else {
                input.putObject("previous_decomposition").put("$plan", before.version());
            }
            ObjectNode analysis = input.putObject("failure_analysis");
            analysis.put("plan_version", before.version());
            analysis.put("failed_tasks", run.counts().plan().lostTasks());
            add(analysis.putArray("failed_agents"), failed);
            add(input.putArray("completed_agents"), completed);
        }
        return input;
    }

    private static void add(ArrayNode array, List<Agent> agents) {
        for (Agent each : agents) {
            ObjectNode out = array.addObject();
            out.put("agent_id", PublicId.AGENT.of(each.id()));
            out.put("sequence_number", each.place().sequence());
            out.put("subtask", each.spec().subtask());
            out.put("status", each.status().word());
            if (each.fault().code() != null) {
                out.put("error_code", each.fault().code());
                out.put("error", each.fault().message());
            }
        }
    }

    /// The planning task that is open; null where none is.
    @Nullable Step openPlanning() throws SQLException {
        for (Agent agent : turn.openAgents()) {
            if (agent.isPlanner()) {
                for (Task task : TaskSql.ofAgent(turn.tx(), turn.account(), agent.id(), -1, 1)) {
                    List<Step> steps = StepSql.ofTask(turn.tx(), turn.account(), task.id(), -1, 1);
                    return turn.step(steps.getFirst().id());
                }
            }
        }
        return null;
    }
}
