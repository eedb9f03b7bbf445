package io.orchestrion.sdk;

import static io.orchestrion.sdk.QueueWire.each;
import static io.orchestrion.sdk.Wire.instant;
import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.text;
import static io.orchestrion.sdk.Wire.textOrNull;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Reads answers about orchestrations into records, as [Wire] does for tasks.
final class OrchestrationWire {
    private OrchestrationWire() {}

    private static UUID id(JsonNode from, String name) {
        return UUID.fromString(text(from, name));
    }

    static <T> Function<JsonNode, Page<T>> page(Function<JsonNode, T> reader) {
        return answer ->
                new Page<>(each(answer, "items", reader), textOrNull(answer, "next_cursor"));
    }

    private static <T> List<T> ifThere(JsonNode list, Function<JsonNode, T> reader) {
        var all = new ArrayList<T>();
        for (JsonNode each : list.values()) {
            all.add(reader.apply(each));
        }
        return all;
    }

    private static List<String> words(JsonNode list) {
        return ifThere(list, word -> word.stringValue(""));
    }

    static DefinitionVersion definition(JsonNode answer) {
        return new DefinitionVersion(
                id(answer, "orchestration_definition_id"),
                (int) number(answer, "version"),
                text(answer, "status"),
                text(answer, "name"),
                ifThere(answer.path("findings"), OrchestrationWire::finding),
                answer);
    }

    static Validation validation(JsonNode answer) {
        return new Validation(
                answer.path("valid").booleanValue(false),
                each(answer, "findings", OrchestrationWire::finding),
                textOrNull(answer, "checksum"));
    }

    static Finding finding(JsonNode finding) {
        return new Finding(
                text(finding, "severity"),
                text(finding, "level"),
                text(finding, "pointer"),
                text(finding, "code"),
                text(finding, "message"),
                text(finding, "hint"));
    }

    static Execution execution(JsonNode answer) {
        return new Execution(
                id(answer, "execution_id"),
                id(answer, "definition_id"),
                (int) number(answer, "definition_version"),
                ExecutionStatus.of(text(answer, "status")),
                text(answer, "target_object_type"),
                text(answer, "target_object_id"),
                text(answer, "correlation_id"),
                (int) number(answer, "attempt_count"),
                answer);
    }

    static StepExecution step(JsonNode step) {
        return new StepExecution(
                id(step, "step_execution_id"),
                id(step, "execution_id"),
                text(step, "step_id"),
                StepKind.of(text(step, "kind")),
                (int) number(step, "attempt_number"),
                StepStatus.of(text(step, "status")),
                step);
    }

    static List<StepExecution> steps(JsonNode list) {
        return ifThere(list, OrchestrationWire::step);
    }

    static List<Execution.Blocked> blocked(JsonNode list) {
        return ifThere(
                list,
                each ->
                        new Execution.Blocked(
                                text(each, "on"),
                                id(each, "id"),
                                textOrNull(each, "step_id"),
                                instantOrNull(each, "until")));
    }

    static ExecutionTransition transition(JsonNode transition) {
        return new ExecutionTransition(
                number(transition, "seq"),
                text(transition, "event"),
                textOrNull(transition, "from"),
                textOrNull(transition, "to"),
                instant(transition, "at"),
                text(transition, "actor"),
                transition);
    }

    static Approval approval(JsonNode approval) {
        return new Approval(
                id(approval, "approval_id"),
                id(approval, "execution_id"),
                text(approval, "step_id"),
                StepKind.of(text(approval, "kind")),
                text(approval, "status"),
                textOrNull(approval, "title"),
                instantOrNull(approval, "expires_at"),
                approval);
    }

    static DeadLetter deadLetter(JsonNode letter) {
        return new DeadLetter(
                id(letter, "dlq_id"),
                id(letter, "execution_id"),
                text(letter, "step_id"),
                text(letter, "reason"),
                text(letter, "status"),
                words(letter.path("actions")),
                letter);
    }

    static List<Reprocessed> reprocessed(JsonNode answer) {
        return each(
                answer,
                "items",
                item ->
                        new Reprocessed(
                                id(item, "dlq_id"),
                                text(item, "result"),
                                textOrNull(item, "message")));
    }

    static ReviewEntry review(JsonNode entry) {
        return new ReviewEntry(
                id(entry, "review_id"),
                text(entry, "kind"),
                id(entry, "execution_id"),
                textOrNull(entry, "step_id"),
                words(entry.path("actions")),
                entry);
    }

    static AuditEvent auditEvent(JsonNode event) {
        JsonNode subject = event.path("subject");
        return new AuditEvent(
                instant(event, "at"),
                text(event, "event"),
                text(subject, "type"),
                text(subject, "id"),
                event);
    }
}
