package io.orchestrion.cli;

import io.orchestrion.sdk.NewRun;
import io.orchestrion.sdk.Run;
import io.orchestrion.sdk.RunQuery;
import io.orchestrion.sdk.RunStatus;
import io.orchestrion.sdk.RunTree;
import io.orchestrion.sdk.Runs;
import io.orchestrion.tools.ClientExit;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// `orchestrion runs`: what agents do for a task, within a budget.
final class RunCommands {
    static final String ID = "The run's id.";
    private static final int WATCH_SECONDS = 86_400;
    private static final String STATUSES =
            Arrays.stream(RunStatus.values())
                    .filter(status -> status != RunStatus.UNKNOWN)
                    .map(RunStatus::word)
                    .collect(Collectors.joining(", "));

    private static final List<Field> FIELDS =
            List.of(
                    Field.text("--name", "NAME", "name", "What people read."),
                    Field.text("--task", "TEXT", "task", "What it is to do, for who plans it."),
                    Field.json(
                            "--plan",
                            "plan",
                            "The plan; without one, a worker makes it. @FILE, or - for standard"
                                    + " input."),
                    Field.text(
                            "--planner",
                            "MODE",
                            "planner.mode",
                            "static (with a plan), claim (a worker) or openai (the server's"
                                    + " model)."),
                    Field.number("--max-tokens", "max_tokens", "Tokens of an attempt."),
                    Field.number("--max-agents", "max_agents", "Agents of a plan."),
                    Field.number("--max-attempts", "max_attempts", "Attempts of the run."),
                    Field.number("--max-replans", "max_replans", "Further plans of an attempt."),
                    Field.text(
                            "--failure-mode",
                            "MODE",
                            "failure_mode",
                            "When an agent fails: fail-fast, continue or retry."),
                    Field.text("--priority", "WORD", "priority", "normal or high."),
                    Field.json(
                            "--tool-policies",
                            "tool_policies",
                            "By the name of a tool: allow, confirm or block."),
                    Field.json("--limits", "limits", "How much is under way at a time."),
                    Field.json("--timeouts", "timeouts", "How long states and parts may take."),
                    Field.json("--context", "context", "What the planner should know."));

    private final Surroundings surroundings;

    RunCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        CommandSpec group = Group.of("runs", "Run agents, step by step, within a budget.");
        Group.with(
                group,
                create(),
                start(),
                watch(),
                list(),
                show(),
                tree(),
                ordered("pause", "Have nothing new begin; what is under way goes on.", Runs::pause),
                ordered("resume", "Go on with a paused run.", Runs::resume),
                cancel(),
                ordered("retry", "Have a failed run begin another attempt.", Runs::retry),
                delete(),
                plan());
        Group.with(group, new RunRecordCommands(surroundings).specs());
        Group.with(group, new RunPartCommands(surroundings).specs());
        Group.with(group, new ArtifactCommands(surroundings).spec());
        return Group.with(group, new RunPeopleCommands(surroundings).specs());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec create() {
        return Field.addWithDocument(command("create", "Make a run."), FIELDS)
                .option(
                        "--key",
                        "KEY",
                        String.class,
                        "Idempotency key: a name of yours for this one run.")
                .flag("--start", "Start it, too.")
                .flag("--watch", "Start it and follow it until it has ended, as watch does.")
                .footer(
                        "",
                        "Example:",
                        "  orchestrion runs create --name research --task 'What is durable"
                                + " execution?' --max-tokens 20000 --start")
                .does(RunCommands::create);
    }

    private static void create(Invocation run) {
        NewRun.Builder wanted = NewRun.ofJson(Field.body(run, FIELDS).toString());
        String key = run.value("--key");
        Runs runs = run.client().runs();
        Run made = runs.create((key == null ? wanted : wanted.withKey(key)).build());
        if (run.has("--watch")) {
            runs.start(made.id());
            watch(run, made.id(), Duration.ofSeconds(WATCH_SECONDS));
            return;
        }
        Run now = run.has("--start") ? runs.start(made.id()) : made;
        run.show(() -> RunShown.line(now, run));
    }

