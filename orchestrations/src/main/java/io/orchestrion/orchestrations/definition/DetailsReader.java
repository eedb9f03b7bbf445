package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.Pointers;
import io.orchestrion.kernel.document.SchemaReader;
import io.orchestrion.orchestrations.definition.StepDetails.Branch;
import io.orchestrion.orchestrations.definition.StepDetails.WaitTime;
import io.orchestrion.orchestrations.expression.Condition;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Reads what steps of one type have.
final class DetailsReader {
    static final Set<String> BRANCH_FIELDS = Set.of("name", "when", "next");
    static final String CHANNEL = "webhook";

    private final HandlerReader handlers;
    private final SchemaReader schemas;

    DetailsReader(HandlerReader handlers, SchemaReader schemas) {
        this.handlers = handlers;
        this.schemas = schemas;
    }

    StepDetails read(Fields fields, StepType type) {
        return switch (type) {
            case TASK -> task(fields);
            case DECISION -> decision(fields);
            case WAIT -> new StepDetails.Wait(waitTime(fields));
            case EXTERNAL_CALL ->
                    new StepDetails.ExternalCall(
                            handlers.ofCall(fields), RequestReader.read(fields.object("request")));
            case NOTIFY -> {
                fields.word("channel", List.of(CHANNEL));
                yield new StepDetails.Notify(
                        handlers.ofCall(fields), RequestReader.read(fields.object("request")));
            }
            case HUMAN_APPROVAL ->
                    new StepDetails.HumanApproval(
                            fields.line("assignee_group", DefinitionLimits.NAME_CHARACTERS),
                            fields.line("title", DefinitionLimits.NAME_CHARACTERS),
                            fields.text("note", DefinitionLimits.NOTE_CHARACTERS));
        };
    }

    private StepDetails task(Fields fields) {
        Integer lease =
                fields.wholeInt(
                        "lease_seconds",
                        DefinitionLimits.LEASE_SECONDS_MIN,
                        DefinitionLimits.LEASE_SECONDS_MAX);
        return new StepDetails.Task(
                handlers.ofTask(fields),
                lease == null ? DefinitionLimits.LEASE_SECONDS : lease,
                fields.wholeInt("priority", 0, DefinitionLimits.PRIORITY_MAX),
                schemas.read(fields, "result_schema"));
    }

    private static StepDetails decision(Fields fields) {
        var branches = new ArrayList<Branch>();
        JsonNode list = fields.list("branches", 1, DefinitionLimits.BRANCHES);
        for (int i = 0; i < list.size(); i++) {
            branches.add(
                    branch(
                            new Fields(
                                    list.get(i),
                                    Pointers.child(fields.at("branches"), i),
                                    fields.findings())));
        }
        Route otherwise = RouteReader.read(fields, "default");
        if (otherwise == null && !fields.has("on_failure")) {
            fields.findings()
                    .add(
                            DefinitionCode.NO_DEFAULT,
                            fields.pointer(),
                            "The execution fails where no branch is true.",
                            "Add a default, or an on_failure.");
        }
        return new StepDetails.Decision(List.copyOf(branches), otherwise);
    }

    private static Branch branch(Fields fields) {
        fields.only(BRANCH_FIELDS);
        if (!fields.has("when")) {
            fields.missing("when", "Add a condition.");
        }
        if (!fields.has("next")) {
            fields.missing("next", "Add the id of a step, or terminal.");
        }
        Route next = RouteReader.read(fields, "next");
        JsonNode when = fields.get("when");
        return new Branch(
                fields.line("name", DefinitionLimits.NAME_CHARACTERS),
                when == null
                        ? new Condition.Any(List.of())
                        : Condition.read(
                                when, fields.at("when"), ExpressionFindings.to(fields.findings())),
                next == null ? Route.TERMINAL : next);
    }

    private static WaitTime waitTime(Fields fields) {
        Long duration = fields.whole("duration_ms", 1, DefinitionLimits.DURATION_MS);
        if (fields.has("duration_ms") == fields.has("until")) {
            fields.findings()
                    .add(
                            fields.has("until")
                                    ? DefinitionCode.CONFLICTING_FIELDS
                                    : DocumentCode.MISSING_FIELD,
                            fields.at("duration_ms"),
                            "A wait has either a duration_ms or an until.",
                            "Give it one of the two.");
        }
        if (!fields.has("until")) {
            return new WaitTime.For(duration == null ? 1 : duration);
        }
        return new WaitTime.Until(until(fields));
    }

    private static Mapping until(Fields fields) {
        JsonNode until = Objects.requireNonNullElse(fields.get("until"), NullNode.getInstance());
        Mapping mapping =
                Mapping.read(until, fields.at("until"), ExpressionFindings.to(fields.findings()));
        if (mapping.isFixed() && !isMoment(until)) {
            fields.invalid(
                    "until",
                    "is no date and time",
                    "Write it as RFC 3339 does, such as 2027-01-31T08:00:00Z, or map a text.");
        } else if (!mapping.isFixed() && !until.has("$ref") && !until.has("$cel")) {
            fields.wrongType("until", "a text, or a mapping that gives one");
        }
        return mapping;
    }

    private static boolean isMoment(@Nullable JsonNode node) {
        return node != null && node.isString() && WaitTimes.millis(node.stringValue()) != null;
    }
}
