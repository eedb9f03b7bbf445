package io.orchestrion.cli;

import io.orchestrion.sdk.NextAction;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Which command does what the door of runs recommends.
final class RunAdvice {
    private static final Pattern RUN =
            Pattern.compile("/api/v1/(?:admin/)?runs/([A-Za-z0-9_-]+)(?:[/?].*)?");

    private RunAdvice() {}

    /// Null for an action of another door.
    static @Nullable String of(NextAction action) {
        String endpoint = action.endpoint();
        Matcher matcher = RUN.matcher(endpoint == null ? "" : endpoint);
        String run = matcher.matches() ? matcher.group(1) : "RUN";
        return switch (action.action()) {
            case "create_run" -> "orchestrion runs create --name NAME --task TEXT";
            case "check_run" -> "orchestrion runs show " + run;
            case "list_runs" -> "orchestrion runs list";
            case "start_run" -> "orchestrion runs start " + run;
            case "delete_run" -> "orchestrion runs delete " + run;
            case "send_plan" -> "orchestrion runs plan " + run + " --plan JSON";
            case "pause_run" -> "orchestrion runs pause " + run;
            case "resume_run" -> "orchestrion runs resume " + run;
            case "cancel_run", "cancel_agent", "cancel_task" -> "orchestrion runs cancel " + run;
            case "retry_run" -> "orchestrion runs retry " + run;
            case "check_agent", "check_step" -> "orchestrion runs tree " + run;
            case "check_decisions" -> "orchestrion runs decisions " + run;
            case "check_credits" -> "orchestrion credits show";
            case "check_ledger" -> "orchestrion credits ledger";
            case "upload_artifact" -> "orchestrion runs artifacts upload " + run + " --file FILE";
            case "list_artifacts" -> "orchestrion runs artifacts list " + run;
            case "list_escalations", "resolve_escalation" -> "orchestrion runs escalations list";
            case "list_approvals", "approve_step", "reject_step" ->
                    "orchestrion runs approvals list";
            case "list_stuck_runs", "force_fail_run" -> "orchestrion credits stuck";
            default -> null;
        };
    }
}
