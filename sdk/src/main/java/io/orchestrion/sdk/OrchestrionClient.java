package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;

/// A client of one server with one key. Its methods block. Any number of threads, virtual ones too,
/// may share one client. Every method throws [OrchestrionException] when the server refuses the
/// request or cannot be reached.
///
/// ```java
/// try (var client = OrchestrionClient.of(URI.create("http://127.0.0.1:8080"), key)) {
///     Task task = client.create(NewTask.ofType("hello").payload("{\"name\":\"world\"}").build());
///     System.out.println(client.get(task.id()).status());
/// }
/// ```
///
/// **What the client repeats by itself.** Within its [RetryPolicy] the client sends these requests
/// again when there was no connection, no answer, or an answer of 429 or 5xx that says that a retry
/// may help:
///
/// - reads, heartbeats, and creates, which always carry an idempotency key;
/// - completes and fails with a lease token. If an answer was lost and the next answer is 409, the
///   client reads the task. If the task ended as the caller asked, the client returns that task;
///   otherwise it throws the 409.
///
/// Register, claim, cancel and requeue are sent once: after a lost answer only the caller knows
/// whether to repeat them. If the answer to a claim is lost, the task becomes claimable again when
/// its lease runs out.
public final class OrchestrionClient implements AutoCloseable {
    private final Transport transport;

    private OrchestrionClient(Transport transport) {
        this.transport = transport;
    }

    /// A client with the usual timeouts and retries.
    public static OrchestrionClient of(URI server, String key) {
        return builder(server).key(key).build();
    }

    /// @param server such as `http://127.0.0.1:8080`; a path in it is put before the paths of the
    ///     server
    public static Builder builder(URI server) {
        return new Builder(server);
    }

    /// Builds a client.
    ///
    /// ```java
    /// var client = OrchestrionClient.builder(URI.create("http://127.0.0.1:8080"))
    ///         .key(key)
    ///         .timeout(Duration.ofSeconds(5))
    ///         .retries(RetryPolicy.none())
    ///         .build();
    /// ```
    public static final class Builder {
        private final URI server;
        private @Nullable String key;
        private Duration timeout = Duration.ofSeconds(30);
        private RetryPolicy retries = RetryPolicy.standard();
        private AnswerListener listener = (_, _, _, _) -> {};

        private Builder(URI server) {
            boolean http = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
            if (!http
                    || server.getHost() == null
                    || server.getRawUserInfo() != null
                    || server.getRawQuery() != null
                    || server.getRawFragment() != null) {
                throw new IllegalArgumentException(
                        "a server's address is like http://host:8080, not " + server);
            }
            this.server = server;
        }

        /// Without a key only [#register], [#health], the first steps of [#clients] and the list of
        /// plans work. A worker token (`mmwt_…`) or the JWT of a worker opens what a worker does at
        /// [#queue], and nothing else.
        public Builder key(String key) {
            if (!key.matches("[!-~]+")) {
                throw new IllegalArgumentException("a key has printable ASCII characters only");
            }
            this.key = key;
            return this;
        }

        /// The time limit of one try; 30 seconds unless set.
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /// How often a request that is safe to repeat is repeated; [RetryPolicy#standard] unless
        /// set.
        public Builder retries(RetryPolicy retries) {
            this.retries = retries;
            return this;
        }

        /// Receives every answer, on the thread that made the call.
        public Builder listener(AnswerListener listener) {
            this.listener = listener;
            return this;
        }

        public OrchestrionClient build() {
            return new OrchestrionClient(new Transport(server, key, timeout, retries, listener));
        }
    }

    /// Creates an account and its first key.
    ///
    /// @param name what the account is called in your own lists
    public Registration register(String name) {
        return transport.send(
                Call.post("/v1/keys/register", Json.object().put("name", name)),
                Wire::registration);
    }

    /// Manages the keys of the account.
    public Keys keys() {
        return new Keys(transport);
    }

