package io.orchestrion.cli;

import io.orchestrion.sdk.Schedule;
import io.orchestrion.sdk.ScheduleFire;
import io.orchestrion.sdk.Schedules;

import picocli.CommandLine.Model.CommandSpec;

import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/// `orchestrion schedules`: tasks that are made again and again.
final class ScheduleCommands {
    private static final List<Field> FIELDS =
            List.of(
                    Field.text("--name", "NAME", "name", "Unique in the account."),
                    Field.text(
                            "--cron",
                            "EXPRESSION",
                            "cron",
                            "Minute, hour, day of month, month, day of week, such as '30 2 * * *';"
                                    + " or @hourly, @daily, @weekly, @monthly."),
                    Field.number(
                            "--every-seconds", "everySeconds", "A fixed distance instead of cron."),
                    Field.text(
                            "--timezone",
                            "ZONE",
                            "timezone",
                            "Whose clocks cron means. Default: UTC."),
                    Field.text("--type", "TYPE", "task.type", "Of the tasks that it makes."),
                    Field.json(
                            "--payload",
                            "task.payload",
                            "What each task carries: a JSON object as it stands, @FILE, or - for"
                                    + " standard input. Default: {}."),
                    Field.number("--priority", "task.priority", "Of each task, 0 to 100."),
                    Field.number("--max-attempts", "task.maxAttempts", "Of each task, 1 to 10."),
                    Field.number(
                            "--lease-seconds",
                            "task.leaseDurationSeconds",
                            "Of each task, 30 to 3600."),
                    Field.text(
                            "--overlap",
                            "WORD",
                            "overlap",
                            "While an earlier task is open: allow, skip, cancel_previous or"
                                    + " buffer_one. Default: allow."),
                    Field.text(
                            "--catch-up",
                            "WORD",
                            "catchUp",
                            "Times that passed unnoticed: skip, latest or all. Default: latest."),
                    Field.number("--catch-up-max", "catchUpMax", "How many of them, with all."),
                    Field.number(
                            "--catch-up-within-seconds",
                            "catchUpWithinSeconds",
                            "A fire that is late by no more than this does not count as missed."),
                    Field.number(
                            "--jitter-seconds",
                            "jitterSeconds",
                            "A task becomes claimable up to so much later."),
                    Field.time("--start-at", "startAt", "No fire before."),
                    Field.time("--end-at", "endAt", "No fire after."),
                    Field.flag("--paused", "paused", "It waits to be resumed."));

    private final Surroundings surroundings;

    ScheduleCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "schedules",
                "Make tasks by cron or at a fixed distance.",
                create(),
                list(),
                onSchedule("get", "Show a schedule with its next times.", Schedules::get),
                replace(),
                onSchedule("pause", "Make nothing until it is resumed.", Schedules::pause),
                onSchedule("resume", "Go on with its next time.", Schedules::resume),
                run(),
                fires(),
                delete());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec create() {
        return Field.addWithDocument(command("create", "Make a schedule."), FIELDS)
                .footer(
                        "",
                        "Example:",
                        "  orchestrion schedules create --name nightly --cron '30 2 * * *' --type"
                                + " report")
                .does(run -> show(run, run.client().schedules().create(definition(run))));
    }

    /// A task without a payload has an empty one.
    private static String definition(Invocation run) {
        var body = Field.body(run, FIELDS);
        if (run.has("--type") && body.at("/task/payload").isMissingNode()) {
            body.withObject("task").putObject("payload");
        }
        return body.toString();
    }

    private CommandSpec replace() {
        return Field.addWithDocument(
                        command("replace", "Say everything about a schedule anew.")
                                .id(true, "The schedule's id."),
                        FIELDS)
                .footer("", "What is left out is as for a new one; its counts and history stay.")
                .does(
                        run ->
                                show(
                                        run,
                                        run.client()
                                                .schedules()
                                                .replace(run.id(), definition(run))));
    }

    private static void show(Invocation run, Schedule schedule) {
        run.show(() -> Shown.card("Schedule " + schedule.id(), schedule.json(), run));
    }

    private CommandSpec onSchedule(
            String name, String description, BiFunction<Schedules, UUID, Schedule> deed) {
        return command(name, description)
                .id(true, "The schedule's id.")
                .does(run -> show(run, deed.apply(run.client().schedules(), run.id())));
    }

    private CommandSpec list() {
        return Shown.paged(command("list", "List schedules, newest first."))
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "NAME=name",
                                                "ID=id",
                                                "CRON=cron",
                                                "EVERY=everySeconds",
                                                "TASK=task.type",
                                                "NEXT=nextFireAt",
                                                "FIRED=fired"),
                                        run.client().schedules()::list,
                                        Schedule::json,
                                        "No schedules."));
    }

    private CommandSpec run() {
        return command("run", "Make one of its tasks at once.")
                .id(true, "The schedule's id.")
                .does(
                        run -> {
                            UUID task = run.client().schedules().run(run.id());
                            run.show(
                                    () ->
                                            "Task "
                                                    + task
                                                    + "\n  next: orchestrion tasks get "
                                                    + task);
                        });
    }

    private CommandSpec fires() {
        return Shown.paged(command("fires", "List what a schedule has done, newest first."))
                .id(true, "The schedule's id.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "RESULT=result",
                                                "FOR=fireAt",
                                                "TASK=taskId",
                                                "TIMES=count",
                                                "BY HAND=manual",
                                                "DETAIL=detail"),
                                        (limit, cursor) ->
                                                run.client()
                                                        .schedules()
                                                        .fires(run.id(), limit, cursor),
                                        ScheduleFire::json,
                                        "It has done nothing yet."));
    }

    private CommandSpec delete() {
        return command("delete", "Remove a schedule; its tasks stay.")
                .id(true, "The schedule's id.")
                .does(
                        run -> {
                            run.client().schedules().delete(run.id());
                            run.show(() -> "Schedule " + run.id() + " is gone.");
                        });
    }
}
