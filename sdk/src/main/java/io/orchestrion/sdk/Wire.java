package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Reads answers into records. Unknown fields are ignored; a missing or malformed field is an
/// [IllegalArgumentException].
final class Wire {
    private static final long IDLE_WAIT_SECONDS = 5;

    private Wire() {}

    /// From an answer with a `task`.
    static Task task(JsonNode answer) {
        return task(answer.path("task"), contract(answer));
    }

    private static Task task(JsonNode task, AgentContract contract) {
        return new Task(
                UUID.fromString(text(task, "id")),
                text(task, "type"),
                TaskStatus.of(text(task, "status")),
                (int) number(task, "priority"),
                (int) number(task, "attemptCount"),
                (int) number(task, "maxAttempts"),
                leaseOf(task),
                instantOrNull(task, "scheduledAt"),
                textOrNull(task, "claimedBy"),
                instantOrNull(task, "claimedAt"),
                instantOrNull(task, "leaseExpiresAt"),
                instantOrNull(task, "lastHeartbeatAt"),
                Instant.parse(text(task, "createdAt")),
                Instant.parse(text(task, "updatedAt")),
                instantOrNull(task, "completedAt"),
                instantOrNull(task, "lastFailedAt"),
                textOrNull(task, "lastFailureReason"),
                jsonOrNull(task, "payload"),
                jsonOrNull(task, "result"),
                textOrNull(task, "outputId"),
                textOrNull(task, "correlationId"),
                instantOrNull(task, "giveUpAt"),
                reported(task),
                contract);
    }

    private static TaskReport reported(JsonNode task) {
        JsonNode error = task.path("lastError");
        String usage = jsonOrNull(task, "usage");
        String logsRef = textOrNull(task, "logsRef");
        if (!error.isObject()) {
            return usage == null && logsRef == null
                    ? TaskReport.NOTHING
                    : new TaskReport(null, usage, logsRef);
        }
        Long status = numberOrNull(error, "http_status");
        Long wait = numberOrNull(error, "retry_after_seconds");
        return new TaskReport(
                new TaskReport.ReportedError(
                        text(error, "code"),
                        status == null ? null : Math.toIntExact(status),
                        text(error, "message"),
                        wait == null ? null : Duration.ofSeconds(wait),
                        error.has("partial_side_effect")
                                ? error.path("partial_side_effect").booleanValue(false)
                                : null),
                usage,
                logsRef);
    }

    /// From the answer to a heartbeat.
    static Renewal renewal(JsonNode answer) {
        JsonNode told = answer.path("directives");
        return new Renewal(
                task(answer),
                new Directives(
                        told.path("pause_requested").booleanValue(false),
                        told.path("cancel_requested").booleanValue(false),
                        instantOrNull(told, "deadline_at")));
    }

    static TaskPage page(JsonNode answer) {
        var tasks = new ArrayList<Task>();
        for (JsonNode task : answer.path("tasks").values()) {
            tasks.add(task(task, contract(task)));
        }
        return new TaskPage(tasks, textOrNull(answer, "nextCursor"));
    }

    static Claim claim(JsonNode answer) {
        if (!answer.has("task")) {
            throw new IllegalArgumentException("an answer to a claim has a task");
        }
        AgentContract contract = contract(answer);
        if (answer.path("task").isNull()) {
            return new NothingToClaim(
                    Duration.ofSeconds(contract.retryAfterSeconds().orElse(IDLE_WAIT_SECONDS)));
        }
        Task task = task(answer);
        Long heartbeat = contract.heartbeatSeconds();
        return new ClaimedTask(
                task,
                UUID.fromString(text(answer, "leaseToken")),
                heartbeat == null
                        ? task.leaseDuration().dividedBy(3)
                        : Duration.ofSeconds(Math.max(1, heartbeat)));
    }

    static List<ClaimedTask> claims(JsonNode answer) {
        return QueueWire.each(
                answer,
                "claims",
                claim ->
                        new ClaimedTask(
                                task(claim.path("task"), contract(claim.path("task"))),
                                UUID.fromString(text(claim, "leaseToken")),
                                leaseOf(claim.path("task")).dividedBy(3)));
    }

    private static Duration leaseOf(JsonNode task) {
        return Duration.ofSeconds(number(task, "leaseDurationSeconds"));
    }

    static Registration registration(JsonNode answer) {
        return new Registration(
                text(answer, "apiKey"),
                UUID.fromString(text(answer, "accountId")),
                UUID.fromString(text(answer, "keyId")),
                text(answer, "plan"),
                Instant.parse(text(answer, "createdAt")));
    }