    /// Creates the task. If the server has seen its idempotency key before, the answer is the task
    /// that was made then.
    public Task create(NewTask task) {
        ObjectNode body = Json.object().put("type", task.type());
        Json.putRaw(body, "payload", task.payload());
        if (task.priority() != null) {
            body.put("priority", task.priority());
        }
        if (task.maxAttempts() != null) {
            body.put("maxAttempts", task.maxAttempts());
        }
        if (task.leaseDuration() != null) {
            body.put("leaseDurationSeconds", task.leaseDuration().toSeconds());
        }
        if (task.scheduledAt() != null) {
            body.put("scheduledAt", task.scheduledAt().toString());
        }
        body.setAll(Json.object(task.further(), "further"));
        return transport.send(
                Call.post("/v1/tasks", body).withKey(task.idempotencyKey()), Wire::task);
    }

    /// Reads one task.
    public Task get(UUID id) {
        return transport.send(Call.get(path(id, "")), Wire::task);
    }

    /// Reads one page of tasks.
    public TaskPage list(TaskQuery query) {
        return transport.send(Call.get("/v1/tasks" + parameters(query)), Wire::page);
    }

    /// All tasks from the query's cursor on. The first page is read here, each further page when
    /// the iteration reaches it. Tasks that are created meanwhile are not included.
    public Iterable<Task> listAll(TaskQuery query) {
        TaskPage first = list(query);
        return () -> new Pages(this, query, first);
    }

    private static String parameters(TaskQuery query) {
        TaskStatus status = query.status();
        return new Parameters()
                .with("status", status == null ? null : status.word())
                .with("type", query.type())
                .with("limit", query.limit())
                .with("cursor", query.cursor())
                .with("include", query.owned() ? "owned" : null)
                .toString();
    }

    /// Claims the next task of a type, if there is one.
    ///
    /// @param workerId shown as `claimedBy`; gives no rights
    public Claim claim(String type, @Nullable String workerId) {
        return claim(type, workerId, Duration.ZERO);
    }

    /// @param wait how long the server may wait for a task, in whole seconds, at most 30
    public Claim claim(String type, @Nullable String workerId, Duration wait) {
        return transport.send(claimCall(type, workerId, wait, null), Wire::claim);
    }

    /// @param claimId names this claim: sent again by the caller, it gives the same lease
    ///     while that is live
    public Claim claim(String type, @Nullable String workerId, Duration wait, UUID claimId) {
        return transport.send(claimCall(type, workerId, wait, claimId), Wire::claim);
    }

    /// Repeats a claim whose wait was interrupted. If that claim was given a task, the answer is
    /// that task, otherwise whatever can be claimed now.
    Claim claimAgain(String type, @Nullable String workerId, UUID claimId, Duration within) {
        return transport.once(
                claimCall(type, workerId, Duration.ZERO, claimId), within, Wire::claim);
    }

    private static Call claimCall(
            String type, @Nullable String workerId, Duration wait, @Nullable UUID claimId) {
        ObjectNode body = Json.object().put("type", type);
        putIfThere(body, "workerId", workerId);
        putIfThere(body, "claimId", claimId == null ? null : claimId.toString());
        if (wait.toSeconds() > 0) {
            body.put("waitSeconds", wait.toSeconds());
        }
        return Call.post("/v1/tasks/claim", body).waiting(wait);
    }

    /// Claims this very task.
    public ClaimedTask claim(UUID id, @Nullable String workerId) {
        return claim(id, workerId, null);
    }

    /// @param claimId names this claim, as above; null for none
    public ClaimedTask claim(UUID id, @Nullable String workerId, @Nullable UUID claimId) {
        ObjectNode body = Json.object();
        putIfThere(body, "workerId", workerId);
        putIfThere(body, "claimId", claimId == null ? null : claimId.toString());
        return transport.send(Call.post(path(id, "/claim"), body), OrchestrionClient::taken);
    }

    private static ClaimedTask taken(JsonNode answer) {
        return Wire.claim(answer)
                .taken()
                .orElseThrow(() -> new IllegalArgumentException("the answer lacks the task"));
    }

    /// Renews the lease.
    public Task heartbeat(ClaimedTask claimed) {
        return heartbeat(claimed.id(), claimed.leaseToken());
    }

