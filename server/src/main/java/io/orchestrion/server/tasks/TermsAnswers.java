package io.orchestrion.server.tasks;

import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.taskdoor.TaskFault;

/// The answers to a create that its terms forbid.
final class TermsAnswers {
    private TermsAnswers() {}

    static Answer uniqueConflict(Call call, Submitted.UniqueConflict conflict, TaskFault fault) {
        return TaskErrorAnswers.error(
                call,
                fault.error(),
                fault.error().status(),
                fault.message(),
                TaskGuidance.forTaskError(
                        fault.error(), conflict.existing(), conflict.nowMs(), call.path()));
    }

    static Answer existing(WorkView view) {
        return Answer.json(200, existingBody(view)).with("Location", location(view));
    }

    static StoredAnswer storedExisting(WorkView view) {
        return Once.kept(200, existingBody(view));
    }

    /// The guidance is only what stays true, because the answer may be stored.
    private static byte[] existingBody(WorkView view) {
        return JsonWriter.object(
                out ->
                        out.object(
                                        "task",
                                        task -> TaskJson.write(task, view.item(), view.documents()))
                                .bool("existing", true)
                                .object(
                                        "agent_contract",
                                        TaskGuidance.forExisting(view.item())::write));
    }

    private static String location(WorkView view) {
        return "/v1/tasks/" + view.item().id();
    }
}
