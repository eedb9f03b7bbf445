package io.orchestrion.server.checkout;

import static io.orchestrion.server.taskdoor.TaskAction.RENEW_PLAN;
import static io.orchestrion.server.taskdoor.TaskAction.RETRY_CHECKOUT;
import static io.orchestrion.server.taskdoor.TaskAction.UPGRADE_PLAN;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.plan.Period;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.kernel.plan.Standing;
import io.orchestrion.server.billing.Billing;
import io.orchestrion.server.billing.LocalProvider;
import io.orchestrion.server.billing.LocalProvider.LocalOrder;
import io.orchestrion.server.billing.Money;
import io.orchestrion.server.billing.PaymentEntry;
import io.orchestrion.server.billing.Purchase;
import io.orchestrion.server.billing.PurchaseState;
import io.orchestrion.server.billing.Verification;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The answers of billing as bytes, each with its guidance.
final class BillingAnswers {
    /// How long a human may need to open a link and agree.
    private static final int HUMAN_WAIT_SECONDS = 30;

    private static final String VERIFY_PATH = "/v1/billing/verify";

    private BillingAnswers() {}

    static Answer plans(Plans plans, String provider) {
        AgentContract contract = offering(plans, TaskActions.create());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("plans", plans.listed(), BillingAnswers::plan)
                                        .integer("planDurationDays", Plan.PERIOD.toDays())
                                        .text("provider", provider)
                                        .object("agent_contract", contract::write)));
    }

    private static void plan(JsonWriter out, Plan plan) {
        out.text("id", plan.id())
                .text("name", plan.name())
                .number("priceUsd", plan.priceUsd())
                .integer("maxWorkers", plan.maxWorkers())
                .integer("maxTasksPerMonth", plan.maxTasksPerMonth())
                .integer("maxClaimsPerHour", plan.maxClaimsPerHour())
                .integer("maxCreatesPerHour", plan.maxCreatesPerHour())
                .integer("retentionDays", plan.retentionDays())
                .bool("purchasable", plan.purchasable());
    }

    /// Also offers to buy a plan, where any is for sale.
    private static AgentContract offering(Plans plans, NextAction first) {
        boolean sells = plans.listed().stream().anyMatch(Plan::purchasable);
        return sells
                ? AgentContract.of(true, first.best(), TaskActions.checkout(UPGRADE_PLAN))
                : AgentContract.of(true, first.best());
    }

    static Answer status(Billing.Status status, List<RateLimiter.Used> limits, Plans plans) {
        Plan plan = status.plan();
        Long free = plan.unlimited() ? null : status.usage().tasksThisMonth();
        return Answer.json(
                200,
                JsonWriter.object(
                        out -> {
                            standing(out, status.standing(), status.nowMs());
                            out.object(
                                            "month",
                                            month ->
                                                    month.instant(
                                                                    "start",
                                                                    status.usage()
                                                                            .month()
                                                                            .startMs())
                                                            .instant(
                                                                    "end",
                                                                    status.usage().month().endMs()))
                                    .object(
                                            "usage",
                                            usage ->
                                                    usage.integer("tasksThisMonth", free)
                                                            .integer(
                                                                    "activeWorkers",
                                                                    status.usage().activeWorkers()))
                                    .object("limits", bounds -> limits(bounds, plan))
                                    .object("remaining", left -> remaining(left, status))
                                    .objects("rateLimits", limits, BillingAnswers::rateLimit)
                                    .object("agent_contract", next(status, plans)::write);
                        }));
    }

    private static void standing(JsonWriter out, Standing standing, long nowMs) {
        out.text("plan", standing.at(nowMs).id());
        instant(out, "planExpiresAt", standing.expiresMs(nowMs));
        List<Period> ahead =
                standing.periods().stream().filter(period -> period.untilMs() > nowMs).toList();
        out.objects(
                "periods",
                ahead,
                (each, period) ->
                        each.text("plan", period.planId())
                                .instant("from", period.fromMs())
                                .instant("until", period.untilMs()));
    }

    private static void limits(JsonWriter out, Plan plan) {
        boolean none = plan.unlimited();
        out.integer("maxWorkers", limit(none, plan.maxWorkers()))
                .integer("maxTasksPerMonth", limit(none, plan.maxTasksPerMonth()))
                .integer("maxClaimsPerHour", limit(none, plan.maxClaimsPerHour()))
                .integer("maxCreatesPerHour", limit(none, plan.maxCreatesPerHour()))
                .integer("retentionDays", limit(none, plan.retentionDays()));
    }

    private static void remaining(JsonWriter out, Billing.Status status) {
        Plan plan = status.plan();
        boolean none = plan.unlimited();
        out.integer(
                        "tasksThisMonth",
                        limit(none, plan.maxTasksPerMonth() - status.usage().tasksThisMonth()))
                .integer(
                        "workers", limit(none, plan.maxWorkers() - status.usage().activeWorkers()));
    }

    private static void rateLimit(JsonWriter out, RateLimiter.Used used) {
        out.text("name", used.limit().name())
                .text("endpoint", used.limit().endpoint())
                .integer("max", used.max())
                .integer("used", used.used())
                .integer("remaining", used.left())
                .integer("windowSeconds", used.limit().window().toSeconds());
    }

    private static @Nullable Long limit(boolean none, long value) {
        return none ? null : Math.max(0, value);
    }

    private static AgentContract next(Billing.Status status, Plans plans) {
        if (status.plan().unlimited()) {
            return AgentContract.of(true, TaskActions.create().best());
        }
        boolean lapsed = status.standing().lapsed(status.nowMs()).isPresent();
        return offering(plans, lapsed ? TaskActions.checkout(RENEW_PLAN) : TaskActions.create());
    }

    static Answer started(Purchase purchase) {
        AgentContract contract =
                AgentContract.of(
                        false,
                        verifyAfterTheHuman().best(),
                        NextAction.waitFirst(HUMAN_WAIT_SECONDS, "POST", VERIFY_PATH),
                        TaskActions.billingStatus());
        return Answer.json(
                201,
                JsonWriter.object(
                        out -> {
                            out.text("purchaseId", purchase.id().toString())
                                    .text("approvalUrl", purchase.approvalUrl())
                                    .text("plan", purchase.planId());
                            money(out, purchase.price());
                            out.text("provider", purchase.provider())
                                    .text("note", note(purchase.provider()))
                                    .object("agent_contract", contract::write);
                        }));
    }

    private static String note(String provider) {
        return provider.equals(LocalProvider.NAME)
                ? "This server has no payment provider set up: no money moves, and its operator has"
                        + " to approve the order as the page at approvalUrl says. Verify it then."
                : "A human has to open approvalUrl and approve the payment; an agent cannot. Verify"
                        + " it then.";
    }

    private static void money(JsonWriter out, Money money) {
        out.number("amount", money.amount()).text("currency", money.currency());
    }

    static Answer verified(Verification.Activated activated) {
        Purchase purchase = activated.purchase();
        AgentContract contract =
                AgentContract.of(true, TaskActions.create().best(), TaskActions.billingStatus());
        return Answer.json(
                200,
                JsonWriter.object(
                        out -> {
                            out.text("purchaseId", purchase.id().toString())
                                    .text("purchasedPlan", purchase.planId());
                            standing(out, activated.standing(), activated.nowMs());
                            out.object("agent_contract", contract::write);
                        }));
    }

    /// Verifying is possible at once, but of no use before a person had the time to agree.
    private static NextAction verifyAfterTheHuman() {
        return TaskActions.verifyPayment().after(HUMAN_WAIT_SECONDS);
    }

    /// The human may still come, so verifying again is the better advice; the code says not to
    /// repeat by itself what only a human can change.
    static Answer notApproved(Call call, Purchase purchase) {
        AgentContract contract =
                AgentContract.of(
                        TaskError.PAYMENT_FAILED.retryable(),
                        NextAction.waitAndRepeat(HUMAN_WAIT_SECONDS, "POST", VERIFY_PATH),
                        verifyAfterTheHuman(),
                        TaskActions.checkout(RETRY_CHECKOUT),
                        TaskActions.billingStatus());
        return TaskErrorAnswers.error(
                call,
                TaskError.PAYMENT_FAILED,
                TaskError.PAYMENT_FAILED.status(),
                "No human has approved the payment yet, at " + purchase.approvalUrl(),
                contract);
    }

    /// It must not be paid a second time, so no way to a checkout is offered here.
    static Answer mismatched(Call call, String reason) {
        return TaskErrorAnswers.error(
                call,
                TaskError.PAYMENT_FAILED,
                TaskError.PAYMENT_FAILED.status(),
                "The payment does not fit this purchase, so no plan was activated: "
                        + reason
                        + ". The operator of this server has been told. Do not pay again.",
                AgentContract.of(
                        TaskError.PAYMENT_FAILED.retryable(), TaskActions.billingStatus().best()));
    }

    static Answer purchases(List<Billing.Story> stories) {
        var actions = new ArrayList<NextAction>();
        if (stories.stream().anyMatch(story -> !story.purchase().state().settled())) {
            actions.add(verifyAfterTheHuman().best());
        }
        actions.add(TaskActions.billingStatus());
        AgentContract contract = AgentContract.of(true, actions.toArray(NextAction[]::new));
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("purchases", stories, BillingAnswers::story)
                                        .object("agent_contract", contract::write)));
    }

    private static void story(JsonWriter out, Billing.Story story) {
        Purchase purchase = story.purchase();
        out.text("purchaseId", purchase.id().toString()).text("plan", purchase.planId());
        money(out, purchase.price());
        out.text("provider", purchase.provider())
                .text("status", purchase.state().word())
                .text(
                        "approvalUrl",
                        purchase.state() == PurchaseState.CREATED ? purchase.approvalUrl() : null)
                .text("failure", purchase.failure())
                .instant("createdAt", purchase.createdMs());
        instant(out, "activatedAt", purchase.activatedMs());
        out.objects("history", story.entries(), BillingAnswers::entry);
    }

    private static void entry(JsonWriter out, PaymentEntry entry) {
        Money money = entry.money();
        out.text("event", entry.event().word())
                .instant("at", entry.atMs())
                .number("amount", money == null ? null : money.amount())
                .text("currency", money == null ? null : money.currency())
                .text("reference", entry.reference());
    }

    static Answer approved(LocalOrder order) {
        AgentContract contract = AgentContract.of(true, TaskActions.verifyPayment().best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out -> {
                            out.text("orderId", order.id())
                                    .text("purchaseId", order.purchaseId().toString())
                                    .text("description", order.description());
                            money(out, order.price());
                            out.text(
                                            "note",
                                            "No money moves. Whoever started the checkout can"
                                                    + " verify it now.")
                                    .object("agent_contract", contract::write);
                        }));
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        if (millis == null) {
            out.nil(name);
        } else {
            out.instant(name, millis.longValue());
        }
    }
}
