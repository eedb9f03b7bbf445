package io.orchestrion.cli;

import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.NothingToClaim;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskPage;
import io.orchestrion.sdk.TaskQuery;
import io.orchestrion.sdk.TaskStatus;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/// `orchestrion tasks`: every verb of the tasks door.
final class TaskCommands {
    private static final String STATUSES =
            Arrays.stream(TaskStatus.values())
                    .filter(status -> status != TaskStatus.UNKNOWN)
                    .map(TaskStatus::word)
                    .collect(Collectors.joining(", "));

    private static final List<Field> FURTHER =
            List.of(
                    Field.text(
                            "--concurrency-key",
                            "KEY",
                            "concurrencyKey",
                            "Shares the slots of the type's concurrency limit."),
                    Field.text(
                            "--rate-key",
                            "KEY",
                            "rateKey",
                            "Shares the starts of the type's rate limit."),
                    Field.text(
                            "--correlation-id",
                            "TEXT",
                            "correlationId",
                            "What the task is a part of, as its events and logs name it."),
                    Field.number(
                            "--give-up-after",
                            "giveUpAfterSeconds",
                            "So many seconds after its creation it is cancelled if it is still"
                                    + " open."),
                    Field.words(
                            "--depends-on",
                            "IDS",
                            "dependsOn",
                            "Not claimable until these tasks are completed, with commas between"
                                    + " them."),
                    Field.text(
                            "--on-dependency-failure",
                            "WORD",
                            "onDependencyFailure",
                            "When one of them fails: cancel, ignore or hold. Default: cancel."),
                    Field.json(
                            "--unique",
                            "unique",
                            "One such task at a time: an object as the API takes it."));

    private final Surroundings surroundings;

    TaskCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "tasks",
                "Create, look at and work on tasks.",
                create(),
                list(),
                get(),
                claim(),
                heartbeat(),
                complete(),
                fail(),
                cancel(),
                requeue(),
                release(),
                events());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec create() {
        return Field.addTo(options(command("create", "Create a task.")), FURTHER)
                .footer(
                        "",
                        "Examples:",
                        "  orchestrion tasks create --type hello --payload '{\"name\":\"world\"}'",
                        "  orchestrion tasks create --type report --payload @report.json --key"
                                + " report-42")
                .does(
                        run -> {
                            Task task = run.client().create(newTask(run));
                            run.show(() -> TaskCard.of(task, run));
                        });
    }

    private static ClientCommand options(ClientCommand command) {
        return command.required("--type", "TYPE", "Type of the work. Workers claim tasks by type.")
                .option(
                        "--payload",
                        "JSON",
                        String.class,
                        "What the worker gets, a JSON object: as it stands, @FILE, or - for"
                                + " standard input. Default: {}.")
                .option("--priority", "N", Integer.class, "0 to 100; higher is claimed first.")
                .option(
                        "--max-attempts",
                        "N",
                        Integer.class,
                        "Claims before a failure is final, 1 to 10.")
                .option(
                        "--lease-seconds",
                        "N",
                        Integer.class,
                        "How long a claim lasts without a heartbeat, 30 to 3600.")
                .option(
                        "--at",
                        "TIME",
                        String.class,
                        "Not claimable before: 2030-01-31T08:30:00Z, or without an offset in the"
                                + " local zone.")
                .option(
                        "--key",
                        "KEY",
                        String.class,
                        "Idempotency key: a name of yours for this one request, so that sending"
                                + " it again makes no second task.");
    }

    private static NewTask newTask(Invocation run) {
        NewTask.Builder task = NewTask.ofType(run.text("--type"));
        String payload = run.document("--payload");
        if (payload != null) {
            task.payload(payload);
        }
        Integer priority = run.value("--priority");
        if (priority != null) {
            task.priority(priority);
        }
        Integer attempts = run.value("--max-attempts");
        if (attempts != null) {
            task.maxAttempts(attempts);
        }
        Integer lease = run.value("--lease-seconds");
        if (lease != null) {
            task.leaseDuration(Duration.ofSeconds(lease));
        }
        String at = run.value("--at");
        if (at != null) {
            task.scheduledAt(run.time("--at", at));
        }
        String key = run.value("--key");
        if (key != null) {
            task.idempotencyKey(key);
        }
        return task.further(Field.body(run, FURTHER).toString()).build();
    }

    private CommandSpec list() {
        return command("list", "List tasks, newest first.")
                .option("--status", "STATUS", String.class, "One of " + STATUSES + ".")
                .option("--type", "TYPE", String.class, "Only tasks of this type.")
                .option("--limit", "N", Integer.class, "Tasks on a page, 1 to 100. Default: 50.")
                .flag("--owned", "Also the steps that engines made.")
                .flag("--all", "Every page, not only the first.")
                .does(TaskCommands::list);
    }

    private static void list(Invocation run) {
        TaskQuery query = query(run);
        TaskTable.of(run)
                .pages(
                        cursor -> run.client().list(cursor == null ? query : query.after(cursor)),
                        TaskPage::tasks,
                        TaskPage::nextCursor,
                        "No tasks.");
    }

    private static TaskQuery query(Invocation run) {
        TaskQuery query = run.has("--owned") ? TaskQuery.ALL.withOwned() : TaskQuery.ALL;
        String status = run.value("--status");
        if (status != null) {
            TaskStatus wanted = TaskStatus.of(status);
            if (wanted == TaskStatus.UNKNOWN) {
                throw run.misused("--status must be one of " + STATUSES + ", not " + status);
            }
            query = query.withStatus(wanted);
        }
        String type = run.value("--type");
        if (type != null) {
            query = query.withType(type);
        }
        Integer limit = run.value("--limit");
        return limit == null ? query : query.withLimit(limit);
    }

    private CommandSpec get() {
        return command("get", "Show a task.")
                .id(true)
                .does(run -> show(run.client().get(run.id()), run));
    }

    private static void show(Task task, Invocation run) {
        run.show(() -> TaskCard.of(task, run));
    }

    private CommandSpec claim() {
        return command("claim", "Claim the next task of a type, or the task of an id.")
                .option("--type", "TYPE", String.class, "Claim the next task of this type.")
                .option(
                        "--worker",
                        "NAME",
                        String.class,
                        "Shown as the task's worker. Default: your user name.")
                .option(
                        "--wait-seconds",
                        "N",
                        Integer.class,
                        "Wait so long for a task when there is none, at most 30.")
                .option(
                        "--claim-id",
                        "UUID",
                        UUID.class,
                        "Names this claim: sent again, it gives the same lease.")
                .id(false)
                .footer(
                        "",
                        "With nothing to claim it says so and ends with 0; with --json the task is"
                                + " null.")
                .does(TaskCommands::claim);
    }

    private static void claim(Invocation run) {
        UUID id = run.idOrNull();
        String type = run.value("--type");
        if ((id == null) == (type == null)) {
            throw run.misused("claim takes either --type TYPE or an ID");
        }
        String named = run.value("--worker");
        String worker = named == null ? System.getProperty("user.name") : named;
        if (id != null) {
            ClaimedTask claimed = run.client().claim(id, worker, run.value("--claim-id"));
            run.show(() -> TaskCard.of(claimed, run));
        } else if (type != null) {
            claimNext(type, worker, run);
        }
    }

    private static void claimNext(String type, @Nullable String worker, Invocation run) {
        UUID claimId = run.value("--claim-id");
        Duration poll = Duration.ofSeconds(run.number("--wait-seconds", 0));
        switch (run.client()
                .claim(type, worker, poll, claimId == null ? UUID.randomUUID() : claimId)) {
            case ClaimedTask claimed -> run.show(() -> TaskCard.of(claimed, run));
            case NothingToClaim(var wait) ->
                    run.show(
                            () ->
                                    "Nothing of type "
                                            + type
                                            + " to claim; ask again in "
                                            + Times.length(wait.toSeconds())
                                            + ".");
        }
    }

    /// With the option that all of a holder's commands take.
    private ClientCommand holder(String name, String description) {
        return command(name, description)
                .id(true)
                .option(
                        "--token",
                        "TOKEN",
                        UUID.class,
                        "The lease token of the claim; with it, a lease that another has taken"
                                + " over is left alone.");
    }

    private CommandSpec heartbeat() {
        return holder("heartbeat", "Renew the lease on a task.")
                .does(run -> show(run.client().heartbeat(run.id(), run.value("--token")), run));
    }

    private CommandSpec complete() {
        return TaskReports.ofAttempt(
                        holder("complete", "Complete a task.")
                                .option(
                                        "--result",
                                        "JSON",
                                        String.class,
                                        "What came of it, a JSON object: as it stands, @FILE, or -"
                                                + " for standard input.")
                                .option(
                                        "--output-id",
                                        "TEXT",
                                        String.class,
                                        "A reference to an artifact kept elsewhere."))
                .does(
                        run ->
                                show(
                                        run.client()
                                                .complete(
                                                        run.id(),
                                                        run.value("--token"),
                                                        run.document("--result"),
                                                        run.value("--output-id"),
                                                        TaskReports.of(run)),
                                        run));
    }

    private CommandSpec fail() {
        return TaskReports.ofAttempt(
                        TaskReports.ofFailure(
                                holder("fail", "Fail a task: it is tried again, or dead-lettered.")
                                        .option(
                                                "--reason",
                                                "TEXT",
                                                String.class,
                                                "Why, in at most 500 characters.")
                                        .option(
                                                "--retry-after",
                                                "SECONDS",
                                                Integer.class,
                                                "Not claimable again before, 1 to 86400.")))
                .does(TaskCommands::fail);
    }

    private static void fail(Invocation run) {
        Integer wait = run.value("--retry-after");
        Task task =
                run.client()
                        .fail(
                                run.id(),
                                run.value("--token"),
                                run.value("--reason"),
                                wait == null ? null : Duration.ofSeconds(wait),
                                TaskReports.ofFailure(run));
        show(task, run);
    }

    private CommandSpec cancel() {
        return command("cancel", "Cancel a task that nobody has claimed.")
                .id(true)
                .flag("--force", "Also if a worker holds it, who is refused from then on.")
                .does(
                        run ->
                                show(
                                        run.has("--force")
                                                ? run.client().forceCancel(run.id())
                                                : run.client().cancel(run.id()),
                                        run));
    }

    private CommandSpec release() {
        return command("release", "Let a task go on that is held after a failed dependency.")
                .id(true)
                .does(run -> show(run.client().release(run.id()), run));
    }

    private CommandSpec events() {
        return Shown.paged(command("events", "Show what happened to a task, oldest first."))
                .id(true)
                .option("--after", "CURSOR", String.class, "Only what came after this event.")
                .does(
                        run ->
                                LogCommands.pages(
                                        run,
                                        after ->
                                                run.client()
                                                        .events()
                                                        .ofTask(
                                                                run.id(),
                                                                after,
                                                                run.value("--limit"))));
    }

    private CommandSpec requeue() {
        return command("requeue", "Put a dead-lettered task back in line.")
                .id(true)
                .does(run -> show(run.client().requeue(run.id()), run));
    }
}