    static CreatedKey createdKey(JsonNode answer) {
        return new CreatedKey(text(answer, "apiKey"), key(answer));
    }

    /// From an answer with a `key`.
    static Key key(JsonNode answer) {
        return keyItself(answer.path("key"));
    }

    static KeyPage keyPage(JsonNode answer) {
        var keys = new ArrayList<Key>();
        for (JsonNode key : answer.path("keys").values()) {
            keys.add(keyItself(key));
        }
        return new KeyPage(keys, textOrNull(answer, "nextCursor"));
    }

    private static Key keyItself(JsonNode key) {
        var scopes = new ArrayList<Scope>();
        for (JsonNode scope : key.path("scopes").values()) {
            scopes.add(Scope.of(scope.stringValue("")));
        }
        return new Key(
                UUID.fromString(text(key, "id")),
                text(key, "name"),
                scopes,
                text(key, "status"),
                key.path("current").booleanValue(false),
                Instant.parse(text(key, "createdAt")),
                instantOrNull(key, "expiresAt"),
                instantOrNull(key, "revokedAt"),
                instantOrNull(key, "lastUsedAt"));
    }

    static Health health(JsonNode answer) {
        var jobs = new ArrayList<Health.Job>();
        for (JsonNode job : answer.path("jobs").values()) {
            jobs.add(
                    new Health.Job(
                            text(job, "name"),
                            job.path("healthy").booleanValue(false),
                            job.path("ran").booleanValue(false),
                            number(job, "seconds_since_last_run"),
                            textOrNull(job, "last_error")));
        }
        return new Health(text(answer, "status"), text(answer, "version"), jobs);
    }

    /// @param retryAfter the header of the answer
    static OrchestrionException error(int status, JsonNode answer, @Nullable Long retryAfter) {
        if (answer.has("code")) {
            return QueueWire.problem(status, answer, retryAfter);
        }
        AgentContract contract = contract(answer);
        return new OrchestrionException(
                text(answer, "error"),
                status,
                text(answer, "message"),
                textOrNull(answer, "request_id"),
                contract.retryable(),
                contract.nextActions(),
                null);
    }

    private static AgentContract contract(JsonNode answer) {
        JsonNode contract = answer.path("agent_contract");
        return new AgentContract(
                contract.path("retryable").booleanValue(false),
                actions(contract.path("next_actions")),
                numberOrNull(contract, "lease_expires_in_seconds"),
                numberOrNull(contract, "recommended_heartbeat_interval_seconds"));
    }

    private static List<NextAction> actions(JsonNode list) {
        var actions = new ArrayList<NextAction>();
        for (JsonNode action : list.values()) {
            actions.add(
                    new NextAction(
                            text(action, "action"),
                            action.path("available").booleanValue(false),
                            action.path("recommended").booleanValue(false),
                            textOrNull(action, "method"),
                            textOrNull(action, "endpoint"),
                            numberOrNull(action, "retry_after_seconds")));
        }
        return actions;
    }

    static String text(JsonNode from, String name) {
        String text = textOrNull(from, name);
        if (text == null) {
            throw new IllegalArgumentException("the answer lacks the text " + name);
        }
        return text;
    }

    static @Nullable String textOrNull(JsonNode from, String name) {
        return from.path(name).stringValueOpt().orElse(null);
    }

    static long number(JsonNode from, String name) {
        Long number = numberOrNull(from, name);
        if (number == null) {
            throw new IllegalArgumentException("the answer lacks the number " + name);
        }
        return number;
    }

    static @Nullable Long numberOrNull(JsonNode from, String name) {
        JsonNode number = from.path(name);
        return number.isIntegralNumber() ? number.longValue() : null;
    }

    static Instant instant(JsonNode from, String name) {
        return Instant.parse(text(from, name));
    }

    static @Nullable Instant instantOrNull(JsonNode from, String name) {
        String text = textOrNull(from, name);
        return text == null ? null : Instant.parse(text);
    }

    static @Nullable UUID idOrNull(JsonNode from, String name) {
        String text = textOrNull(from, name);
        return text == null ? null : UUID.fromString(text);
    }

    static @Nullable String jsonOrNull(JsonNode from, String name) {
        JsonNode json = from.path(name);
        return json.isMissingNode() || json.isNull() ? null : Json.text(json);
    }
}