    private CommandSpec start() {
        return command("start", "Start a run: its credits are reserved.")
                .word("RUN", ID)
                .option("--reason", "TEXT", String.class, "Why, for those who look later.")
                .flag("--watch", "Follow it until it has ended, as watch does.")
                .does(
                        run -> {
                            Run now = run.client().runs().start(run.word(), run.value("--reason"));
                            if (run.has("--watch")) {
                                watch(run, now.id(), Duration.ofSeconds(WATCH_SECONDS));
                            } else {
                                run.show(() -> RunShown.line(now, run));
                            }
                        });
    }

    private CommandSpec watch() {
        return command("watch", "Follow a run until it has ended.")
                .word("RUN", ID)
                .option(
                        "--seconds",
                        "N",
                        Integer.class,
                        "For at most so long. Default: " + WATCH_SECONDS + ".")
                .footer(
                        "",
                        "At a terminal it draws the tree anew with every change; else each change"
                                + " is a line.")
                .does(
                        run ->
                                watch(
                                        run,
                                        run.word(),
                                        Duration.ofSeconds(
                                                run.number("--seconds", WATCH_SECONDS))));
    }

    private static void watch(Invocation run, String id, Duration within) {
        RunStatus status = new RunWatch(run, id).follow(within);
        switch (status) {
            case COMPLETED -> {}
            case FAILED -> throw new ClientCommand.NotAsHoped(ClientExit.EXECUTION_FAILED);
            case CANCELLED -> throw new ClientCommand.NotAsHoped(ClientExit.EXECUTION_CANCELED);
            case SKIPPED -> throw new ClientCommand.NotAsHoped(ClientExit.RUN_SKIPPED);
            case CREATED, PENDING, RUNNING, PAUSED, RESUMING, RETRYING, UNKNOWN ->
                    throw new ClientCommand.NotAsHoped(ClientExit.STILL_OPEN);
        }
    }

    private CommandSpec list() {
        return Shown.paged(command("list", "List runs, newest first."))
                .option("--status", "STATUS", String.class, "One of " + STATUSES + ".")
                .flag("--escalated", "Only those for which people were called.")
                .option("--created-from", "TIME", String.class, "Not made earlier.")
                .option("--created-to", "TIME", String.class, "Made earlier.")
                .does(RunCommands::list);
    }

    private static void list(Invocation run) {
        RunQuery query =
                RunQuery.ALL
                        .withStatus(status(run))
                        .escalated(run.has("--escalated") ? Boolean.TRUE : null)
                        .createdBetween(time(run, "--created-from"), time(run, "--created-to"));
        Shown.pages(
                run,
                Shown.table(
                        run,
                        "STATUS=status",
                        "RUN=run_id",
                        "NAME=name",
                        "ATTEMPT=attempt_number",
                        "AGENTS=agent_count",
                        "STEPS=step_count",
                        "CHARGED=credits_charged",
                        "RESERVED=credits_reserved",
                        "CREATED=created_at",
                        "ERROR=last_error_code"),
                (limit, cursor) -> run.client().runs().list(query.withLimit(limit).after(cursor)),
                Run::json,
                "No runs.");
    }

    private static @Nullable Instant time(Invocation run, String option) {
        String written = run.value(option);
        return written == null ? null : run.time(option, written);
    }

    private static @Nullable RunStatus status(Invocation run) {
        String written = run.value("--status");
        if (written == null) {
            return null;
        }
        RunStatus status = RunStatus.of(written);
        if (status == RunStatus.UNKNOWN) {
            throw run.misused("--status must be one of " + STATUSES + ", not " + written);
        }
        return status;
    }

    private CommandSpec show() {
        return command("show", "Show a run, or an agent, a task or a step of it.")
                .word("RUN", ID)
                .option("--agent", "ID", String.class, "This agent of the run.")
                .option("--of-task", "ID", String.class, "This task of the run.")
                .option("--step", "ID", String.class, "This step, with output and attempts.")
                .option("--limit", "N", Integer.class, "Attempts of the step, 1 to 100.")
                .does(RunCommands::show);
    }

