package io.orchestrion.server.tasks;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.contract.CallerScopes;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskFault;
import io.orchestrion.server.taskdoor.TasksDoor;
import io.orchestrion.server.types.TypeRules;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/// A task as it is handed to the kernel with its key and the answer that is kept with it, alone or
/// as one of many: a key, a type and a parent mean the same in both.
final class TaskCreates {
    private final Work work;
    private final TypeRules rules;

    TaskCreates(Work work, TypeRules rules) {
        this.work = work;
        this.rules = rules;
    }

    /// What is to be done with what a producer sent.
    sealed interface Draft {
        record Ready(Submission submission) implements Draft {}

        /// Its type would refuse it now, but it was answered before.
        record Known(Submitted first) implements Draft {}

        record Faulty(TaskFault fault) implements Draft {}
    }

    /// @param action what the key is a key of
    /// @param parents beside those that the body names
    /// @param budget of the whole request
    Draft draft(
            Producer producer,
            Values body,
            String action,
            @Nullable String key,
            List<UUID> parents,
            CheckBudget budget) {
        Principal caller = producer.principal();
        if (body.has("onDependencyFailure") && !body.has("dependsOn") && parents.isEmpty()) {
            return new Draft.Faulty(
                    new TaskFault(
                            TaskError.INVALID_REQUEST, "onDependencyFailure needs dependsOn"));
        }
        if (body.texts("dependsOn").size() + parents.size() > TermsSpecs.PARENTS_MAX) {
            return new Draft.Faulty(
                    new TaskFault(
                            TaskError.INVALID_REQUEST,
                            "dependsOn and dependsOnRefs must have at most "
                                    + TermsSpecs.PARENTS_MAX
                                    + " items together"));
        }
        IdempotencyKey once =
                key == null
                        ? null
                        : key(
                                caller,
                                action,
                                key,
                                CanonicalJson.digest(body, Set.of("idempotencyKey")));
        return switch (rules.check(caller.accountId(), body, budget)) {
            case TypeRules.Ruling.Fits(var defaults) ->
                    new Draft.Ready(
                            submission(
                                    caller,
                                    TaskDrafts.task(caller.accountId(), body, defaults, parents)
                                            .correlated(correlationId(producer, body)),
                                    once));
            case TypeRules.Ruling.Refused(var fault) -> {
                // A repeated request is answered as the first one was, whatever the type says now.
                Submitted first = once == null ? null : work.replay(caller.accountId(), once);
                yield first == null ? new Draft.Faulty(fault) : new Draft.Known(first);
            }
        };
    }

    private static @Nullable String correlationId(Producer producer, Values body) {
        String own = body.textOrNull("correlationId");
        return own == null ? producer.correlationId() : own;
    }

    private static Submission submission(
            Principal caller, NewWork task, @Nullable IdempotencyKey once) {
        return new Submission(
                task,
                once,
                view -> CallerScopes.within(caller.scopes(), () -> stored(view)),
                view ->
                        CallerScopes.within(
                                caller.scopes(), () -> TermsAnswers.storedExisting(view)),
                null);
    }

    private static StoredAnswer stored(WorkView view) {
        return Once.kept(201, body(view));
    }

    static IdempotencyKey key(Principal caller, String action, String key, byte[] digest) {
        return Once.key(TasksDoor.NAME, caller, action, key, digest);
    }

    static byte[] body(WorkView view) {
        return TaskAnswers.taskBody(
                view.item(), view.documents(), TaskGuidance.forCreated(view.item(), view.nowMs()));
    }
}
