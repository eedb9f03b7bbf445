package io.orchestrion.cli;

import io.orchestrion.sdk.Approval;
import io.orchestrion.sdk.ApprovalQuery;
import io.orchestrion.sdk.Approvals;
import io.orchestrion.sdk.DeadLetter;
import io.orchestrion.sdk.DeadLetterQuery;
import io.orchestrion.sdk.DeadLetters;
import io.orchestrion.sdk.Reprocessed;
import io.orchestrion.sdk.ReviewEntry;
import io.orchestrion.sdk.Reviews;
import io.orchestrion.sdk.StepKind;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// What of `orchestrion orchestrations` is for people who decide, repair and look.
final class ReviewCommands {
    private static final String NOTE = "Why, for those who look later.";
    private static final String LETTER = "The dead letter's id.";
    private static final String ENTRY = "The entry's id.";

    private final Surroundings surroundings;

    ReviewCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec[] specs() {
        return new CommandSpec[] {
            approvals(),
            approval(),
            decide("approve", "Say yes; the execution goes on.", true),
            decide("reject", "Say no; the step has failed.", false),
            Group.of(
                    "dlq",
                    "Steps that failed for good.",
                    letters(),
                    letter(),
                    reprocess(),
                    resolveLetter()),
            Group.of(
                    "review",
                    "What people have to look at.",
                    entries(),
                    act(
                            "compensate",
                            "Run the compensation handler of the step.",
                            Reviews::compensate),
                    act(
                            "mark-compensated",
                            "Record that the step was undone by hand.",
                            Reviews::markCompensated),
                    act("resolve", "Close an entry.", Reviews::resolve)),
            matrix()
        };
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private static Approvals approvals(Invocation run) {
        return OrchestrationCommands.of(run).approvals();
    }

    private static DeadLetters deadLetters(Invocation run) {
        return OrchestrationCommands.of(run).deadLetters();
    }

    private CommandSpec approvals() {
        return Shown.paged(command("approvals", "List what waits for a decision."))
                .option(
                        "--status",
                        "STATUS",
                        String.class,
                        "pending, approved, rejected, expired or canceled; all for any. Default:"
                                + " pending.")
                .option("--kind", "KIND", String.class, "step or compensation.")
                .option("--group", "GROUP", String.class, "Only of this assignee group.")
                .option("--execution", "ID", UUID.class, "Only of this execution.")
                .option("--due-before", "TIME", String.class, "Only what expires before then.")
                .does(ReviewCommands::list);
    }

    private static void list(Invocation run) {
        String status = run.value("--status");
        String kind = run.value("--kind");
        ApprovalQuery query =
                ApprovalQuery.PENDING
                        .withStatus(
                                status == null ? "pending" : status.equals("all") ? null : status)
                        .withKind(kind == null ? null : kind(run, kind))
                        .forGroup(run.value("--group"))
                        .ofExecution(run.value("--execution"))
                        .dueBefore(time(run, "--due-before"));
        Shown.pages(
                run,
                Shown.table(
                        run,
                        "STATUS=status",
                        "ID=approval_id",
                        "TITLE=title",
                        "KIND=kind",
                        "STEP=step_id",
                        "EXECUTION=execution_id",
                        "GROUP=assignee_group",
                        "ASKED=requested_at",
                        "EXPIRES=expires_at"),
                (limit, cursor) -> approvals(run).list(query.withLimit(limit).after(cursor)),
                Approval::json,
                "Nothing waits for a decision.");
    }

    private static StepKind kind(Invocation run, String written) {
        StepKind kind = StepKind.of(written);
        if (kind != StepKind.STEP && kind != StepKind.COMPENSATION) {
            throw run.misused("--kind must be step or compensation, not " + written);
        }
        return kind;
    }

    private CommandSpec approval() {
        return command("approval", "Show what is to be decided.")
                .id(true, "The approval's id.")
                .does(run -> show(run, approvals(run).get(run.id())));
    }

    private static void show(Invocation run, Approval approval) {
        run.show(
                () ->
                        Shown.card(
                                "Approval " + approval.id(),
                                OrchestrationCommands.known(approval.json()),
                                run));
    }

    private CommandSpec decide(String name, String description, boolean yes) {
        return command(name, description)
                .id(true, "The approval's id; with --step, the execution's.")
                .option("--step", "STEP", String.class, "The newest approval of this step.")
                .option("--note", "TEXT", String.class, NOTE)
                .does(run -> show(run, decided(run, yes)));
    }

    private static Approval decided(Invocation run, boolean yes) {
        UUID id = run.id();
        String step = run.value("--step");
        String note = run.value("--note");
        Approvals all = approvals(run);
        if (step == null) {
            return yes ? all.approve(id, note) : all.reject(id, note);
        }
        return yes ? all.approve(id, step, note) : all.reject(id, step, note);
    }

    private CommandSpec letters() {
        return Shown.paged(command("list", "List dead letters, newest first."))
                .option(
                        "--status",
                        "STATUS",
                        String.class,
                        "open, handled, reprocessed or resolved.")
                .option("--reason", "REASON", String.class, "Such as attempts_exhausted.")
                .option("--definition", "ID", UUID.class, "Only of this definition.")
                .option("--execution", "ID", UUID.class, "Only of this execution.")
                .option("--from", "TIME", String.class, "Not older.")
                .option("--to", "TIME", String.class, "Only older.")
                .does(ReviewCommands::listLetters);
    }

    private static void listLetters(Invocation run) {
        DeadLetterQuery query =
                DeadLetterQuery.ALL
                        .withStatus(run.value("--status"))
                        .withReason(run.value("--reason"))
                        .ofDefinition(run.value("--definition"))
                        .ofExecution(run.value("--execution"))
                        .between(time(run, "--from"), time(run, "--to"));
        Shown.pages(
                run,
                Shown.table(
                        run,
                        "STATUS=status",
                        "ID=dlq_id",
                        "REASON=reason",
                        "STEP=step_id",
                        "EXECUTION=execution_id",
                        "CODE=error_code",
                        "WHEN=created_at",
                        "TO DO=action_required"),
                (limit, cursor) -> deadLetters(run).list(query.withLimit(limit).after(cursor)),
                DeadLetter::json,
                "No dead letters.");
    }

    private static @Nullable Instant time(Invocation run, String option) {
        String written = run.value(option);
        return written == null ? null : run.time(option, written);
    }

    private CommandSpec letter() {
        return command("get", "Show a dead letter.")
                .id(true, LETTER)
                .does(run -> show(run, deadLetters(run).get(run.id())));
    }

    private static void show(Invocation run, DeadLetter letter) {
        run.show(
                () ->
                        Shown.card(
                                "Dead letter " + letter.id(),
                                OrchestrationCommands.known(letter.json()),
                                run));
    }

    private CommandSpec reprocess() {
        return command("reprocess", "Try the step of a dead letter again, or of many.")
                .id(false, LETTER)
                .option("--ids", "ID,ID", String.class, "Of these, each for itself; at most 100.")
                .required("--reason", "TEXT", "Why; it is in the audit log.")
                .flag("--confirm-unsafe", "Also a step that is not safe to repeat.")
                .footer("", "With --ids it ends with 1 when one of them could not be tried again.")
                .does(ReviewCommands::reprocess);
    }

    private static void reprocess(Invocation run) {
        UUID id = run.idOrNull();
        List<String> ids = run.words("--ids");
        String reason = run.text("--reason");
        if ((id == null) == (ids == null)) {
            throw run.misused("name an ID or --ids");
        }
        if (id != null) {
            show(run, deadLetters(run).reprocess(id, reason, run.has("--confirm-unsafe")));
            return;
        }
        var letters = new ArrayList<UUID>();
        for (String each : ids == null ? List.<String>of() : ids) {
            letters.add(UUID.fromString(each));
        }
        List<Reprocessed> all =
                deadLetters(run).reprocess(letters, reason, run.has("--confirm-unsafe"));
        run.show(
                () -> {
                    var rows = new ArrayList<List<String>>();
                    rows.add(List.of("ID", "RESULT", "NOTE"));
                    for (Reprocessed each : all) {
                        String message = each.message();
                        rows.add(
                                List.of(
                                        each.id().toString(),
                                        Screen.clean(each.result()),
                                        message == null ? "" : Screen.clean(message)));
                    }
                    return run.screen().table(rows);
                });
        if (!all.stream().allMatch(Reprocessed::done)) {
            throw new ClientCommand.NotAsHoped();
        }
    }

    private CommandSpec resolveLetter() {
        return command("resolve", "Close a dead letter without another attempt.")
                .id(true, LETTER)
                .required("--note", "TEXT", "What was done about it.")
                .does(run -> show(run, deadLetters(run).resolve(run.id(), run.text("--note"))));
    }

    private CommandSpec entries() {
        return Shown.paged(command("list", "List what is to be looked at."))
                .option("--kind", "KIND", String.class, "failed_execution, compensation or dlq.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "KIND=kind",
                                                "ID=review_id",
                                                "EXECUTION=execution_id",
                                                "STEP=step_id",
                                                "REASON=reason",
                                                "CODE=error_code",
                                                "TO DO=action_required",
                                                "ACTIONS=actions"),
                                        (limit, cursor) ->
                                                OrchestrationCommands.of(run)
                                                        .reviews()
                                                        .list(run.value("--kind"), limit, cursor),
                                        ReviewEntry::json,
                                        "There is nothing to look at."));
    }

    /// Something that is done with an entry.
    private interface Act {
        ReviewEntry on(Reviews reviews, UUID id, String note);
    }

    private CommandSpec act(String name, String description, Act act) {
        return command(name, description)
                .id(true, ENTRY)
                .required("--note", "TEXT", NOTE)
                .does(
                        run -> {
                            ReviewEntry now =
                                    act.on(
                                            OrchestrationCommands.of(run).reviews(),
                                            run.id(),
                                            run.text("--note"));
                            run.show(
                                    () ->
                                            Shown.card(
                                                    "Entry " + run.id(),
                                                    OrchestrationCommands.known(now.json()),
                                                    run));
                        });
    }

    private CommandSpec matrix() {
        return command("retry-matrix", "Show which errors are of which class, and what follows.")
                .does(
                        run -> {
                            JsonNode matrix = OrchestrationCommands.of(run).retryMatrix();
                            run.show(() -> RetryMatrixShown.text(matrix, run.screen()));
                        });
    }
}
