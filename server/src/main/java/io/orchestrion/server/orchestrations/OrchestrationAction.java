package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.contract.ActionCode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Every action code of the orchestrations door. Codes are never removed or renamed within `/v1`.
public enum OrchestrationAction implements ActionCode {
    CREATE_EXECUTION(Scope.ORCHESTRATION_WRITE, Scope.PRODUCER),
    CHECK_EXECUTION,
    LIST_EXECUTIONS,
    CANCEL_EXECUTION(Scope.ORCHESTRATION_OPERATE, Scope.OPERATOR),
    PAUSE_EXECUTION(Scope.ORCHESTRATION_OPERATE, Scope.OPERATOR),
    RESUME_EXECUTION(Scope.ORCHESTRATION_OPERATE, Scope.OPERATOR),
    RETRY_EXECUTION(Scope.ORCHESTRATION_OPERATE, Scope.OPERATOR),
    RETRY_STEP(Scope.ORCHESTRATION_OPERATE, Scope.OPERATOR),
    CREATE_DEFINITION(Scope.ORCHESTRATION_WRITE, Scope.PRODUCER),
    CHECK_DEFINITION,
    LIST_DEFINITIONS,
    VALIDATE_DEFINITION(Scope.ORCHESTRATION_WRITE, Scope.PRODUCER),
    REPLACE_DEFINITION(Scope.ORCHESTRATION_WRITE, Scope.PRODUCER),
    CREATE_VERSION(Scope.ORCHESTRATION_WRITE, Scope.PRODUCER),
    PUBLISH_DEFINITION(Scope.ORCHESTRATION_WRITE, Scope.PRODUCER),
    DEPRECATE_DEFINITION(Scope.ORCHESTRATION_WRITE, Scope.PRODUCER),
    LIST_APPROVALS(Scope.ORCHESTRATION_APPROVE, Scope.OPERATOR),
    CHECK_APPROVAL(Scope.ORCHESTRATION_APPROVE, Scope.OPERATOR),
    APPROVE_STEP(Scope.ORCHESTRATION_APPROVE, Scope.OPERATOR),
    REJECT_STEP(Scope.ORCHESTRATION_APPROVE, Scope.OPERATOR),
    LIST_DEAD_LETTERS(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    CHECK_DEAD_LETTER(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    REPROCESS(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    RESOLVE_DEAD_LETTER(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    LIST_REVIEW(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    COMPENSATE(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    MARK_COMPENSATED(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    RESOLVE_REVIEW(Scope.ORCHESTRATION_REVIEW, Scope.OPERATOR),
    CHECK_RETRY_MATRIX,
    CLAIM_TASK(Scope.WORKER),
    AUTHENTICATE,
    FIX_REQUEST,
    /// In the list because it is published. Answers have [ActionCode#RETRY_AFTER_WAIT].
    RETRY_AFTER_WAIT;

    private final Set<Scope> scopes;
    private final String word = name().toLowerCase(Locale.ROOT);

    OrchestrationAction(Scope... scopes) {
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
        return Arrays.stream(values()).map(OrchestrationAction::word).toList();
    }
}