    private static void show(Invocation run) {
        Runs runs = run.client().runs();
        String agent = run.value("--agent");
        String task = run.value("--of-task");
        String step = run.value("--step");
        if (agent != null) {
            var found = runs.agent(run.word(), agent);
            run.show(() -> RunShown.part("Agent", found.json(), run));
        } else if (task != null) {
            var found = runs.task(run.word(), task);
            run.show(() -> RunShown.part("Task", found.json(), run));
        } else if (step != null) {
            var found = runs.step(run.word(), step, run.value("--limit"), null);
            run.show(() -> RunShown.part("Step", found.json(), run));
        } else {
            Run found = runs.get(run.word());
            run.show(() -> RunShown.card(found, run));
        }
    }

    private CommandSpec tree() {
        return Shown.paged(command("tree", "Show the agents, tasks and steps of a run."))
                .word("RUN", ID)
                .option(
                        "--attempt",
                        "N",
                        Integer.class,
                        "Of this attempt of the run. Default: the present one.")
                .footer("", "A large run has many pages: --limit 500 --all prints them all.")
                .does(RunCommands::tree);
    }

    private static void tree(Invocation run) {
        RunTree.Part part =
                RunTree.FIRST.ofAttempt(run.value("--attempt")).withLimit(run.value("--limit"));
        boolean first = true;
        String cursor = null;
        do {
            RunTree tree = run.client().runs().tree(run.word(), part.after(cursor));
            if (run.json()) {
                run.show(() -> "");
            } else {
                RunShown.print(tree, first, run);
            }
            first = false;
            cursor = tree.nextCursor();
        } while (cursor != null && run.has("--all"));
        if (cursor != null && !run.json()) {
            run.out().println(run.screen().faint("There are more; --all shows them."));
        }
    }

    /// An order to a run that takes a reason.
    private interface Order {
        Run give(Runs to, String id, @Nullable String reason);
    }

    private CommandSpec ordered(String name, String description, Order order) {
        return command(name, description)
                .word("RUN", ID)
                .option("--reason", "TEXT", String.class, "Why, for those who look later.")
                .does(
                        run -> {
                            Run now =
                                    order.give(
                                            run.client().runs(), run.word(), run.value("--reason"));
                            run.show(() -> RunShown.line(now, run));
                        });
    }

    private CommandSpec cancel() {
        return command("cancel", "End a run, or an agent or a task of it; workers lose its steps.")
                .word("RUN", ID)
                .option("--agent", "ID", String.class, "Only this agent.")
                .option("--of-task", "ID", String.class, "Only this task.")
                .option("--reason", "TEXT", String.class, "Why, for those who look later.")
                .does(RunCommands::cancel);
    }

    private static void cancel(Invocation run) {
        Runs runs = run.client().runs();
        String agent = run.value("--agent");
        String task = run.value("--of-task");
        String reason = run.value("--reason");
        if (agent != null) {
            var now = runs.cancelAgent(run.word(), agent, reason);
            run.show(() -> "Agent " + Screen.clean(now.id()) + " is " + now.status() + ".");
        } else if (task != null) {
            var now = runs.cancelTask(run.word(), task, reason);
            run.show(() -> "Task " + Screen.clean(now.id()) + " is " + now.status() + ".");
        } else {
            Run now = runs.cancel(run.word(), reason);
            run.show(() -> RunShown.line(now, run));
        }
    }

    private CommandSpec delete() {
        return command("delete", "Delete a run that was never started.")
                .word("RUN", ID)
                .does(
                        run -> {
                            run.client().runs().delete(run.word());
                            run.show(() -> "Run " + Screen.clean(run.word()) + " is deleted.");
                        });
    }

    private CommandSpec plan() {
        return command("plan", "Hand in the plan while the run waits for one.")
                .word("RUN", ID)
                .required("--plan", "JSON", "As it stands, @FILE, or - for standard input.")
                .does(
                        run -> {
                            String plan = run.document("--plan");
                            Run now =
                                    run.client()
                                            .runs()
                                            .planJson(run.word(), plan == null ? "" : plan);
                            run.show(() -> RunShown.line(now, run));
                        });
    }
}
