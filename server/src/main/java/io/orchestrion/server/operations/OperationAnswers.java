package io.orchestrion.server.operations;

import io.orchestrion.kernel.bulk.BulkAction;
import io.orchestrion.kernel.bulk.BulkFilter;
import io.orchestrion.kernel.bulk.BulkOperation;
import io.orchestrion.kernel.bulk.BulkPreview;
import io.orchestrion.kernel.bulk.BulkState;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.taskdoor.TaskAction;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.tasks.TaskStatus;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// Operations as bytes, each answer with its guidance.
final class OperationAnswers {
    private OperationAnswers() {}

    static String path(BulkOperation operation) {
        return OperationEndpoints.PATH + "/" + operation.id();
    }

    /// For the caller who started it. The answer is stored and given again, so it only says what
    /// stays true.
    static byte[] made(BulkOperation operation) {
        return body(operation, AgentContract.of(false, check(operation).best()));
    }

    /// The operation in its present state.
    static Answer operation(BulkOperation operation) {
        AgentContract contract =
                operation.state() == BulkState.RUNNING
                        ? AgentContract.of(
                                true,
                                NextAction.waitAndRepeat(
                                        TaskActions.OPERATION_WAIT_SECONDS, "GET", path(operation)),
                                check(operation))
                        : AgentContract.of(true, listTasks().best());
        return Answer.json(200, body(operation, contract));
    }

    private static byte[] body(BulkOperation operation, AgentContract contract) {
        return JsonWriter.object(
                out ->
                        out.object("operation", each -> write(each, operation))
                                .object("agent_contract", contract::write));
    }

    private static NextAction check(BulkOperation operation) {
        return NextAction.call(TaskAction.CHECK_OPERATION, "GET", path(operation));
    }

    private static NextAction listTasks() {
        return NextAction.call(TaskAction.LIST_TASKS, "GET", "/v1/tasks");
    }

    static Answer preview(BulkAction action, BulkPreview preview) {
        AgentContract contract = AgentContract.of(true, listTasks().best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.bool("dryRun", true)
                                        .text("action", action.word())
                                        .integer("matched", preview.matched())
                                        .bool("matchedAtLeast", !preview.all())
                                        .texts(
                                                "taskIds",
                                                preview.first().stream()
                                                        .map(UUID::toString)
                                                        .toList())
                                        .object("agent_contract", contract::write)));
    }

    static Answer list(List<BulkOperation> page, @Nullable String next) {
        AgentContract contract = AgentContract.of(true, listTasks().best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("operations", page, OperationAnswers::write)
                                        .text("nextCursor", next)
                                        .object("agent_contract", contract::write)));
    }

    private static void write(JsonWriter out, BulkOperation operation) {
        Long finished = operation.finishedMs();
        out.text("id", operation.id().toString())
                .text("action", operation.action().word())
                .object("filter", filter -> write(filter, operation.action(), operation.filter()))
                .integer("max", operation.max())
                .text("reason", operation.why())
                .text("state", operation.state().word())
                .integer("matched", operation.matched())
                .bool("matchedAtLeast", !operation.matchedAll())
                .integer("done", operation.done())
                .integer("skipped", operation.skipped())
                .integer("failed", operation.failed())
                .objects(
                        "failures",
                        operation.failures(),
                        (each, failure) ->
                                each.text("taskId", failure.id().toString())
                                        .text("reason", failure.reason()))
                .instant("createdAt", operation.createdMs())
                .instant("finishedAt", finished == null ? null : Instant.ofEpochMilli(finished))
                .object(
                        "requestedBy",
                        by ->
                                by.text("keyId", operation.keyId().toString())
                                        .text("name", operation.keyName()));
    }

    /// With the status where it comes down to one.
    private static void write(JsonWriter out, BulkAction action, BulkFilter filter) {
        for (TaskStatus status : TaskStatus.values()) {
            boolean alone = filter.states().equals(status.states());
            if (alone && OperationSpecs.statuses(action).contains(status)) {
                out.text("status", status.word());
            }
        }
        if (filter.kind() != null) {
            out.text("type", filter.kind());
        }
        instant(out, "createdBefore", filter.createdBeforeMs());
        instant(out, "createdAfter", filter.createdFromMs());
        instant(out, "finishedBefore", filter.finishedBeforeMs());
        if (!filter.ids().isEmpty()) {
            out.texts("ids", filter.ids().stream().map(UUID::toString).toList());
        }
        if (filter.failureContains() != null) {
            out.text("reasonContains", filter.failureContains());
        }
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        if (millis != null) {
            out.instant(name, millis.longValue());
        }
    }
}
