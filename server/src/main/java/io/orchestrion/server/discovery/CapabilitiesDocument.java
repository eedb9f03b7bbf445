package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.tasks.AgentContract;
import io.orchestrion.server.tasks.NextAction;
import io.orchestrion.server.tasks.TaskError;
import io.orchestrion.server.tasks.TaskSpecs;
import io.orchestrion.server.tasks.TaskStatus;
import io.orchestrion.server.tasks.TaskTransition;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The capabilities document: what the door does, in numbers that are the ones enforced.
final class CapabilitiesDocument {
    /// What the door cannot do today. A test holds each of them against the running product.
    private static final List<String> LIMITATIONS =
            List.of(
                    "No payment without a person — an order is approved by somebody, never by an"
                            + " agent alone.");

    private final Facts facts;

    CapabilitiesDocument(Facts facts) {
        this.facts = facts;
    }

    byte[] bytes() {
        var tasks = new TaskSections(facts);
        return JsonWriter.object(
                out ->
                        out.text("service", Facts.SERVICE)
                                .text("version", AgentContract.VERSION)
                                .text("description", Facts.DESCRIPTION)
                                .object("authentication", Parts::authentication)
                                .object("task_lifecycle", CapabilitiesDocument::lifecycle)
                                .object("lease", tasks::lease)
                                .object("retry", tasks::retry)
                                .object("idempotency", tasks::idempotency)
                                .object("task_fields", tasks::fields)
                                .object("claim_ordering", tasks::claimOrdering)
                                .object("billing", this::billing)
                                .object("rate_limits", this::rateLimits)
                                .object("endpoints", this::endpoints)
                                .object("error_model", CapabilitiesDocument::errorModel)
                                .object("agent_contract", CapabilitiesDocument::contract)
                                .texts("limitations", LIMITATIONS));
    }

    private static void lifecycle(JsonWriter out) {
        out.texts("states", TaskStatus.WORDS)
                .texts(
                        "terminal_states",
                        Arrays.stream(TaskStatus.values())
                                .filter(TaskStatus::terminal)
                                .map(TaskStatus::word)
                                .toList())
                .objects(
                        "transitions",
                        TaskTransition.ALL,
                        (row, transition) -> {
                            TaskStatus from = transition.from();
                            row.text("from", from == null ? null : from.word())
                                    .text("to", transition.to().word())
                                    .text("trigger", transition.trigger());
                        });
    }

    private void billing(JsonWriter out) {
        long days = Plan.PERIOD.toDays();
        String provider = facts.paymentProvider();
        out.text("model", "One-time plan purchase, active for " + days + " days")
                .text("default_plan", facts.plans().free().id())
                .integer("plan_duration_days", days)
                .text("plans_endpoint", "/v1/billing/plans")
                .text("checkout_endpoint", "/v1/billing/checkout")
                .text("status_endpoint", "/v1/billing/status")
                .text("verify_endpoint", "/v1/billing/verify")
                .text("payment_provider", provider)
                .texts(
                        "notes",
                        List.of(
                                "Every account starts on the "
                                        + facts.plans().free().name()
                                        + " tier.",
                                "Paid plans are activated via one-time " + provider + " purchase.",
                                "Checkout requires human approval on "
                                        + provider
                                        + " — agents cannot complete payment themselves.",
                                "When a paid plan expires, the account silently reverts to "
                                        + facts.plans().free().name()
                                        + " tier limits.",
                                "Purchasing while an existing plan is active extends from max(now,"
                                        + " current_expiry) + "
                                        + days
                                        + " days."))
                .objects("plans", facts.plans().listed(), CapabilitiesDocument::plan);
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

    private void rateLimits(JsonWriter out) {
        out.text(
                        "note",
                        "Limits are counted in PostgreSQL: all nodes share them, and they survive"
                                + " restarts.")
                .text(
                        "plan_aware_note",
                        "Rate limits marked plan-aware scale with plan tier. Values shown are "
                                + facts.shownPlan().name()
                                + " tier defaults.")
                .text(
                        "claims_note",
                        "The claim rows count requests, empty answers included. Tasks handed out"
                                + " are counted apart, against the plan's maxClaimsPerHour.")
                .objects("limits", facts.limits().all(), this::limit);
    }

    private void limit(JsonWriter out, RateLimit limit) {
        out.text("endpoint", limit.endpoint())
                .text("limit", limit.text(facts.shownPlan()))
                .text("key", limit.by().word());
        if (limit.planAware()) {
            out.object(
                    "by_plan",
                    plans ->
                            facts.plans()
                                    .listed()
                                    .forEach(plan -> plans.integer(plan.id(), limit.maxFor(plan))));
        }
    }

    private void endpoints(JsonWriter out) {
        out.objects("public", facts.withAccess(Access.PUBLIC), CapabilitiesDocument::endpoint)
                .objects(
                        "authenticated",
                        facts.withAccess(Access.KEY),
                        CapabilitiesDocument::endpoint);
    }

    private static void endpoint(JsonWriter out, Endpoint endpoint) {
        out.text("method", endpoint.method())
                .text("path", endpoint.colonPath())
                .text("purpose", endpoint.summary());
    }

    private static void errorModel(JsonWriter out) {
        out.text(
                        "shape",
                        // Without the other door's words, which stand beside them in some answers.
                        TaskSpecs.ERROR_ANSWER.fields().stream()
                                .map(Field::name)
                                .filter(TaskSpecs.ERROR_ANSWER::isRequired)
                                .collect(Collectors.joining(", ", "{ ", " }")))
                .objects(
                        "codes",
                        List.of(TaskError.values()),
                        (row, error) ->
                                row.text("code", error.code())
                                        .integer("http", error.status())
                                        .bool("retryable", error.retryable()));
    }

    /// Both what the contract is and the contract of this answer.
    private static void contract(JsonWriter out) {
        out.text(
                "description",
                "Every response (success and error) includes an agent_contract field with"
                        + " machine-readable guidance. Agents should read next_actions to determine"
                        + " what to do, rather than parsing HTTP status codes.");
        Parts.CONTRACT.write(out);
        out.object(
                        "structure",
                        structure ->
                                TaskSpecs.CONTRACT
                                        .fields()
                                        .forEach(
                                                field -> structure.text(field.name(), field.doc())))
                .texts("action_codes", NextAction.Code.words())
                .object(
                        "stability_guarantee",
                        guarantee ->
                                guarantee
                                        .text(
                                                "breaking",
                                                "Removing or renaming action codes, error codes, or"
                                                        + " agent_contract fields requires /v2/")
                                        .text(
                                                "non_breaking",
                                                "Adding new optional fields, action codes, or error"
                                                        + " codes stays in /v1/"));
    }
}
