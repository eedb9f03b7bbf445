package io.orchestrion.server.tasks;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.json.CanonicalJson;
import io.orchestrion.server.json.Values;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/// A task as it is handed to the kernel with its key and the answer that is kept with it, alone or
/// as one of many: a key means the same in both.
final class TaskCreates {
    private TaskCreates() {}

    static Submission submission(Principal caller, Values body, @Nullable String key) {
        return submission(caller, body, "create", key);
    }

    /// @param action what the key is a key of
    static Submission submission(
            Principal caller, Values body, String action, @Nullable String key) {
        return new Submission(
                TaskDrafts.task(caller.accountId(), body),
                key == null
                        ? null
                        : key(
                                caller,
                                action,
                                key,
                                CanonicalJson.digest(body, Set.of("idempotencyKey"))),
                view ->
                        CallerScopes.within(
                                caller.scopes(),
                                () ->
                                        new StoredAnswer(
                                                201,
                                                new String(body(view), StandardCharsets.UTF_8))));
    }

    static IdempotencyKey key(Principal caller, String action, String key, byte[] digest) {
        return new IdempotencyKey(
                TaskEndpoints.DOOR,
                caller.keyId(),
                action,
                key,
                digest,
                TaskSpecs.ANSWER_KEPT,
                TaskSpecs.PLACEHOLDER_STALE);
    }

    static boolean keyAllowed(String key) {
        return !key.isEmpty()
                && key.length() <= TaskSpecs.KEY_MAX
                && key.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }

    static byte[] body(WorkView view) {
        return TaskAnswers.taskBody(
                view.item(), view.documents(), AgentContract.forCreated(view.item(), view.nowMs()));
    }
}
