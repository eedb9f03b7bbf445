package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunAction.CANCEL_AGENT;
import static io.orchestrion.server.runs.RunAction.CANCEL_TASK;
import static io.orchestrion.server.runs.RunAction.CHECK_AGENT;
import static io.orchestrion.server.runs.RunAction.CHECK_STEP;

import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.AgentView;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.runs.read.RunReads.OfRun;
import io.orchestrion.runs.read.RunReads.Seen;
import io.orchestrion.runs.read.StepAttemptView;
import io.orchestrion.runs.read.StepView;
import io.orchestrion.runs.read.TaskView;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.UUID;

/// Shows the agents, tasks and steps of runs.
public final class TreeHandlers {
    private final RunReads reads;

    public TreeHandlers(RunReads reads) {
        this.reads = reads;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(RunReadEndpoints.AGENTS, this::agents)
                .handle(RunReadEndpoints.GET_AGENT, this::agent)
                .handle(RunReadEndpoints.TASKS, this::tasks)
                .handle(RunReadEndpoints.GET_TASK, this::task)
                .handle(RunReadEndpoints.STEPS, this::steps)
                .handle(RunReadEndpoints.GET_STEP, this::step);
    }

    /// Shows something of a run, of which the path names the run and maybe more.
    ///
    /// @param part what the path names in it; null where that can be no id
    /// @param none what is said where the run has no such part
    private <T> Answer show(Call call, @Nullable OfRun<T> part, RunError none, Showing<T> showing) {
        UUID id = RunPaths.run(call);
        OfRun<T> what = part == null ? (_, _) -> null : part;
        Seen<T> seen = id == null ? null : reads.of(Callers.account(call), id, what);
        if (seen == null) {
            return RunAnswers.error(call, RunError.RUN_NOT_FOUND);
        }
        T found = seen.found();
        return found == null
                ? RunAnswers.error(call, none)
                : showing.answer(seen.run(), found, seen.nowMs());
    }

    private interface Showing<T> {
        Answer answer(Run run, T found, long nowMs);
    }

    private Answer agents(Call call) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        int limit = call.queryValues().int32("limit");
        Long attempt = call.queryValues().integerOrNull("attempt_number");
        return show(
                call,
                RunReads.agents(
                        attempt == null ? null : Integer.valueOf(Math.toIntExact(attempt)),
                        cursor.place(),
                        limit + 1),
                RunError.RUN_NOT_FOUND,
                (run, found, _) ->
                        Pages.page(
                                found,
                                limit,
                                AgentView::id,
                                TreeJson::agent,
                                RunGuidance.of(run, true)));
    }

    private Answer agent(Call call) {
        UUID id = RunPaths.id(call, "agent_id", PublicId.AGENT);
        return show(
                call,
                id == null ? null : RunReads.agent(id),
                RunError.AGENT_NOT_FOUND,
                (run, agent, _) ->
                        Pages.json(200, out -> TreeJson.agent(out, agent), guidance(run, agent)));
    }

    private Answer tasks(Call call) {
        Cursor cursor = Cursor.ofNumber(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        UUID id = RunPaths.id(call, "agent_id", PublicId.AGENT);
        int limit = call.queryValues().int32("limit");
        return show(
                call,
                id == null ? null : RunReads.tasks(id, after(cursor), limit + 1),
                RunError.AGENT_NOT_FOUND,
                (run, found, _) ->
                        Pages.page(
                                found.tasks(),
                                limit,
                                task -> Pages.numberPlace(task.place().sequence()),
                                TreeJson::task,
                                guidance(run, found.agent())));
    }

    /// Sequences begin with 0.
    private static int after(Cursor cursor) {
        Integer number = cursor.number();
        return number == null ? -1 : number;
    }

    private Answer task(Call call) {
        UUID id = RunPaths.id(call, "task_id", PublicId.TASK);
        return show(
                call,
                id == null ? null : RunReads.task(id),
                RunError.TASK_NOT_FOUND,
                (run, task, _) ->
                        Pages.json(200, out -> TreeJson.task(out, task), guidance(run, task)));
    }

    private Answer steps(Call call) {
        Cursor cursor = Cursor.ofNumber(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        UUID id = RunPaths.id(call, "task_id", PublicId.TASK);
        int limit = call.queryValues().int32("limit");
        return show(
                call,
                id == null ? null : RunReads.steps(id, after(cursor), limit + 1),
                RunError.TASK_NOT_FOUND,
                (run, found, nowMs) ->
                        Pages.page(
                                found.steps(),
                                limit,
                                step -> Pages.numberPlace(step.place().sequence()),
                                (out, step) ->
                                        TreeJson.listed(
                                                out,
                                                run,
                                                step,
                                                found.costs().get(step.id()),
                                                nowMs),
                                RunGuidance.of(run, true)));
    }

    private Answer step(Call call) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        UUID id = RunPaths.id(call, "step_id", PublicId.STEP);
        int limit = call.queryValues().int32("limit");
        return show(
                call,
                id == null ? null : RunReads.step(id, cursor.place(), limit + 1),
                RunError.STEP_NOT_FOUND,
                (run, found, nowMs) ->
                        Pages.json(
                                200,
                                out -> {
                                    TreeJson.whole(out, run, found.step(), found.cost(), nowMs);
                                    out.objects(
                                                    "attempts",
                                                    Pages.first(found.attempts(), limit),
                                                    TreeJson::attempt)
                                            .text(
                                                    "attempts_next_cursor",
                                                    Pages.next(
                                                            found.attempts(),
                                                            limit,
                                                            StepAttemptView::id));
                                },
                                guidance(run, found.step())));
    }

    /// An agent or a task can be cancelled while its run is under way.
    private static boolean mayBeCancelled(Run run) {
        return run.status() == RunStatus.RUNNING;
    }

    static AgentContract guidance(Run run, AgentView agent) {
        String path = RunGuidance.path(run.id()) + "/agents/" + PublicId.AGENT.of(agent.id());
        var actions = new ArrayList<NextAction>();
        actions.add(RunGuidance.check(run).best());
        if (mayBeCancelled(run) && agent.lived().endedMs() == null) {
            actions.add(NextAction.call(CANCEL_AGENT, "POST", path + "/cancel"));
        }
        return new AgentContract(true, actions, AgentContract.Details.NONE);
    }

    static AgentContract guidance(Run run, TaskView task) {
        String path = RunGuidance.path(run.id());
        var actions = new ArrayList<NextAction>();
        actions.add(
                NextAction.call(
                                CHECK_AGENT,
                                "GET",
                                path + "/agents/" + PublicId.AGENT.of(task.place().agent()))
                        .best());
        actions.add(RunGuidance.check(run));
        if (mayBeCancelled(run) && task.lived().endedMs() == null) {
            actions.add(
                    NextAction.call(
                            CANCEL_TASK,
                            "POST",
                            path + "/tasks/" + PublicId.TASK.of(task.id()) + "/cancel"));
        }
        return new AgentContract(true, actions, AgentContract.Details.NONE);
    }

    private static AgentContract guidance(Run run, StepView step) {
        return AgentContract.of(
                true,
                NextAction.call(
                                CHECK_STEP,
                                "GET",
                                RunGuidance.path(run.id())
                                        + "/steps/"
                                        + PublicId.STEP.of(step.id()))
                        .best(),
                RunGuidance.check(run));
    }
}
