package io.orchestrion.cli;

import io.orchestrion.sdk.NextAction;
import io.orchestrion.sdk.OrchestrionException;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Turns the server's next actions into something to type.
final class Advice {
    private static final Pattern TASK = Pattern.compile("/v1/tasks/([0-9a-fA-F-]{36})(/.*)?");

    private Advice() {}

    static String of(NextAction action) {
        String id = taskId(action.endpoint());
        return switch (action.action()) {
            case "create_task" -> "orchestrion tasks create --type TYPE --payload JSON";
            case "claim_task" ->
                    id == null
                            ? "orchestrion tasks claim --type TYPE"
                            : "orchestrion tasks claim " + id;
            case "complete_task" -> onTask("complete", id) + " --result JSON";
            case "fail_task" -> onTask("fail", id) + " --reason TEXT";
            case "heartbeat" -> onTask("heartbeat", id);
            case "requeue_task" -> onTask("requeue", id);
            case "check_task_status" -> onTask("get", id);
            case "list_tasks" -> "orchestrion tasks list";
            case "retry_after_wait" -> {
                Long seconds = action.retryAfterSeconds();
                yield "wait "
                        + (seconds == null ? "a little" : Times.length(seconds))
                        + ", then try again";
            }
            case "authenticate" ->
                    "name a key that works with --api-key-file or "
                            + KeySource.VARIABLE
                            + ", or make one: orchestrion keys register";
            case "upgrade_plan", "renew_plan", "retry_checkout" ->
                    "orchestrion billing checkout PLAN; orchestrion billing plans lists them";
            case "verify_payment" -> "orchestrion billing verify PURCHASE, once a human approved";
            case "check_billing_status" -> "orchestrion billing status";
            case "fix_request" -> "correct what the message names";
            case "download_artifact" -> "fetch the output from where it is kept";
            default -> {
                String ofRuns = RunAdvice.of(action);
                yield ofRuns == null ? Screen.clean(action.action().replace('_', ' ')) : ofRuns;
            }
        };
    }

    private static String onTask(String verb, @Nullable String id) {
        return "orchestrion tasks " + verb + " " + (id == null ? "ID" : id);
    }

    private static @Nullable String taskId(@Nullable String endpoint) {
        Matcher matcher = TASK.matcher(endpoint == null ? "" : endpoint);
        return matcher.matches() ? matcher.group(1) : null;
    }

    static String of(OrchestrionException e) {
        return switch (e.code()) {
            case OrchestrionException.UNREACHABLE ->
                    "start one with ./orchestrion serve, or name another with --server or "
                            + ClientCommand.URL_VARIABLE;
            case OrchestrionException.NO_ANSWER ->
                    "look at what became of it (such as orchestrion tasks list), then try again";
            case OrchestrionException.BAD_ANSWER ->
                    "check the address, --server or " + ClientCommand.URL_VARIABLE;
            case "insufficient_scope" ->
                    "name a key that is for this with --api-key-file or "
                            + KeySource.VARIABLE
                            + "; an admin makes one: orchestrion keys create";
            case "queue_wrong_worker" -> "name the worker that the token is for with --worker";
            case "queue_no_credential", "queue_invalid_credential" ->
                    "name a credential that works: --token-file or "
                            + KeySource.TOKEN_VARIABLE
                            + " for a worker, --api-key-file or "
                            + KeySource.VARIABLE
                            + " for everything";
            case "queue_insufficient_scope" ->
                    "name a key that is for this with --api-key-file or " + KeySource.VARIABLE;
            case "queue_job_not_found" -> "orchestrion queue list";
            case "queue_wrong_status" -> "orchestrion queue get ID tells how it stands";
            case "queue_token_not_found" -> "orchestrion worker-tokens list --all";
            case "queue_invalid_request" -> "correct what the message names";
            case "RFA_JOB_NOT_FOUND", "RFA_AUTH_FORBIDDEN" -> "orchestrion jobs list";
            case "RFA_REPORT_NOT_FOUND" -> "orchestrion jobs watch ID, then ask again";
            case "RFA_JOB_CONFLICT" -> "orchestrion jobs get ID tells how it stands";
            case "RFA_WEBHOOK_NOT_FOUND", "RFA_DELIVERY_NOT_FOUND" -> "orchestrion webhooks list";
            case "RFA_JOB_VALIDATION_FAILED", "RFA_REQUEST_MALFORMED" ->
                    "correct what the message names; orchestrion jobs kinds lists the kinds";
            case "RFA_AUTH_INVALID_CREDENTIALS",
                    "RFA_AUTH_TOKEN_EXPIRED",
                    "RFA_AUTH_API_KEY_DISABLED" ->
                    "name a key that works with --api-key-file or " + KeySource.VARIABLE;
            case "schedule_not_found" -> "orchestrion schedules list";
            case "schedule_exists" -> "choose another --name; orchestrion schedules list";
            case "type_not_found" -> "orchestrion types list";
            case "operation_not_found", "too_many_operations" -> "orchestrion operations list";
            case "last_key" -> "orchestrion keys create --name NAME, then revoke this one";
            case "key_not_found" -> "orchestrion keys list --all";
            default ->
                    e.recommended().map(Advice::of).orElse("orchestrion COMMAND --help tells more");
        };
    }
}