    /// @param leaseToken null to speak for whichever lease the task is under
    public Task heartbeat(UUID id, @Nullable UUID leaseToken) {
        Call call = Call.post(path(id, "/heartbeat"), withToken(leaseToken));
        return transport.send(call.repeated(true), Wire::task);
    }

    /// Renews the lease, and returns also what the server asks of the holder.
    ///
    /// @param leaseToken null to speak for whichever lease the task is under
    public Renewal renew(UUID id, @Nullable UUID leaseToken) {
        Call call = Call.post(path(id, "/heartbeat"), withToken(leaseToken));
        return transport.send(call.repeated(true), Wire::renewal);
    }

    /// For the worker, which decides itself when to try again.
    Renewal heartbeatOnce(ClaimedTask claimed, Duration within) {
        Call call = Call.post(path(claimed.id(), "/heartbeat"), withToken(claimed.leaseToken()));
        return transport.once(call, within, Wire::renewal);
    }

    /// Completes the task.
    ///
    /// @param result JSON text of an object, or null
    public Task complete(ClaimedTask claimed, @Nullable String result) {
        return complete(claimed.id(), claimed.leaseToken(), result, null);
    }

    /// @param leaseToken null to speak for whichever lease the task is under
    /// @param outputId a reference to something kept elsewhere, or null
    public Task complete(
            UUID id,
            @Nullable UUID leaseToken,
            @Nullable String result,
            @Nullable String outputId) {
        return complete(id, leaseToken, result, outputId, TaskReport.NOTHING);
    }

    /// @param result JSON text of an object, or null
    /// @param report what else there is to say of the attempt
    public Task complete(ClaimedTask claimed, @Nullable String result, TaskReport report) {
        return complete(claimed.id(), claimed.leaseToken(), result, null, report);
    }

    /// @param leaseToken null to speak for whichever lease the task is under
    /// @param outputId a reference to something kept elsewhere, or null
    /// @param report what else there is to say of the attempt
    public Task complete(
            UUID id,
            @Nullable UUID leaseToken,
            @Nullable String result,
            @Nullable String outputId,
            TaskReport report) {
        ObjectNode body = withToken(leaseToken);
        if (result != null) {
            Json.putRaw(body, "result", result);
        }
        putIfThere(body, "outputId", outputId);
        report.addTo(body);
        JsonNode ours = Json.tree(result);
        return settle(
                Call.post(path(id, "/complete"), body).repeated(leaseToken != null),
                id,
                now ->
                        now.status() == TaskStatus.COMPLETED
                                && Json.same(now.resultJson(), ours)
                                && Objects.equals(now.outputId(), outputId));
    }

    /// Reports a failure. The task can be claimed again, or is dead-lettered when its attempts are
    /// used up.
    ///
    /// @param reason at most 500 characters
    public Task fail(ClaimedTask claimed, String reason) {
        return fail(claimed.id(), claimed.leaseToken(), reason, null);
    }

    /// @param leaseToken null to speak for whichever lease the task is under
    /// @param reason at most 500 characters, or null
    /// @param retryAfter not claimable again before, one second to a day, or null
    public Task fail(
            UUID id,
            @Nullable UUID leaseToken,
            @Nullable String reason,
            @Nullable Duration retryAfter) {
        return fail(id, leaseToken, reason, retryAfter, TaskReport.NOTHING);
    }

    /// Reports a failure with an error for programs. The message of the error is the reason.
    public Task fail(ClaimedTask claimed, TaskReport report) {
        return fail(claimed.id(), claimed.leaseToken(), null, null, report);
    }

    /// @param leaseToken null to speak for whichever lease the task is under
    /// @param reason at most 500 characters; null for the message of the report's error
    /// @param retryAfter not claimable again before, one second to a day; null for what the error
    ///     asks for
    public Task fail(
            UUID id,
            @Nullable UUID leaseToken,
            @Nullable String reason,
            @Nullable Duration retryAfter,
            TaskReport report) {
        ObjectNode body = withToken(leaseToken);
        putIfThere(body, "lastFailureReason", reason);
        if (retryAfter != null) {
            body.put("retry_after_seconds", retryAfter.toSeconds());
        }
        report.addTo(body);
        TaskReport.ReportedError error = report.error();
        String kept = reason != null || error == null ? reason : error.message();
        return settle(
                Call.post(path(id, "/fail"), body).repeated(leaseToken != null),
                id,
                now -> now.lastFailedAt() != null && Objects.equals(now.lastFailureReason(), kept));
    }

