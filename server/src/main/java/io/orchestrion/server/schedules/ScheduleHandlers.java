package io.orchestrion.server.schedules;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.schedule.Change;
import io.orchestrion.kernel.schedule.Fire;
import io.orchestrion.kernel.schedule.FiredNow;
import io.orchestrion.kernel.schedule.ScheduleView;
import io.orchestrion.kernel.schedule.Schedules;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.taskdoor.TaskAction;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.types.TypeRules;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/// The verbs on schedules: read the request, call one kernel verb, write its outcome.
public final class ScheduleHandlers {
    private final Schedules schedules;
    private final TypeRules rules;

    public ScheduleHandlers(Schedules schedules, TypeRules rules) {
        this.schedules = schedules;
        this.rules = rules;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(ScheduleEndpoints.CREATE, this::create)
                .handle(ScheduleEndpoints.LIST, this::list)
                .handle(ScheduleEndpoints.GET, call -> one(call, schedules::get, true))
                .handle(ScheduleEndpoints.REPLACE, this::replace)
                .handle(ScheduleEndpoints.DELETE, call -> one(call, schedules::delete, false))
                .handle(ScheduleEndpoints.PAUSE, call -> verb(call, schedules::pause))
                .handle(ScheduleEndpoints.RESUME, call -> verb(call, schedules::resume))
                .handle(ScheduleEndpoints.RUN, this::run)
                .handle(ScheduleEndpoints.FIRES, this::fires);
    }

    private Answer create(Call call) {
        Values body = call.json();
        Answer unfit = unfit(call, body);
        if (unfit != null) {
            return unfit;
        }
        boolean paused = Boolean.TRUE.equals(body.boolOrNull("paused"));
        return switch (schedules.create(Callers.account(call), ScheduleJson.read(body), paused)) {
            case Change.Done(var view) ->
                    Answer.json(201, body(view, false))
                            .with("Location", "/v1/schedules/" + view.id());
            case Change refused -> refused(call, refused);
        };
    }

    private Answer replace(Call call) {
        Values body = call.json();
        Answer unfit = unfit(call, body);
        if (unfit != null) {
            return unfit;
        }
        UUID id = Callers.id(call, "id");
        Change change =
                id == null
                        ? new Change.NotFound()
                        : schedules.replace(
                                Callers.account(call),
                                id,
                                ScheduleJson.read(body),
                                body.boolOrNull("paused"));
        return change instanceof Change.Done(var view)
                ? Answer.json(200, body(view, true))
                : refused(call, change);
    }

    /// Null when the task of the schedule is one that its type takes.
    private @Nullable Answer unfit(Call call, Values body) {
        Values task = body.objectOrNull("task");
        return task != null
                        && rules.check(Callers.account(call), task, new CheckBudget())
                                instanceof TypeRules.Ruling.Refused(var fault)
                ? TaskErrorAnswers.error(call, fault.error(), fault.message())
                : null;
    }

