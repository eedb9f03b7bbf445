package io.orchestrion.cli;

import io.orchestrion.sdk.BillingAnomaly;
import io.orchestrion.sdk.CreditBalance;
import io.orchestrion.sdk.CreditNotice;
import io.orchestrion.sdk.InvariantCheck;
import io.orchestrion.sdk.LedgerEntry;
import io.orchestrion.sdk.LedgerQuery;
import io.orchestrion.sdk.Page;
import io.orchestrion.sdk.RunAdmin;
import io.orchestrion.sdk.StuckRun;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;

/// `orchestrion credits`: what runs cost, and what the operator does about it.
final class CreditCommands {
    private final Surroundings surroundings;

    CreditCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "credits",
                "See what runs cost; as the server's operator, give and correct credits.",
                show(),
                ledger(),
                notices(),
                grant(),
                reverse(),
                anomalies(),
                invariants(),
                stuck(),
                forceFail());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private ClientCommand ofOperator(String name, String description) {
        return command(name, description + " For the server's operator.");
    }

    private static RunAdmin admin(Invocation run) {
        return run.client().runs().admin();
    }

    private CommandSpec show() {
        return command("show", "Show the credits of the account.")
                .does(
                        run -> {
                            CreditBalance now = run.client().credits().balance();
                            run.show(
                                    () ->
                                            run.screen().strong(RunShown.plain(now.available()))
                                                    + " credits available: "
                                                    + RunShown.plain(now.balance())
                                                    + ", of which runs have reserved "
                                                    + RunShown.plain(now.reserved()));
                        });
    }

    private CommandSpec ledger() {
        return Shown.paged(command("ledger", "List the entries of the ledger, oldest first."))
                .option("--run", "ID", String.class, "Only of this run.")
                .option("--after", "SEQ", Long.class, "Only entries after this one.")
                .does(CreditCommands::ledger);
    }

    private static void ledger(Invocation run) {
        LedgerQuery query =
                LedgerQuery.ALL.ofRun(run.value("--run")).afterSequence(run.value("--after"));
        Shown.pages(
                run,
                Shown.table(
                        run,
                        "TYPE=transaction_type",
                        "SEQ=seq",
                        "AMOUNT=amount",
                        "KIND=refund_kind",
                        "RUN=run_id",
                        "ATTEMPT=attempt_number",
                        "WHEN=created_at",
                        "ENTRY=id",
                        "REASON=reason"),
                (limit, cursor) ->
                        run.client().credits().ledger(query.withLimit(limit).after(cursor)),
                LedgerEntry::json,
                "No entries.");
    }

    private CommandSpec notices() {
        return Shown.paged(command("notices", "List what was told of corrected charges."))
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "AMOUNT=amount",
                                                "RUN=run_id",
                                                "ENTRY=ledger_entry_id",
                                                "WHEN=created_at",
                                                "MESSAGE=message"),
                                        (limit, cursor) ->
                                                run.client().credits().notices(limit, cursor),
                                        CreditNotice::json,
                                        "No notices."));
    }

    private CommandSpec grant() {
        return ofOperator("grant", "Give credits to an account.")
                .required("--org", "ID", "The account's id.")
                .required("--amount", "N", "With at most six places after the point.")
                .required("--key", "KEY", "The account gets them once for a key.")
                .option("--reason", "TEXT", String.class, "Why, for the audit log.")
                .does(
                        run -> {
                            LedgerEntry made =
                                    admin(run)
                                            .grant(
                                                    run.text("--org"),
                                                    amount(run),
                                                    run.text("--key"),
                                                    run.value("--reason"));
                            run.show(() -> entry(made));
                        });
    }

    private static BigDecimal amount(Invocation run) {
        try {
            return new BigDecimal(run.text("--amount"));
        } catch (NumberFormatException e) {
            throw run.misused("--amount must be a number, not " + run.text("--amount"));
        }
    }

    private static String entry(LedgerEntry made) {
        return "Entry "
                + Screen.clean(made.id())
                + ", number "
                + made.sequence()
                + ": "
                + Screen.clean(made.type())
                + " of "
                + RunShown.plain(made.amount())
                + " credits.";
    }

    private CommandSpec reverse() {
        return ofOperator("reverse", "Give back a charge that was a mistake, whole and once.")
                .word("ENTRY", "The id of the charge in the ledger.")
                .required("--reason", "TEXT", "Why, for the audit log.")
                .does(
                        run -> {
                            LedgerEntry made = admin(run).reverse(run.word(), run.text("--reason"));
                            run.show(() -> entry(made));
                        });
    }

    private CommandSpec anomalies() {
        return ofOperator("anomalies", "List attempts of which the ledger says something odd.")
                .flag("--all", "Every page, not only the first.")
                .footer("", "It ends with 1 when it found any.")
                .does(CreditCommands::anomalies);
    }

    private static void anomalies(Invocation run) {
        PagedTable<JsonNode> table =
                Shown.table(
                        run,
                        "KINDS=kinds",
                        "RUN=run_id",
                        "ATTEMPT=attempt_number",
                        "CHARGED=charged",
                        "METERED=metered",
                        "ACCOUNT=org_id");
        var found = new int[1];
        table.pages(
                cursor -> admin(run).anomalies(cursor),
                page -> {
                    found[0] += page.items().size();
                    return page.items().stream().map(BillingAnomaly::json).toList();
                },
                Page::nextCursor,
                "Nothing odd.");
        if (found[0] > 0) {
            throw new ClientCommand.NotAsHoped();
        }
    }

    private CommandSpec invariants() {
        return ofOperator("invariants", "Look whether all rows are as they must be.")
                .footer("", "It ends with 1 when some are not.")
                .does(CreditCommands::invariants);
    }

    private static void invariants(Invocation run) {
        boolean broken = false;
        InvariantCheck check = null;
        do {
            check = admin(run).invariants(check == null ? null : check.nextCursor());
            broken |= !check.violations().isEmpty();
            if (run.json()) {
                run.show(() -> "");
            } else {
                check.violations().forEach(each -> run.out().println(broken(each, run)));
            }
        } while (!check.complete() && check.nextCursor() != null);
        if (broken) {
            throw new ClientCommand.NotAsHoped();
        }
        if (!run.json()) {
            run.out().println("Everything is as it must be.");
        }
    }

    private static String broken(InvariantCheck.Violation each, Invocation run) {
        String ids = each.subject() + " " + String.join(", ", each.ids());
        return run.screen()
                .ending(
                        "failed",
                        "invariant "
                                + each.invariant()
                                + ", "
                                + Screen.clean(each.rule())
                                + ": "
                                + Screen.clean(ids));
    }

    private CommandSpec stuck() {
        return Shown.paged(
                        ofOperator("stuck", "List runs that run too long or without a heartbeat."))
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "WHY=why",
                                                "RUN=run_id",
                                                "ATTEMPT=attempt_number",
                                                "HEARTBEAT=last_heartbeat",
                                                "RUNNING MS=running_ms",
                                                "CHARGED=credits_charged",
                                                "RESERVED=credits_reserved",
                                                "ACCOUNT=org_id"),
                                        (limit, cursor) -> admin(run).stuck(limit, cursor),
                                        StuckRun::json,
                                        "No run is stuck."));
    }

    private CommandSpec forceFail() {
        return ofOperator("force-fail", "End a run that nothing else ends.")
                .word("RUN", RunCommands.ID)
                .required("--reason", "TEXT", "Why; it becomes the run's last error.")
                .does(
                        run -> {
                            var ended = admin(run).forceFail(run.word(), run.text("--reason"));
                            run.show(
                                    () ->
                                            "Run "
                                                    + Screen.clean(ended.runId())
                                                    + " is "
                                                    + ended.status().word()
                                                    + "; "
                                                    + RunShown.plain(ended.creditsRefunded())
                                                    + " credits were given back.");
                        });
    }
}
