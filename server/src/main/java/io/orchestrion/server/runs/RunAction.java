package io.orchestrion.server.runs;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.contract.ActionCode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Every action code of the runs door. Codes are never removed or renamed within `/api/v1`.
public enum RunAction implements ActionCode {
    CREATE_RUN(Scope.RUNS_WRITE, Scope.PRODUCER),
    CHECK_RUN,
    LIST_RUNS,
    START_RUN(Scope.RUNS_WRITE, Scope.PRODUCER),
    DELETE_RUN(Scope.RUNS_WRITE, Scope.PRODUCER),
    SEND_PLAN(Scope.RUNS_WRITE, Scope.PRODUCER),
    PAUSE_RUN(Scope.RUNS_WRITE, Scope.PRODUCER, Scope.OPERATOR),
    RESUME_RUN(Scope.RUNS_WRITE, Scope.PRODUCER, Scope.OPERATOR),
    CANCEL_RUN(Scope.RUNS_WRITE, Scope.PRODUCER, Scope.OPERATOR),
    RETRY_RUN(Scope.RUNS_WRITE, Scope.PRODUCER, Scope.OPERATOR),
    CHECK_AGENT,
    CANCEL_AGENT(Scope.RUNS_WRITE, Scope.PRODUCER, Scope.OPERATOR),
    CANCEL_TASK(Scope.RUNS_WRITE, Scope.PRODUCER, Scope.OPERATOR),
    CHECK_STEP,
    CHECK_DECISIONS,
    CHECK_CREDITS,
    CHECK_LEDGER,
    UPLOAD_ARTIFACT(Scope.RUNS_WRITE, Scope.PRODUCER, Scope.WORKER),
    LIST_ARTIFACTS,
    DOWNLOAD_ARTIFACT,
    SHARE_ARTIFACT(Scope.RUNS_WRITE, Scope.PRODUCER),
    LIST_ESCALATIONS,
    RESOLVE_ESCALATION(Scope.OPERATOR),
    LIST_APPROVALS(Scope.OPERATOR),
    APPROVE_STEP(Scope.OPERATOR),
    REJECT_STEP(Scope.OPERATOR),
    LIST_STUCK_RUNS(Scope.OPERATOR),
    FORCE_FAIL_RUN(Scope.OPERATOR),
    GRANT_CREDITS(Scope.OPERATOR),
    REVERSE_CHARGE(Scope.OPERATOR),
    CLAIM_TASK(Scope.WORKER),
    WRITE_OUTPUT(Scope.WORKER),
    AUTHENTICATE,
    FIX_REQUEST,
    /// In the list because it is published. Answers have [ActionCode#RETRY_AFTER_WAIT].
    RETRY_AFTER_WAIT;

    private final Set<Scope> scopes;
    private final String word = name().toLowerCase(Locale.ROOT);

    RunAction(Scope... scopes) {
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
        return Arrays.stream(values()).map(RunAction::word).toList();
    }
}