    private static Answer refused(Call call, Change change) {
        return switch (change) {
            case Change.Done _ -> throw new IllegalStateException("nothing was refused");
            case Change.NotFound() -> noSuchSchedule(call);
            case Change.NameTaken() ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.SCHEDULE_EXISTS,
                            "This account has another schedule of this name.");
            case Change.TooMany() ->
                    TaskErrorAnswers.badRequest(
                            call,
                            "An account may have "
                                    + Schedules.MAX
                                    + " schedules and has that many; delete one first.");
            case Change.Refused(var field, var reason) ->
                    TaskErrorAnswers.badRequest(call, field + " " + reason);
        };
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && before == null) {
            return badCursor(call);
        }
        int limit = query.int32("limit");
        List<ScheduleView> found = schedules.list(Callers.account(call), before, limit + 1);
        List<ScheduleView> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? PageCursor.of(page.getLast().id()) : null;
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("schedules", page, ScheduleJson::write)
                                        .text("nextCursor", next)
                                        .object("agent_contract", tasks(true)::write)));
    }

    private Answer fires(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && (before == null || before.getMostSignificantBits() != 0)) {
            return badCursor(call);
        }
        int limit = query.int32("limit");
        UUID id = Callers.id(call, "id");
        List<Fire> found =
                id == null
                        ? null
                        : schedules.fires(
                                Callers.account(call),
                                id,
                                before == null ? null : before.getLeastSignificantBits(),
                                limit + 1);
        if (found == null) {
            return noSuchSchedule(call);
        }
        List<Fire> page = found.subList(0, Math.min(limit, found.size()));
        // The place in the history, in the form that cursors have.
        String next =
                found.size() > limit ? PageCursor.of(new UUID(0, page.getLast().seq())) : null;
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("fires", page, ScheduleJson::write)
                                        .text("nextCursor", next)
                                        .object("agent_contract", tasks(true)::write)));
    }

    private Answer verb(Call call, BiFunction<UUID, UUID, @Nullable ScheduleView> verb) {
        call.json();
        return one(call, verb, true);
    }

    /// @param repeatable whether the same request gives the same answer again
    private static Answer one(
            Call call, BiFunction<UUID, UUID, @Nullable ScheduleView> verb, boolean repeatable) {
        UUID id = Callers.id(call, "id");
        ScheduleView view = id == null ? null : verb.apply(Callers.account(call), id);
        return view == null ? noSuchSchedule(call) : Answer.json(200, body(view, repeatable));
    }

    private Answer run(Call call) {
        call.json();
        UUID id = Callers.id(call, "id");
        FiredNow run =
                id == null ? new FiredNow.NotFound() : schedules.runNow(Callers.account(call), id);
        return switch (run) {
            case FiredNow.Done(var view, var taskId) ->
                    Answer.json(
                                    201,
                                    JsonWriter.object(
                                            out ->
                                                    out.text("taskId", taskId.toString())
                                                            .object(
                                                                    "schedule",
                                                                    each ->
                                                                            ScheduleJson.write(
                                                                                    each, view))
                                                            .object(
                                                                    "agent_contract",
                                                                    contract(view, false)::write)))
                            .with("Location", "/v1/tasks/" + taskId);
            case FiredNow.Draining(var type) ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.TYPE_DRAINING,
                            "The type " + type + " is draining and takes no new tasks.");
            case FiredNow.OverQuota(var why) ->
                    TaskErrorAnswers.error(
                            call,
                            why.planExpired() ? TaskError.PLAN_EXPIRED : TaskError.QUOTA_EXCEEDED,
                            "The plan "
                                    + why.plan().name()
                                    + " allows "
                                    + why.plan().maxTasksPerMonth()
                                    + " tasks a month, and this month has "
                                    + why.used()
                                    + ".");
            case FiredNow.NotFound() -> noSuchSchedule(call);
        };
    }

    private static byte[] body(ScheduleView view, boolean repeatable) {
        return JsonWriter.object(
                out ->
                        out.object("schedule", each -> ScheduleJson.write(each, view))
                                .object("agent_contract", contract(view, repeatable)::write));
    }

    /// The next step with a schedule is to look at the tasks that it made.
    private static AgentContract contract(ScheduleView view, boolean repeatable) {
        UUID task = view.lastTaskId();
        return task == null
                ? tasks(repeatable)
                : AgentContract.of(
                        repeatable,
                        NextAction.call(TaskAction.CHECK_TASK_STATUS, "GET", "/v1/tasks/" + task)
                                .best());
    }

    private static AgentContract tasks(boolean repeatable) {
        return AgentContract.of(
                repeatable, NextAction.call(TaskAction.LIST_TASKS, "GET", "/v1/tasks").best());
    }

    private static Answer noSuchSchedule(Call call) {
        return TaskErrorAnswers.error(
                call,
                TaskError.SCHEDULE_NOT_FOUND,
                "This account has no such schedule; GET /v1/schedules lists those it has.");
    }

    private static Answer badCursor(Call call) {
        return TaskErrorAnswers.badRequest(
                call, "cursor must be the nextCursor of an earlier answer");
    }
}
