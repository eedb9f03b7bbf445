package io.orchestrion.server.runs;

import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.engine.NewRun;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.run.Asked;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Timeouts;
import io.orchestrion.server.http.TraceContext;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/// Reads what somebody asks for who creates a run.
///
/// @param usual the bounds of a run that names none
/// @param model whether the server has a model that plans runs
record RunCreation(Bounds usual, boolean model) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> POLICIES = Set.of("allow", "confirm", "block");
    private static final List<String> OWN = List.of("decomposition", "replan_count");

    /// As plans name them.
    private static final Pattern TOOL =
            Pattern.compile("[A-Za-z0-9_-]{1," + PlanLimits.TOOL_CHARACTERS + "}");

    /// What is asked for, or all that is wrong with it.
    sealed interface Read {
        record Good(NewRun run) implements Read {}

        record Bad(List<RunDetail> details) implements Read {}
    }

    /// @param body that is good field by field
    Read read(UUID account, Requester by, Values body) {
        var faults = new ArrayList<RunDetail>();
        PlannerMode planner = planner(body, faults);
        toolPolicies(body, faults);
        context(body, faults);
        return faults.isEmpty()
                ? new Read.Good(new NewRun(account, asked(body, planner, by), bounds(body), by))
                : new Read.Bad(faults);
    }

    private static Asked asked(Values body, PlannerMode planner, Requester by) {
        var asked =
                new Asked(
                        body.text("name"),
                        body.text("task"),
                        body.jsonOrNull("context"),
                        body.jsonOrNull("plan"),
                        planner,
                        Priority.named(body.text("priority")).orElseThrow(),
                        FailureMode.named(body.text("failure_mode")).orElseThrow(),
                        body.jsonOrNull("tool_policies"),
                        by.word());
        return asked.traced(TraceContext.traceparent());
    }

    private PlannerMode planner(Values body, List<RunDetail> faults) {
        boolean planned = body.jsonOrNull("plan") != null;
        Values sent = body.objectOrNull("planner");
        if (sent == null) {
            return planned ? PlannerMode.STATIC : PlannerMode.CLAIM;
        }
        PlannerMode mode = PlannerMode.named(sent.text("mode")).orElseThrow();
        if (mode == PlannerMode.STATIC && !planned) {
            faults.add(new RunDetail("plan is required where planner.mode is static.", "/plan"));
        } else if (mode != PlannerMode.STATIC && planned) {
            faults.add(
                    new RunDetail(
                            "planner.mode must be static where a plan is sent.", "/planner/mode"));
        } else if (mode == PlannerMode.OPENAI && !model) {
            faults.add(
                    new RunDetail(
                            "planner.mode must be static or claim: this server is configured for"
                                    + " no model.",
                            "/planner/mode"));
        }
        return mode;
    }

    private static void toolPolicies(Values body, List<RunDetail> faults) {
        String sent = body.jsonOrNull("tool_policies");
        if (sent == null) {
            return;
        }
        JsonNode policies = JSON.readTree(sent);
        if (policies.size() > RunWriteSpecs.TOOLS_MAX) {
            faults.add(
                    new RunDetail(
                            "tool_policies must have at most "
                                    + RunWriteSpecs.TOOLS_MAX
                                    + " tools, had "
                                    + policies.size()
                                    + ".",
                            "/tool_policies"));
            return;
        }
        for (Map.Entry<String, JsonNode> each : policies.properties()) {
            if (!TOOL.matcher(each.getKey()).matches()) {
                faults.add(
                        new RunDetail(
                                "tool_policies has a name that no tool can have: names have 1 to "
                                        + PlanLimits.TOOL_CHARACTERS
                                        + " letters, digits, _ or -.",
                                "/tool_policies"));
            } else if (!each.getValue().isString()
                    || !POLICIES.contains(each.getValue().stringValue())) {
                faults.add(
                        new RunDetail(
                                "tool_policies."
                                        + each.getKey()
                                        + " must be one of allow, confirm, block.",
                                "/tool_policies/" + each.getKey()));
            }
        }
    }

    /// The run shows its plan and the number of its re-plans there.
    private static void context(Values body, List<RunDetail> faults) {
        String sent = body.jsonOrNull("context");
        if (sent == null) {
            return;
        }
        JsonNode context = JSON.readTree(sent);
        for (String own : OWN) {
            if (context.has(own)) {
                faults.add(
                        new RunDetail(
                                "context." + own + " is set by the server.", "/context/" + own));
            }
        }
    }

    private static long given(@Nullable Values of, String field, long usual) {
        Long sent = of == null ? null : of.integerOrNull(field);
        return sent == null ? usual : sent;
    }

    private static int figure(@Nullable Values of, String field, int usual) {
        return Math.toIntExact(given(of, field, usual));
    }

    private Bounds bounds(Values body) {
        Values limits = body.objectOrNull("limits");
        return new Bounds(
                figure(body, "max_attempts", usual.attempts()),
                figure(body, "max_agents", usual.agents()),
                figure(body, "max_replans", usual.replans()),
                given(body, "max_tokens", usual.tokens()),
                figure(limits, "max_concurrent_tasks", usual.tasksAtOnce()),
                figure(limits, "max_concurrent_steps", usual.stepsAtOnce()),
                timeouts(body.objectOrNull("timeouts")));
    }

    private Timeouts timeouts(@Nullable Values sent) {
        Timeouts times = usual.timeouts();
        return new Timeouts(
                given(sent, "pending_ms", times.pendingMs()),
                given(sent, "running_ms", times.runningMs()),
                given(sent, "paused_ms", times.pausedMs()),
                given(sent, "resuming_ms", times.resumingMs()),
                given(sent, "retrying_ms", times.retryingMs()),
                given(sent, "agent_ms", times.agentMs()),
                given(sent, "task_ms", times.taskMs()),
                given(sent, "step_ms", times.stepMs()),
                given(sent, "planning_ms", times.planningMs()));
    }
}
