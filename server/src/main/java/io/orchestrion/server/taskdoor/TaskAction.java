package io.orchestrion.server.taskdoor;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.contract.ActionCode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Every action code of the tasks door. Codes are never removed or renamed within `/v1`.
public enum TaskAction implements ActionCode {
    CREATE_TASK(Scope.PRODUCER),
    CLAIM_TASK(Scope.WORKER),
    COMPLETE_TASK(Scope.WORKER),
    FAIL_TASK(Scope.WORKER),
    HEARTBEAT(Scope.WORKER),
    CHECK_TASK_STATUS,
    REQUEUE_TASK(Scope.PRODUCER, Scope.OPERATOR),
    /// In the list because it is published. Answers have [ActionCode#RETRY_AFTER_WAIT].
    RETRY_AFTER_WAIT,
    AUTHENTICATE,
    FIX_REQUEST,
    DOWNLOAD_ARTIFACT,
    LIST_TASKS,
    UPGRADE_PLAN(Scope.PRODUCER),
    RENEW_PLAN(Scope.PRODUCER),
    CHECK_BILLING_STATUS,
    VERIFY_PAYMENT(Scope.PRODUCER),
    RETRY_CHECKOUT(Scope.PRODUCER),
    CHECK_OPERATION(Scope.OPERATOR),
    RELEASE_TASK(Scope.PRODUCER, Scope.OPERATOR);

    private final Set<Scope> scopes;
    private final String word = name().toLowerCase(Locale.ROOT);

    TaskAction(Scope... scopes) {
        this.scopes = Set.of(scopes);
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public Set<Scope> scopes() {
        return scopes;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(TaskAction::word).toList();
    }
}
