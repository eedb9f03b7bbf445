package io.orchestrion.cli;

import io.orchestrion.sdk.Escalations;
import io.orchestrion.sdk.RunApproval;
import io.orchestrion.sdk.RunApprovals;
import io.orchestrion.sdk.RunEscalation;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

/// What runs ask of people: tickets, and calls of tools that have to be confirmed.
final class RunPeopleCommands {
    private static final String TICKET = "The ticket's id.";
    private static final String APPROVAL = "The approval's id.";

    private final Surroundings surroundings;

    RunPeopleCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec[] specs() {
        return new CommandSpec[] {
            Group.of(
                    "escalations",
                    "Tickets by which people were called for runs.",
                    escalations(),
                    escalation(),
                    resolve("resume", "Have the run go on.", Escalations::resume),
                    resolve("cancel", "Cancel the run.", Escalations::cancel)),
            Group.of(
                    "approvals",
                    "Calls of tools that people are asked about.",
                    approvals(),
                    approval()),
            decide("approve", "Say yes to a call of a tool.", RunApprovals::approve),
            decide(
                    "reject",
                    "Say no to a call of a tool; its step has failed.",
                    RunApprovals::reject)
        };
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private static @Nullable String status(Invocation run, String usual) {
        String status = run.value("--status");
        return status == null ? usual : status.equals("all") ? null : status;
    }

    private CommandSpec escalations() {
        return Shown.paged(command("list", "List tickets, newest first."))
                .option(
                        "--status",
                        "STATUS",
                        String.class,
                        "open, resolved or closed; all for any. Default: open.")
                .option("--run", "ID", String.class, "Only of this run.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "TICKET=id",
                                                "RUN=run_id",
                                                "TRIGGER=trigger",
                                                "HOLDS=holds",
                                                "ADDED=added",
                                                "OPENED=created_at",
                                                "SAID=resolution",
                                                "ERROR=error"),
                                        (limit, cursor) ->
                                                run.client()
                                                        .runs()
                                                        .escalations()
                                                        .list(
                                                                status(run, "open"),
                                                                run.value("--run"),
                                                                limit,
                                                                cursor),
                                        RunEscalation::json,
                                        "No tickets."));
    }

    private CommandSpec escalation() {
        return command("show", "Show a ticket.")
                .word("ID", TICKET)
                .does(
                        run -> {
                            var found = run.client().runs().escalations().get(run.word());
                            run.show(() -> RunShown.part("Ticket", found.json(), run));
                        });
    }

    private interface Resolution {
        RunEscalation give(Escalations to, String id, String note);
    }

    private CommandSpec resolve(String name, String description, Resolution resolution) {
        return command(name, description)
                .word("ID", TICKET)
                .required("--note", "TEXT", "Why, for those who look later.")
                .does(
                        run -> {
                            RunEscalation now =
                                    resolution.give(
                                            run.client().runs().escalations(),
                                            run.word(),
                                            run.text("--note"));
                            run.show(
                                    () ->
                                            "Ticket "
                                                    + Screen.clean(now.id())
                                                    + " is "
                                                    + now.status()
                                                    + ofRun(
                                                            now.json()
                                                                    .path("run_status")
                                                                    .asString("")));
                        });
    }

    private static String ofRun(String status) {
        return status.isEmpty() ? "." : "; the run is " + Screen.clean(status) + ".";
    }

    private CommandSpec approvals() {
        return Shown.paged(command("list", "List what waits for a decision, oldest first."))
                .option(
                        "--status",
                        "STATUS",
                        String.class,
                        "pending, approved, rejected or cancelled; all for any. Default: pending.")
                .option("--run", "ID", String.class, "Only of this run.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "APPROVAL=id",
                                                "TOOL=tool",
                                                "INPUT=input",
                                                "RUN=run_id",
                                                "ASKED=requested_at",
                                                "BY=decided_by"),
                                        (limit, cursor) ->
                                                run.client()
                                                        .runs()
                                                        .approvals()
                                                        .list(
                                                                status(run, "pending"),
                                                                run.value("--run"),
                                                                limit,
                                                                cursor),
                                        RunApproval::json,
                                        "Nothing waits for a decision."));
    }

    private CommandSpec approval() {
        return command("show", "Show what a person is asked.")
                .word("ID", APPROVAL)
                .does(
                        run -> {
                            var found = run.client().runs().approvals().get(run.word());
                            run.show(() -> RunShown.part("Approval", found.json(), run));
                        });
    }

    private interface Decision {
        RunApproval give(RunApprovals to, String id, @Nullable String note);
    }

    private CommandSpec decide(String name, String description, Decision decision) {
        return command(name, description)
                .word("ID", APPROVAL)
                .option("--note", "TEXT", String.class, "Why, for those who look later.")
                .does(
                        run -> {
                            RunApproval now =
                                    decision.give(
                                            run.client().runs().approvals(),
                                            run.word(),
                                            run.value("--note"));
                            run.show(
                                    () ->
                                            "The call of "
                                                    + Screen.clean(now.tool())
                                                    + " is "
                                                    + now.status()
                                                    + ofRun(
                                                            now.json()
                                                                    .path("run_status")
                                                                    .asString("")));
                        });
    }
}
