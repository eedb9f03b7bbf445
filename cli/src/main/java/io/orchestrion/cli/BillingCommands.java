package io.orchestrion.cli;

import io.orchestrion.sdk.ApprovedOrder;
import io.orchestrion.sdk.BillingPlan;
import io.orchestrion.sdk.BillingStatus;
import io.orchestrion.sdk.Checkout;
import io.orchestrion.sdk.PlanActivation;
import io.orchestrion.sdk.PlanPeriod;
import io.orchestrion.sdk.Purchase;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// `orchestrion billing`: plans, what an account has of them, and buying them.
final class BillingCommands {
    private static final int LIMIT_DEFAULT = 20;

    private final Surroundings surroundings;

    BillingCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "billing",
                "See and buy plans.",
                plans(),
                status(),
                checkout(),
                verify(),
                purchases(),
                approve());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec plans() {
        return ClientCommand.keyless("plans", "List the plans and their prices.", surroundings)
                .does(
                        run -> {
                            List<BillingPlan> plans = run.client().billing().plans();
                            run.show(() -> table(plans, run.screen()));
                        });
    }

    private static String table(List<BillingPlan> plans, Screen screen) {
        var rows = new ArrayList<List<String>>();
        rows.add(
                List.of(
                        "PLAN",
                        "USD FOR 30 DAYS",
                        "WORKERS",
                        "TASKS A MONTH",
                        "CLAIMS AN HOUR",
                        "CREATES AN HOUR",
                        "KEPT FOR"));
        for (BillingPlan plan : plans) {
            rows.add(
                    List.of(
                            Screen.clean(plan.id()),
                            plan.purchasable() ? plan.priceUsd().toPlainString() : "-",
                            String.valueOf(plan.maxWorkers()),
                            String.valueOf(plan.maxTasksPerMonth()),
                            String.valueOf(plan.maxClaimsPerHour()),
                            String.valueOf(plan.maxCreatesPerHour()),
                            plan.retentionDays() + " days"));
        }
        return screen.table(rows);
    }

    private CommandSpec status() {
        return command("status", "Show the plan in force, what is used and what is left.")
                .does(
                        run -> {
                            BillingStatus status = run.client().billing().status();
                            run.show(() -> card(status, run));
                        });
    }

    private static String card(BillingStatus status, Invocation run) {
        var rows = new ArrayList<List<String>>();
        rows.add(
                List.of(
                        "expires",
                        status.planExpiresAt() == null
                                ? "never"
                                : run.times().full(status.planExpiresAt())));
        if (status.periods().size() > 1) {
            for (PlanPeriod period : status.periods()) {
                rows.add(
                        List.of(
                                "",
                                Screen.clean(period.plan())
                                        + " until "
                                        + run.times().full(period.until())));
            }
        }
        rows.add(
                List.of(
                        "tasks",
                        used(status.tasksThisMonth(), status.maxTasksPerMonth())
                                + " this month, which ends "
                                + run.times().relative(status.monthEnd())));
        rows.add(List.of("workers", used(status.activeWorkers(), status.maxWorkers())));
        rows.add(List.of("claims", perHour(status.maxClaimsPerHour())));
        rows.add(List.of("creates", perHour(status.maxCreatesPerHour())));
        rows.add(
                List.of(
                        "kept",
                        status.retentionDays() == null
                                ? "as the server is set"
                                : status.retentionDays() + " days"));
        return run.screen().strong("Plan " + Screen.clean(status.plan()))
                + "\n"
                + Screen.indented(rows);
    }

    private static String used(@Nullable Long used, @Nullable Long of) {
        if (of == null) {
            return used == null ? "not limited" : used + ", not limited";
        }
        return (used == null ? "0" : used) + " of " + of;
    }

    private static String perHour(@Nullable Long limit) {
        return limit == null ? "not limited" : limit + " an hour";
    }

    private CommandSpec checkout() {
        return command("checkout", "Start to buy a plan; a human approves it then.")
                .word("PLAN", "A plan of orchestrion billing plans, such as basic.")
                .does(
                        run -> {
                            Checkout checkout = run.client().billing().checkout(run.word());
                            run.show(() -> card(checkout, run.screen()));
                        });
    }

    private static String card(Checkout checkout, Screen screen) {
        return screen.strong("Purchase " + checkout.purchaseId())
                + "\n"
                + Screen.indented(
                        List.of(
                                List.of("plan", Screen.clean(checkout.plan())),
                                List.of(
                                        "price",
                                        checkout.amount().toPlainString()
                                                + " "
                                                + Screen.clean(checkout.currency())),
                                List.of("approve", Screen.clean(checkout.approvalUrl())),
                                List.of("note", Screen.clean(checkout.note())),
                                List.of(
                                        "next",
                                        "orchestrion billing verify " + checkout.purchaseId())));
    }

    private CommandSpec verify() {
        return command("verify", "Take the money of an approved purchase and activate its plan.")
                .uuid("PURCHASE", "The purchase's id, from checkout.")
                .does(
                        run -> {
                            UUID id = run.id();
                            PlanActivation activation = run.client().billing().verify(id);
                            run.show(() -> words(activation, run));
                        });
    }

    private static String words(PlanActivation activation, Invocation run) {
        String bought = Screen.clean(activation.purchasedPlan());
        String inForce = Screen.clean(activation.plan());
        return run.screen().strong("Paid: " + bought)
                + (inForce.equals(bought) ? "" : ", after " + inForce + ", which is in force")
                + (activation.planExpiresAt() == null
                        ? "."
                        : ". The last paid day ends "
                                + run.times().full(activation.planExpiresAt())
                                + ".");
    }

    private CommandSpec purchases() {
        return command("purchases", "List purchases, newest first.")
                .option("--limit", "N", Integer.class, "1 to 100. Default: 20.")
                .does(BillingCommands::purchases);
    }

    private static void purchases(Invocation run) {
        Integer limit = run.value("--limit");
        List<Purchase> purchases =
                run.client().billing().purchases(limit == null ? LIMIT_DEFAULT : limit);
        run.show(() -> purchases.isEmpty() ? "No purchases." : table(purchases, run));
    }

    private static String table(List<Purchase> purchases, Invocation run) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("STATUS", "PLAN", "PRICE", "PURCHASE", "STARTED", "NOTE"));
        for (Purchase purchase : purchases) {
            rows.add(
                    List.of(
                            Screen.clean(purchase.status()),
                            Screen.clean(purchase.plan()),
                            purchase.amount().toPlainString()
                                    + " "
                                    + Screen.clean(purchase.currency()),
                            purchase.id().toString(),
                            run.times().relative(purchase.createdAt()),
                            note(purchase)));
        }
        return run.screen().table(rows);
    }

    private static String note(Purchase purchase) {
        if (purchase.failure() != null) {
            return Screen.clean(purchase.failure());
        }
        return purchase.approvalUrl() == null
                ? ""
                : "approve at " + Screen.clean(purchase.approvalUrl());
    }

    private CommandSpec approve() {
        return command("approve", "As the operator of a server that takes no money: approve.")
                .word("ORDER", "The order's id, from the page that checkout names.")
                .footer(
                        "",
                        "Only for a server without a payment provider, with the key in its data"
                                + " folder. No money moves.")
                .does(
                        run -> {
                            ApprovedOrder order = run.client().billing().approve(run.word());
                            run.show(
                                    () ->
                                            "Approved: "
                                                    + Screen.clean(order.description())
                                                    + ". "
                                                    + Screen.clean(order.note())
                                                    + "\n  next: orchestrion billing verify "
                                                    + order.purchaseId());
                        });
    }
}
