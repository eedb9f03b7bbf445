package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.NumberField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ContractSpecs;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Endpoint;

/// What the bodies of several subjects of the runs door share: the agent contract, the error,
/// pages, the bounds of common fields, and what endpoints of one kind have in common.
public final class RunSpecs {
    private RunSpecs() {}

    public static final int LIST_MAX = 100;
    public static final int LIST_DEFAULT = 50;
    public static final int CURSOR_MAX = 200;
    public static final int REASON_MAX = 500;
    public static final int NOTE_MAX = 1000;

    private static final String CREDITS_MAX = "99999999999999.999999";

    /// A text of one line.
    public static final String LINE = "^[^\\u0000-\\u001f\\u007f]*$";

    public static final ObjectSpec NOTHING = ObjectSpec.named("RunNothing");

    static final ObjectSpec ACTION =
            ContractSpecs.action(ObjectSpec.answer("RunNextAction"), RunAction.words());

    static final ObjectSpec CONTRACT =
            ContractSpecs.contract(ObjectSpec.answer("RunAgentContract"), ACTION)
                    .example(
                            JsonWriter.objectText(
                                    AgentContract.of(true, RunActions.listRuns().best())::write));

    static final ObjectSpec ERROR_ANSWER =
            ContractSpecs.error(ObjectSpec.answer("RunError"), RunErrors.ALL.all(), CONTRACT)
                    .optional(
                            objects("details", RunDetail.SPEC)
                                    .doc("All that is wrong, where more than one thing can be."))
                    .optional(credits("needed").doc("Credits that it takes."))
                    .optional(credits("available").doc("Credits that there are."))
                    .optional(
                            integer("attempt_number")
                                    .range(1, Integer.MAX_VALUE)
                                    .doc("Of the run, where that is why it was refused."))
                    .optional(
                            id("artifact_id", PublicId.ARTIFACT)
                                    .doc("Of the one that is there already."));

    /// An id as it is shown. It may be sent without the word in front.
    public static TextField id(String name, PublicId kind) {
        return text(name).pattern(kind.pattern());
    }

    /// The account, which the other doors call by other names.
    public static TextField org() {
        return text("org_id").doc("The account.");
    }

    /// An amount of credits, exact to the sixth decimal.
    public static NumberField credits(String name) {
        return number(name).range("0", CREDITS_MAX);
    }

    /// Why somebody does something, for the audit log.
    public static TextField reason() {
        return text("reason").length(1, REASON_MAX).doc("Why, for the audit log.");
    }

    /// What somebody has to say about what he does.
    public static TextField note() {
        return text("note").length(1, NOTE_MAX).doc("Shown with it, and in the audit log.");
    }

    /// Adds the contract as the last field.
    public static ObjectSpec answer(ObjectSpec object) {
        return object.required(object("agent_contract", CONTRACT));
    }

    /// A page of a list.
    public static ObjectSpec page(String name, ObjectSpec item) {
        return answer(
                ObjectSpec.answer(name)
                        .required(objects("items", item))
                        .required(text("next_cursor").nullable().doc("Null on the last page.")));
    }

    public static Field limit() {
        return integer("limit")
                .range(1, LIST_MAX)
                .orElse(LIST_DEFAULT)
                .doc("How many at the most.");
    }

    public static Field cursor() {
        return text("cursor").length(1, CURSOR_MAX).doc("next_cursor of the page before.");
    }

    public static Endpoint.Builder paged(Endpoint.Builder endpoint) {
        return endpoint.query(limit(), cursor());
    }

    public static Endpoint.Builder reading(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(RunsDoor.NAME).limit(RunLimits.READ).errors(errors);
    }

    /// For whoever makes runs.
    public static Endpoint.Builder writing(Endpoint.Builder endpoint, String... errors) {
        return changing(endpoint, errors).scopes("runs:write", "producer", "admin");
    }

    /// For whoever makes runs or looks after them.
    public static Endpoint.Builder operating(Endpoint.Builder endpoint, String... errors) {
        return changing(endpoint, errors).scopes("runs:write", "producer", "operator", "admin");
    }

    /// For whoever decides what runs may do.
    public static Endpoint.Builder deciding(Endpoint.Builder endpoint, String... errors) {
        return changing(endpoint, errors).scopes("operator", "admin");
    }

    /// For whoever runs the server: the path is under [RunsDoor#ADMIN], so the account is asked for
    /// too.
    public static Endpoint.Builder administering(Endpoint.Builder endpoint, String... errors) {
        return deciding(endpoint, errors);
    }

    /// The same for what changes nothing.
    public static Endpoint.Builder inspecting(Endpoint.Builder endpoint, String... errors) {
        return reading(endpoint, errors).scopes("operator", "admin");
    }

    /// What changes something takes an idempotency key.
    static Endpoint.Builder changing(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(RunsDoor.NAME)
                .limit(RunLimits.WRITE)
                .requestHeader(KEY)
                .answerHeader(
                        Once.REPLAYED,
                        "true where the answer is that of an earlier request with the same key.")
                .errors(RunOnce.errors(errors));
    }

    private static final Field KEY =
            text(Once.KEY_HEADER)
                    .length(1, Once.KEY_MAX)
                    .printableAscii()
                    .doc(
                            "The same key with the same body gives the same answer for "
                                    + RunOnce.KEPT.toHours()
                                    + " hours, and nothing is done again.");
}
