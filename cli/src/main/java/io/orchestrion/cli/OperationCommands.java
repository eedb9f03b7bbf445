package io.orchestrion.cli;

import io.orchestrion.sdk.Operation;
import io.orchestrion.sdk.OperationPreview;

import picocli.CommandLine.Model.CommandSpec;

import java.util.List;
import java.util.UUID;

/// `orchestrion operations`: one request for all tasks that fit a filter.
final class OperationCommands {
    private static final List<Field> FIELDS =
            List.of(
                    Field.text(
                            "--action",
                            "WORD",
                            "action",
                            "What is done: cancel, requeue or purge."),
                    Field.text(
                            "--status",
                            "STATUS",
                            "filter.status",
                            "Only tasks of this status. Default: all that the action is for."),
                    Field.text("--type", "TYPE", "filter.type", "Only tasks of this type."),
                    Field.time(
                            "--created-before", "filter.createdBefore", "Only tasks made earlier."),
                    Field.time(
                            "--created-after",
                            "filter.createdAfter",
                            "Only tasks made since then."),
                    Field.time(
                            "--finished-before",
                            "filter.finishedBefore",
                            "Only tasks that ended earlier."),
                    Field.words(
                            "--ids", "IDS", "filter.ids", "Only these, with commas between them."),
                    Field.text(
                            "--reason-contains",
                            "TEXT",
                            "filter.reasonContains",
                            "Only tasks whose last failure says this."),
                    Field.number(
                            "--max",
                            "max",
                            "Largest number of tasks that the operation may change."),
                    Field.text("--reason", "TEXT", "reason", "Why, for the audit log."));

    private final Surroundings surroundings;

    OperationCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "operations",
                "Cancel, requeue or purge all tasks that fit a filter.",
                create(),
                list(),
                get(),
                cancel());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec create() {
        return Field.addWithDocument(command("create", "Start an operation."), FIELDS)
                .flag("--dry-run", "Only say what it would be about.")
                .option(
                        "--key",
                        "KEY",
                        String.class,
                        "Idempotency key: a name of yours for this one request.")
                .footer(
                        "",
                        "Example:",
                        "  orchestrion operations create --action requeue --type page --dry-run")
                .does(OperationCommands::create);
    }

    private static void create(Invocation run) {
        String request = Field.body(run, FIELDS).toString();
        if (run.has("--dry-run")) {
            OperationPreview would = run.client().operations().preview(request);
            run.show(
                    () ->
                            "It would "
                                    + Screen.clean(would.action())
                                    + " "
                                    + (would.matchedAtLeast() ? "at least " : "")
                                    + would.matched()
                                    + (would.matched() == 1 ? " task." : " tasks."));
            return;
        }
        String key = run.value("--key");
        show(
                run,
                run.client()
                        .operations()
                        .create(request, key == null ? UUID.randomUUID().toString() : key));
    }

    private static void show(Invocation run, Operation operation) {
        run.show(() -> Shown.card("Operation " + operation.id(), operation.json(), run));
    }

    private CommandSpec list() {
        return Shown.paged(command("list", "List operations, newest first."))
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATE=state",
                                                "ACTION=action",
                                                "ID=id",
                                                "MATCHED=matched",
                                                "DONE=done",
                                                "SKIPPED=skipped",
                                                "FAILED=failed",
                                                "CREATED=createdAt",
                                                "REASON=reason"),
                                        run.client().operations()::list,
                                        Operation::json,
                                        "No operations."));
    }

    private CommandSpec get() {
        return command("get", "Show how far an operation is.")
                .id(true, "The operation's id.")
                .does(run -> show(run, run.client().operations().get(run.id())));
    }

    private CommandSpec cancel() {
        return command("cancel", "Stop an operation; what is done stays done.")
                .id(true, "The operation's id.")
                .does(run -> show(run, run.client().operations().cancel(run.id())));
    }
}
