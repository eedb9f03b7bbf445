package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The door's own answers: problem documents throughout, for what no handler is asked about as
/// well, and nothing of another door.
class QueueRoutesTest extends QueueFixture {
    private static final String NOBODY = "01970000-0000-7000-8000-000000000000";

    static Stream<Endpoint> endpoints() {
        return Doors.CATALOGUE.ofDoor(QueueEndpoints.DOOR).stream();
    }

    /// C-30, C-56: every error is a problem document, whatever the client says it accepts.
    @Test
    void an_error_is_a_problem_document() {
        Reply reply = queue.keyed().with("Accept", "application/json").get(QueueApi.JOBS + "/x");
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.text("/type")).isEqualTo("urn:orchestrion:problem:queue_job_not_found");
        assertThat(reply.text("/title")).isEqualTo("No such job");
        assertThat(reply.number("/status")).isEqualTo(404);
        assertThat(reply.text("/detail")).isEqualTo("This account has no such job.");
        assertThat(reply.text("/instance"))
                .isEqualTo("urn:orchestrion:request:" + reply.header("X-Request-Id"));
        assertThat(reply.text("/code")).isEqualTo("queue_job_not_found");
        assertThat(reply.at("/retryable").asBoolean()).isFalse();
    }

    /// Codes are unique and of the door.
    @Test
    void every_code_is_there_once_and_says_whose_it_is() {
        var codes = new HashSet<String>();
        for (QueueError error : QueueError.values()) {
            assertThat(error.code()).startsWith("queue_");
            assertThat(codes.add(error.code())).isTrue();
            assertThat(error.title()).isNotBlank();
            assertThat(error.meaning()).endsWith(".");
        }
    }

    /// Each door answers its own unknown paths in its own form.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/queue",
                "/api/queue/",
                "/api/queue/nothing",
                "/api/queue/jobs/x/nothing",
                "/api/queue/jobs/x/events/y",
                "/api/queue/jobs/",
                "/api/queue/workers",
                "/api/queue/jobs/a%2Fb"
            })
    void an_unknown_path_of_the_door_is_a_problem(String path) {
        Reply reply = queue.keyed().get(path);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text("/code")).isIn("queue_not_found", "queue_job_not_found");
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/api/queues", "/api/other", "/v1/queue"})
    void what_only_looks_like_the_door_is_not_its_own(String path) {
        Reply reply = queue.keyed().get(path);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.error()).isEqualTo("not_found");
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    DELETE | /api/queue/jobs               | GET, HEAD, POST
                    PUT    | /api/queue/jobs/x             | GET, HEAD
                    GET    | /api/queue/jobs/claim         | POST
                    GET    | /api/queue/jobs/x/complete    | POST
                    GET    | /api/queue/dead-letters/requeue | POST
                    POST   | /api/queue/dead-letters       | GET, HEAD
                    """)
    void a_wrong_method_is_answered_with_those_that_are_right(
            String method, String path, String allowed) {
        Reply reply = queue.keyed().send(method, path, "{}");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.header("Allow")).isEqualTo(allowed);
        assertThat(reply.text("/code")).isEqualTo("queue_method_not_allowed");
        assertThat(reply.text("/detail")).contains(allowed);
    }

    /// Q-003 at every endpoint: nobody gets further without a credential.
    @ParameterizedTest
    @MethodSource("endpoints")
    void without_a_credential_nothing_is_served(Endpoint endpoint) {
        Reply reply =
                queue.plain()
                        .send(
                                endpoint.method(),
                                endpoint.path().replaceAll("\\{[^/]*}", NOBODY),
                                endpoint.request() == null ? null : "{}");
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.text("/code")).isEqualTo("queue_no_credential");
    }

    /// Q-089 at every endpoint: a worker token opens the worker verbs and nothing else.
    @ParameterizedTest
    @MethodSource("endpoints")
    void a_worker_token_opens_the_verbs_of_workers_only(Endpoint endpoint) {
        Set<String> verbs =
                Set.of(
                        "claimQueueJob",
                        "heartbeatQueueJob",
                        "completeQueueJob",
                        "failQueueJob",
                        "appendQueueJobEvent");
        Reply reply =
                queue.worker("w")
                        .api()
                        .send(
                                endpoint.method(),
                                endpoint.path().replaceAll("\\{[^/]*}", NOBODY),
                                endpoint.request() == null ? null : "{}");
        assertThat(reply.status()).isEqualTo(verbs.contains(endpoint.name()) ? 400 : 403);
    }

    /// A body that no endpoint would take is refused by each in the door's form.
    @ParameterizedTest
    @MethodSource("endpoints")
    void a_malformed_body_is_a_problem_everywhere(Endpoint endpoint) {
        if (endpoint.request() == null) {
            return;
        }
        String path = endpoint.path().replaceAll("\\{[^/]*}", NOBODY);
        for (String body : List.of("{", "[]", "\"x\"", "{\"a\":1}x", "{\"surprise\":1}")) {
            Reply reply = queue.keyed().send(endpoint.method(), path, body);
            assertThat(reply.status()).as(endpoint.name() + " " + body).isEqualTo(400);
            assertThat(reply.text("/code")).isEqualTo("queue_invalid_request");
        }
        assertThat(
                        queue.keyed()
                                .with("Content-Type", "application/xml")
                                .send(endpoint.method(), path, "{}")
                                .status())
                .isEqualTo(415);
    }

    /// A key or token in an address is taken for leaked.
    @ParameterizedTest
    @ValueSource(strings = {"?token=x", "?api_key=y", "?limit=1&key=z"})
    void a_credential_in_the_address_is_refused(String query) {
        Reply reply = queue.keyed().get(QueueApi.JOBS + query);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/detail")).contains("address");
    }

    /// What is stored is shown to others.
    @Test
    void an_api_key_in_a_body_is_refused() {
        Reply reply =
                queue.keyed()
                        .post(
                                QueueApi.JOBS,
                                "{\"type\":\"t\",\"payload\":{\"k\":\"%s\"}}"
                                        .formatted(queue.key()));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).doesNotContain(queue.key());
    }

    /// the same for the jobs door, both ways.
    @Test
    void jobs_of_the_two_doors_do_not_know_each_other() {
        String mine = queue.enqueue("t");
        String theirs = queue.keyed().post("/v1/jobs", "{\"type\":\"EXECUTE\"}").text("/job_id");
        assertThat(theirs).isNotEmpty();
        String task =
                queue.keyed().post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}").text("/task/id");
        for (String id : List.of(mine, task)) {
            String job = "/v1/jobs/" + id;
            for (Reply reply :
                    List.of(
                            queue.keyed().get(job),
                            queue.keyed().get(job + "/report"),
                            queue.keyed().post(job + "/cancel"),
                            queue.keyed().post(job + "/retry"),
                            queue.keyed().send("DELETE", job, null))) {
                assertThat(reply.status()).as(reply.text()).isEqualTo(404);
                assertThat(reply.text("/code")).isEqualTo("RFA_JOB_NOT_FOUND");
            }
        }
        QueueApi.Worker worker = queue.keyWorker("w");
        for (Reply reply :
                List.of(
                        queue.get(theirs),
                        queue.events(theirs, ""),
                        queue.verb(theirs, "cancel"),
                        queue.verb(theirs, "requeue"),
                        worker.heartbeat(theirs, 60),
                        worker.complete(theirs),
                        worker.fail(theirs, true),
                        worker.say(theirs, "m"))) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(404);
            assertThat(reply.text("/code")).isEqualTo("queue_job_not_found");
        }
        assertThat(queue.keyed().get("/v1/tasks/" + theirs).error()).isEqualTo("task_not_found");
        assertThat(worker.claimed()).isEqualTo(mine);
        assertThat(worker.claimed()).isEmpty();
        assertThat(queue.keyed().get("/v1/jobs/" + theirs).text("/state")).isEqualTo("QUEUED");
    }

    /// an id of one door is unknown at the other, under every verb.
    @Test
    void jobs_and_tasks_do_not_know_each_other() {
        String job = queue.enqueue("t");
        String task =
                queue.keyed().post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}").text("/task/id");
        for (String verb :
                List.of("", "/claim", "/heartbeat", "/complete", "/fail", "/cancel", "/requeue")) {
            Reply reply =
                    verb.isEmpty()
                            ? queue.keyed().get("/v1/tasks/" + job)
                            : queue.keyed().post("/v1/tasks/" + job + verb, "{}");
            assertThat(reply.status()).as(verb).isEqualTo(404);
            assertThat(reply.error()).isEqualTo("task_not_found");
        }
        assertThat(queue.get(task).status()).isEqualTo(404);
        assertThat(queue.verb(task, "cancel").status()).isEqualTo(404);
        assertThat(queue.verb(task, "requeue").status()).isEqualTo(404);
        QueueApi.Worker worker = queue.keyWorker("w");
        assertThat(worker.complete(task).status()).isEqualTo(404);
        assertThat(worker.fail(task, true).status()).isEqualTo(404);
        assertThat(worker.heartbeat(task, 60).status()).isEqualTo(404);
        assertThat(worker.say(task, "m").status()).isEqualTo(404);
        // Nor does a claim of one find work of the other.
        assertThat(queue.keyed().post("/v1/tasks/claim", "{\"type\":\"t\"}").text("/task/id"))
                .isEqualTo(task);
        assertThat(queue.keyed().post("/v1/tasks/claim", "{\"type\":\"t\"}").at("/task").isNull())
                .isTrue();
        assertThat(worker.claimed()).isEqualTo(job);
        assertThat(worker.claimed()).isEmpty();
        assertThat(queue.keyed().get("/v1/tasks").at("/tasks")).hasSize(1);
        assertThat(queue.keyed().get(QueueApi.JOBS).at("/items")).hasSize(1);
    }

    /// Another account's jobs are not there, under any verb.
    @Test
    void jobs_belong_to_their_account() {
        String id = queue.enqueue("t");
        QueueApi other = QueueApi.of(server);
        assertThat(other.get(id).status()).isEqualTo(404);
        assertThat(other.verb(id, "cancel").status()).isEqualTo(404);
        assertThat(other.worker("w").claimed()).isEmpty();
        assertThat(other.worker("w").complete(id).status()).isEqualTo(404);
        assertThat(queue.status(id)).isEqualTo("queued");
    }
}
