package io.orchestrion.sdk;

import static io.orchestrion.sdk.QueueWire.each;
import static io.orchestrion.sdk.Wire.idOrNull;
import static io.orchestrion.sdk.Wire.instant;
import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.numberOrNull;
import static io.orchestrion.sdk.Wire.text;
import static io.orchestrion.sdk.Wire.textOrNull;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Reads answers about events, schedules, types, operations, the audit log and batches into
/// records, as [Wire] does for tasks.
final class ResourceWire {
    private ResourceWire() {}

    private static <T> Page<T> page(JsonNode answer, String name, Function<JsonNode, T> reader) {
        return new Page<>(each(answer, name, reader), textOrNull(answer, "nextCursor"));
    }

    static TaskEvent event(JsonNode event) {
        return new TaskEvent(
                text(event, "id"),
                UUID.fromString(text(event, "taskId")),
                text(event, "type"),
                text(event, "event"),
                TaskStatus.of(text(event, "status")),
                (int) number(event, "attempt"),
                textOrNull(event, "workerId"),
                textOrNull(event, "reason"),
                instant(event, "at"),
                event);
    }

    static SubjectEvent subjectEvent(JsonNode event) {
        JsonNode subject = event.path("subject");
        return new SubjectEvent(
                text(event, "id"),
                text(subject, "kind"),
                UUID.fromString(text(subject, "id")),
                text(event, "event"),
                (int) number(event, "sequence"),
                textOrNull(event, "status"),
                textOrNull(event, "correlationId"),
                instant(event, "at"),
                event);
    }

    static boolean ofSubject(JsonNode event) {
        return event.has("subject");
    }

    static TaskEventPage eventPage(JsonNode answer) {
        List<JsonNode> ofTasks = each(answer, "events", line -> line);
        List<JsonNode> ofSubjects =
                answer.has("subjectEvents")
                        ? each(answer, "subjectEvents", line -> line)
                        : List.of();
        var lines = new ArrayList<>(ofTasks);
        // Inserted in the order of their places, so that all lines before each are there already.
        ofSubjects.forEach(line -> lines.add((int) number(line, "place"), line));
        return new TaskEventPage(
                ofTasks.stream().map(ResourceWire::event).toList(),
                ofSubjects.stream().map(ResourceWire::subjectEvent).toList(),
                lines,
                text(answer, "nextCursor"),
                answer.path("hasMore").booleanValue(false));
    }

    static Schedule schedule(JsonNode answer) {
        return scheduleItself(answer.path("schedule"));
    }

    private static Schedule scheduleItself(JsonNode schedule) {
        return new Schedule(
                UUID.fromString(text(schedule, "id")),
                text(schedule, "name"),
                text(schedule, "status"),
                instantOrNull(schedule, "nextFireAt"),
                instantOrNull(schedule, "lastFireAt"),
                idOrNull(schedule, "lastTaskId"),
                number(schedule, "fired"),
                schedule);
    }

    static Page<Schedule> schedules(JsonNode answer) {
        return page(answer, "schedules", ResourceWire::scheduleItself);
    }

    static Page<ScheduleFire> fires(JsonNode answer) {
        return page(
                answer,
                "fires",
                fire ->
                        new ScheduleFire(
                                instant(fire, "fireAt"),
                                text(fire, "result"),
                                idOrNull(fire, "taskId"),
                                textOrNull(fire, "detail"),
                                fire));
    }

    static TaskType type(JsonNode answer) {
        return typeItself(answer.path("type"));
    }

    private static TaskType typeItself(JsonNode type) {
        return new TaskType(
                text(type, "type"),
                textOrNull(type, "description"),
                type.path("paused").booleanValue(false),
                type.path("draining").booleanValue(false),
                type);
    }

    static Page<TaskType> types(JsonNode answer) {
        return page(answer, "types", ResourceWire::typeItself);
    }

    static TypeFlow flow(JsonNode answer) {
        return new TypeFlow(
                text(answer, "type"),
                answer.path("paused").booleanValue(false),
                each(answer, "keys", key -> key),
                textOrNull(answer, "nextCursor"),
                answer);
    }

    static Operation operation(JsonNode answer) {
        return operationItself(answer.path("operation"));
    }

    private static Operation operationItself(JsonNode operation) {
        return new Operation(
                UUID.fromString(text(operation, "id")),
                text(operation, "action"),
                text(operation, "state"),
                number(operation, "matched"),
                number(operation, "done"),
                number(operation, "skipped"),
                number(operation, "failed"),
                instantOrNull(operation, "finishedAt"),
                operation);
    }

    static Page<Operation> operations(JsonNode answer) {
        return page(answer, "operations", ResourceWire::operationItself);
    }

    static OperationPreview preview(JsonNode answer) {
        return new OperationPreview(
                text(answer, "action"),
                number(answer, "matched"),
                answer.path("matchedAtLeast").booleanValue(false),
                answer);
    }

    static AuditLog.Entries audit(JsonNode answer) {
        return new AuditLog.Entries(
                each(
                        answer,
                        "entries",
                        entry ->
                                new AuditEntry(
                                        number(entry, "id"),
                                        instant(entry, "at"),
                                        text(entry, "action"),
                                        entry)),
                numberOrNull(answer, "nextAfter"));
    }

    static List<BatchResult> batch(JsonNode answer) {
        return each(answer, "results", ResourceWire::result);
    }

    private static BatchResult result(JsonNode result) {
        JsonNode error = result.path("error");
        return new BatchResult(
                (int) number(result, "index"),
                text(result, "status"),
                idOrNull(result.path("task"), "id"),
                textOrNull(error, "code"),
                textOrNull(error, "message"),
                result);
    }

    static boolean strictTypes(JsonNode answer) {
        JsonNode strict = answer.path("settings").path("strictTypes");
        if (!strict.isBoolean()) {
            throw new IllegalArgumentException("the answer lacks strictTypes");
        }
        return strict.booleanValue();
    }
}
