package io.orchestrion.server.checkout;

import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.billing.PurchaseEvent;
import io.orchestrion.server.billing.PurchaseState;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

import java.util.Arrays;

/// The bodies of billing, in and out.
final class BillingSpecs {
    private BillingSpecs() {}

    static final int LIST_MAX = 100;
    static final int LIST_DEFAULT = 20;
    private static final int PLAN_ID_MAX = 50;

    static final ObjectSpec CHECKOUT =
            ObjectSpec.named("Checkout")
                    .required(
                            text("planId")
                                    .length(1, PLAN_ID_MAX)
                                    .doc("A plan that is purchasable, from the list of plans."))
                    .alias("planId", "plan_id");

    static final ObjectSpec VERIFY =
            ObjectSpec.named("Verify")
                    .required(
                            text("purchaseId")
                                    .pattern(TaskDoorSpecs.UUID_PATTERN)
                                    .doc("Value from the answer to the checkout."))
                    .alias("purchaseId", "purchase_id");

    static final ObjectSpec PLAN =
            ObjectSpec.answer("Plan")
                    .required(text("id"))
                    .required(text("name"))
                    .required(number("priceUsd"))
                    .required(count("maxWorkers", "Live leases at once."))
                    .required(count("maxTasksPerMonth", "Created tasks in a calendar month, UTC."))
                    .required(count("maxClaimsPerHour", "Tasks handed out in an hour."))
                    .required(count("maxCreatesPerHour", "Created tasks in an hour."))
                    .required(count("retentionDays", "How long finished tasks are kept."))
                    .required(Field.bool("purchasable"));

    private static Field count(String name, String doc) {
        return integer(name).range(0, Integer.MAX_VALUE).doc(doc);
    }

    private static Field countOrNull(String name, String doc) {
        return integer(name).range(0, Long.MAX_VALUE).nullable().doc(doc);
    }

    static final ObjectSpec PLANS_ANSWER =
            ObjectSpec.answer("PlanList")
                    .required(objects("plans", PLAN))
                    .required(
                            integer("planDurationDays")
                                    .range(1, 366)
                                    .doc("How long one purchase lasts."))
                    .required(text("provider").doc("Payment provider. local takes no money."))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec LIMITS =
            ObjectSpec.answer("PlanLimits")
                    .doc("Of the plan in force; null for what is not limited.")
                    .required(countOrNull("maxWorkers", ""))
                    .required(countOrNull("maxTasksPerMonth", ""))
                    .required(countOrNull("maxClaimsPerHour", ""))
                    .required(countOrNull("maxCreatesPerHour", ""))
                    .required(
                            countOrNull(
                                    "retentionDays",
                                    "Null on the unlimited plan, where the server's setting"
                                            + " counts."));

    static final ObjectSpec PERIOD =
            ObjectSpec.answer("PlanPeriod")
                    .required(text("plan"))
                    .required(instant("from"))
                    .required(instant("until"));

    static final ObjectSpec STATUS_ANSWER =
            ObjectSpec.answer("BillingStatus")
                    .required(text("plan").doc("The id of the plan in force."))
                    .required(
                            instant("planExpiresAt")
                                    .nullable()
                                    .doc("When the last paid period ends; null when none runs."))
                    .required(
                            objects("periods", PERIOD)
                                    .doc("Paid periods: the current one and later ones."))
                    .required(
                            object(
                                            "month",
                                            ObjectSpec.answer("UsageMonth")
                                                    .required(instant("start"))
                                                    .required(instant("end")))
                                    .doc("The calendar month, UTC, that tasks are counted in."))
                    .required(
                            object(
                                    "usage",
                                    ObjectSpec.answer("PlanUsage")
                                            .required(
                                                    countOrNull(
                                                            "tasksThisMonth",
                                                            "Null on the unlimited plan, where"
                                                                    + " nothing is counted."))
                                            .required(
                                                    count(
                                                            "activeWorkers",
                                                            "Live leases at this moment."))))
                    .required(object("limits", LIMITS))
                    .required(
                            object(
                                    "remaining",
                                    ObjectSpec.answer("PlanRemaining")
                                            .doc("Null for what is not limited.")
                                            .required(countOrNull("tasksThisMonth", ""))
                                            .required(countOrNull("workers", ""))))
                    .required(
                            objects(
                                            "rateLimits",
                                            ObjectSpec.answer("RateLimitUse")
                                                    .required(text("name"))
                                                    .required(text("endpoint"))
                                                    .required(count("max", "What the plan allows."))
                                                    .required(
                                                            count(
                                                                    "used",
                                                                    "Requests in the last window."))
                                                    .required(
                                                            count(
                                                                    "remaining",
                                                                    "Requests left before the next"
                                                                            + " one is refused."))
                                                    .required(
                                                            count(
                                                                    "windowSeconds",
                                                                    "Length of the window.")))
                                    .doc("The limits of this key; none on an unlimited plan."))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec CHECKOUT_ANSWER =
            ObjectSpec.answer("CheckoutStarted")
                    .required(text("purchaseId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(
                            text("approvalUrl")
                                    .doc("Where a human approves the payment; an agent cannot."))
                    .required(text("plan"))
                    .required(number("amount"))
                    .required(text("currency"))
                    .required(text("provider"))
                    .required(text("note"))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec VERIFY_ANSWER =
            ObjectSpec.answer("PaymentVerified")
                    .required(text("purchaseId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("purchasedPlan"))
                    .required(
                            text("plan")
                                    .doc(
                                            "The plan in force: the highest plan that is paid for."
                                                    + " It may differ from the one just bought."))
                    .required(instant("planExpiresAt").nullable())
                    .required(objects("periods", PERIOD))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec ENTRY =
            ObjectSpec.answer("PaymentEntry")
                    .required(
                            oneOf(
                                    "event",
                                    Arrays.stream(PurchaseEvent.values())
                                            .map(PurchaseEvent::word)
                                            .toList()))
                    .required(instant("at"))
                    .required(number("amount").nullable())
                    .required(text("currency").nullable())
                    .required(text("reference").nullable().doc("The provider's order or capture."));

    static final ObjectSpec PURCHASE =
            ObjectSpec.answer("Purchase")
                    .required(text("purchaseId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("plan"))
                    .required(number("amount"))
                    .required(text("currency"))
                    .required(text("provider"))
                    .required(
                            oneOf(
                                    "status",
                                    Arrays.stream(PurchaseState.values())
                                            .map(PurchaseState::word)
                                            .toList()))
                    .required(
                            text("approvalUrl")
                                    .nullable()
                                    .doc("While a human still has to approve."))
                    .required(text("failure").nullable())
                    .required(instant("createdAt"))
                    .required(instant("activatedAt").nullable())
                    .required(objects("history", ENTRY));

    static final ObjectSpec PURCHASES_ANSWER =
            ObjectSpec.answer("PurchaseList")
                    .required(objects("purchases", PURCHASE))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec APPROVED_ANSWER =
            ObjectSpec.answer("OrderApproved")
                    .required(text("orderId"))
                    .required(text("purchaseId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("description"))
                    .required(number("amount"))
                    .required(text("currency"))
                    .required(text("note"))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));
}