    private Task settle(Call call, UUID id, Predicate<Task> asWeAsked) {
        return transport.settle(call, Wire::task, () -> get(id), asWeAsked);
    }

    /// Cancels a task that nobody holds.
    public Task cancel(UUID id) {
        return transport.send(Call.post(path(id, "/cancel"), Json.object()), Wire::task);
    }

    /// Cancels a task even if a worker holds it. Every later call of that worker for the task is
    /// refused.
    public Task forceCancel(UUID id) {
        return transport.send(
                Call.post(path(id, "/cancel"), Json.object().put("force", true)), Wire::task);
    }

    /// Releases a task that is held because a task that it depends on has failed.
    public Task release(UUID id) {
        return transport.send(Call.post(path(id, "/release"), Json.object()), Wire::task);
    }

    /// Puts a dead-lettered task back in line.
    public Task requeue(UUID id) {
        return transport.send(Call.post(path(id, "/requeue"), Json.object()), Wire::task);
    }

    /// Asks once how the server is. An unhealthy server is an answer, not an exception.
    public Health health() {
        return transport.send(Call.get("/health").repeated(false).accepting(503), Wire::health);
    }

    /// Creates, claims and ends many tasks in one request.
    public Batches batches() {
        return new Batches(transport);
    }

    /// The log of what happens to the account's tasks.
    public Events events() {
        return new Events(transport);
    }

    /// Registers, limits and pauses types of tasks.
    public TaskTypes types() {
        return new TaskTypes(transport);
    }

    /// Manages schedules, which create tasks repeatedly.
    public Schedules schedules() {
        return new Schedules(transport);
    }

    /// Cancels, requeues and purges tasks by filter.
    public Operations operations() {
        return new Operations(transport);
    }

    /// Who did what to the account.
    public AuditLog audit() {
        return new AuditLog(transport);
    }

    /// The server's descriptions of itself and of its interface.
    public Documents documents() {
        return new Documents(transport);
    }

    /// The jobs of the queue, for producers and for workers.
    public JobQueue queue() {
        return new JobQueue(transport);
    }

    /// Jobs that the server's own runners execute.
    public Jobs jobs() {
        return new Jobs(transport);
    }

    /// Orchestrations: definitions of steps, their executions, and what asks for a person.
    public Orchestrations orchestrations() {
        return new Orchestrations(transport);
    }

    /// Runs: what agents do for a task, within a budget.
    public Runs runs() {
        return new Runs(transport);
    }

    /// What runs cost, and what the account has for them.
    public Credits credits() {
        return new Credits(transport);
    }

    /// Manages webhooks, which receive what happens to jobs and tasks.
    public Webhooks webhooks() {
        return new Webhooks(transport);
    }

    /// Accounts and keys in the terms of `/v1/clients`.
    public Clients clients() {
        return new Clients(transport);
    }

    /// Manages the tokens of the account's workers.
    public WorkerTokens workerTokens() {
        return new WorkerTokens(transport);
    }

    /// Plans, purchases and the usage of the account.
    public Billing billing() {
        return new Billing(transport);
    }

    private static String path(UUID id, String verb) {
        return "/v1/tasks/" + id + verb;
    }

    private static ObjectNode withToken(@Nullable UUID leaseToken) {
        ObjectNode body = Json.object();
        putIfThere(body, "leaseToken", leaseToken == null ? null : leaseToken.toString());
        return body;
    }

    static void putIfThere(ObjectNode into, String name, @Nullable String text) {
        if (text != null) {
            into.put(name, text);
        }
    }

    /// Waits for the requests that are under way.
    @Override
    public void close() {
        transport.close();
    }
}
