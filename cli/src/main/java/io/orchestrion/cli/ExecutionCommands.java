package io.orchestrion.cli;

import io.orchestrion.sdk.Execution;
import io.orchestrion.sdk.ExecutionQuery;
import io.orchestrion.sdk.ExecutionStatus;
import io.orchestrion.sdk.ExecutionTransition;
import io.orchestrion.sdk.NewExecution;
import io.orchestrion.sdk.Orchestrations;
import io.orchestrion.sdk.StepExecution;
import io.orchestrion.sdk.StepStatus;
import io.orchestrion.tools.ClientExit;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Collectors;

/// The executions of `orchestrion orchestrations`.
final class ExecutionCommands {
    private static final String ID = "The execution's id.";
    private static final int WATCH_SECONDS = 86_400;
    private static final String STATUSES =
            Arrays.stream(ExecutionStatus.values())
                    .filter(status -> status != ExecutionStatus.UNKNOWN)
                    .map(ExecutionStatus::word)
                    .collect(Collectors.joining(", "));
    private static final String STEP_STATUSES =
            Arrays.stream(StepStatus.values())
                    .filter(status -> status != StepStatus.UNKNOWN)
                    .map(StepStatus::word)
                    .collect(Collectors.joining(", "));

    private final Surroundings surroundings;

    ExecutionCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec[] specs() {
        return new CommandSpec[] {
            start(),
            watch(),
            list(),
            get(),
            steps(),
            transitions(),
            graph(),
            ordered(
                    "pause",
                    "Have no further step begin; what is under way goes on.",
                    Orchestrations::pause),
            ordered("resume", "Go on with a paused execution.", Orchestrations::resume),
            ordered("cancel", "End an execution; who has a step loses it.", Orchestrations::cancel),
            retry()
        };
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec start() {
        return command("start", "Start an execution.")
                .id(true, "The definition's id.")
                .option(
                        "--version",
                        "N",
                        Integer.class,
                        "Which version. Default: the newest published one.")
                .option(
                        "--target",
                        "TYPE/ID",
                        String.class,
                        "What it is about, such as order/4711. Default: none/none.")
                .option(
                        "--input",
                        "JSON",
                        String.class,
                        "As it stands, @FILE, or - for standard input. Default: {}.")
                .option(
                        "--correlation-id",
                        "ID",
                        String.class,
                        "For logs and calls of other services. Default: the execution's id.")
                .option(
                        "--key",
                        "KEY",
                        String.class,
                        "Idempotency key: a name of yours for this one start.")
                .flag("--watch", "Follow it until it has ended, as watch does.")
                .footer(
                        "",
                        "Example:",
                        "  orchestrion orchestrations start ID --target order/4711 --input"
                                + " '{\"amount\":120}' --key refund-4711")
                .does(ExecutionCommands::start);
    }

    private static void start(Invocation run) {
        NewExecution wanted = NewExecution.of(run.id());
        Integer version = run.value("--version");
        if (version != null) {
            wanted = wanted.ofVersion(version);
        }
        String target = run.value("--target");
        if (target != null) {
            int middle = target.indexOf('/');
            if (middle < 1 || middle == target.length() - 1) {
                throw run.misused("--target is like order/4711, not " + target);
            }
            wanted = wanted.forTarget(target.substring(0, middle), target.substring(middle + 1));
        }
        String input = run.document("--input");
        if (input != null) {
            wanted = wanted.withInput(input);
        }
        String correlation = run.value("--correlation-id");
        if (correlation != null) {
            wanted = wanted.withCorrelationId(correlation);
        }
        String key = run.value("--key");
        Execution started =
                OrchestrationCommands.of(run).start(key == null ? wanted : wanted.withKey(key));
        if (run.has("--watch")) {
            watch(run, started.id(), Duration.ofSeconds(WATCH_SECONDS));
        } else {
            run.show(() -> ExecutionShown.started(started, run));
        }
    }

    private CommandSpec watch() {
        return command("watch", "Follow an execution until it has ended.")
                .id(true, ID)
                .option(
                        "--seconds",
                        "N",
                        Integer.class,
                        "For at most so long. Default: " + WATCH_SECONDS + ".")
                .footer(
                        "",
                        "At a terminal it draws the steps anew with every change; else each change"
                                + " is a line.")
                .does(
                        run ->
                                watch(
                                        run,
                                        run.id(),
                                        Duration.ofSeconds(
                                                run.number("--seconds", WATCH_SECONDS))));
    }

    private static void watch(Invocation run, UUID id, Duration within) {
        ExecutionStatus status = new ExecutionWatch(run, id).follow(within);
        switch (status) {
            case SUCCEEDED -> {}
            case FAILED -> throw new ClientCommand.NotAsHoped(ClientExit.EXECUTION_FAILED);
            case CANCELED -> throw new ClientCommand.NotAsHoped(ClientExit.EXECUTION_CANCELED);
            case RUNNING, WAITING_APPROVAL, PAUSED, UNKNOWN ->
                    throw new ClientCommand.NotAsHoped(ClientExit.STILL_OPEN);
        }
    }

    private CommandSpec list() {
        return Shown.paged(command("list", "List executions, newest first."))
                .option("--status", "STATUS", String.class, "One of " + STATUSES + ".")
                .option("--definition", "ID", UUID.class, "Only of this definition.")
                .option("--target-type", "TYPE", String.class, "Only about this type of thing.")
                .option("--target-id", "ID", String.class, "Only about this thing.")
                .option("--correlation-id", "ID", String.class, "Only with this correlation id.")
                .does(ExecutionCommands::list);
    }

    private static void list(Invocation run) {
        ExecutionQuery query =
                ExecutionQuery.ALL
                        .withStatus(status(run))
                        .ofDefinition(run.value("--definition"))
                        .forTarget(run.value("--target-type"), run.value("--target-id"))
                        .withCorrelationId(run.value("--correlation-id"));
        Shown.pages(
                run,
                Shown.table(
                        run,
                        "STATUS=status",
                        "ID=execution_id",
                        "TARGET=target_object_type",
                        "ITS ID=target_object_id",
                        "DEFINITION=definition_id",
                        "VERSION=definition_version",
                        "STARTED=started_at",
                        "ENDED=completed_at",
                        "ERROR=error.code"),
                (limit, cursor) ->
                        OrchestrationCommands.of(run).list(query.withLimit(limit).after(cursor)),
                Execution::json,
                "No executions.");
    }

    private static @Nullable ExecutionStatus status(Invocation run) {
        String written = run.value("--status");
        if (written == null) {
            return null;
        }
        ExecutionStatus status = ExecutionStatus.of(written);
        if (status == ExecutionStatus.UNKNOWN) {
            throw run.misused("--status must be one of " + STATUSES + ", not " + written);
        }
        return status;
    }

    private CommandSpec get() {
        return command("get", "Show an execution: its steps, and what it waits for.")
                .id(true, ID)
                .option("--limit", "N", Integer.class, "How many attempts at steps, 1 to 100.")
                .does(
                        run -> {
                            Integer limit = run.value("--limit");
                            Execution execution =
                                    OrchestrationCommands.of(run).get(run.id(), limit);
                            run.show(() -> ExecutionShown.card(execution, run));
                        });
    }

    private CommandSpec steps() {
        return Shown.paged(command("steps", "List the attempts at an execution's steps."))
                .id(true, ID)
                .option("--step", "STEP", String.class, "Only of this step.")
                .option("--status", "STATUS", String.class, "One of " + STEP_STATUSES + ".")
                .does(
                        run -> {
                            StepStatus status = stepStatus(run);
                            Shown.pages(
                                    run,
                                    ExecutionShown.steps(run),
                                    (limit, cursor) ->
                                            OrchestrationCommands.of(run)
                                                    .steps(
                                                            run.id(),
                                                            run.value("--step"),
                                                            status,
                                                            limit,
                                                            cursor),
                                    StepExecution::json,
                                    "No attempts.");
                        });
    }

    private static @Nullable StepStatus stepStatus(Invocation run) {
        String written = run.value("--status");
        if (written == null) {
            return null;
        }
        StepStatus status = StepStatus.of(written);
        if (status == StepStatus.UNKNOWN) {
            throw run.misused("--status must be one of " + STEP_STATUSES + ", not " + written);
        }
        return status;
    }

    private CommandSpec transitions() {
        return Shown.paged(command("transitions", "List the changes of an execution's status."))
                .id(true, ID)
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "TO=to",
                                                "EVENT=event",
                                                "FROM=from",
                                                "WHEN=at",
                                                "BY=actor",
                                                "REASON=reason"),
                                        (limit, cursor) ->
                                                OrchestrationCommands.of(run)
                                                        .transitions(run.id(), limit, cursor),
                                        ExecutionTransition::json,
                                        "No changes."));
    }

    private CommandSpec graph() {
        return command("graph", "Show an execution's steps, and how each stands.")
                .id(true, ID)
                .flag("--mermaid", "As a flow chart in Mermaid's language.")
                .does(
                        run -> {
                            Orchestrations all = OrchestrationCommands.of(run);
                            if (run.has("--mermaid")) {
                                run.out().println(all.mermaid(run.id()));
                                return;
                            }
                            var graph = all.graph(run.id());
                            run.show(() -> StepGraph.text(graph, run.screen()));
                        });
    }

    /// An order to an execution that takes a reason.
    private interface Order {
        Execution give(Orchestrations to, UUID id, @Nullable String reason);
    }

    private CommandSpec ordered(String name, String description, Order order) {
        return command(name, description)
                .id(true, ID)
                .option("--reason", "TEXT", String.class, "Why, for those who look later.")
                .does(
                        run -> {
                            Execution now =
                                    order.give(
                                            OrchestrationCommands.of(run),
                                            run.id(),
                                            run.value("--reason"));
                            run.show(() -> ExecutionShown.line(now, run));
                        });
    }

    private CommandSpec retry() {
        return command("retry", "Have a failed execution go on from the step that failed.")
                .id(true, ID)
                .option("--step", "STEP", String.class, "From this failed step.")
                .required("--reason", "TEXT", "Why; it is in the audit log.")
                .flag("--confirm-unsafe", "Also a step that is not safe to repeat.")
                .does(ExecutionCommands::retry);
    }

    private static void retry(Invocation run) {
        Orchestrations all = OrchestrationCommands.of(run);
        String reason = run.text("--reason");
        boolean unsafe = run.has("--confirm-unsafe");
        String step = run.value("--step");
        if (step == null) {
            Execution now = all.retry(run.id(), reason, unsafe);
            run.show(() -> ExecutionShown.line(now, run));
        } else {
            StepExecution now = all.retryStep(run.id(), step, reason, unsafe);
            run.show(
                    () ->
                            "Step "
                                    + Screen.clean(now.stepId())
                                    + " is tried again: attempt "
                                    + now.attemptNumber()
                                    + ".");
        }
    }
}
