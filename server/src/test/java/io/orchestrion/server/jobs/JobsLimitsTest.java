package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.ServerOptions;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/// How much of the door there is for one client, and for all.
@Timeout(180)
class JobsLimitsTest {
    private static JobsOptions engine(
            Set<JobType> types, int maxWaiting, int maxPayload, boolean rejectWithoutRunners) {
        JobsOptions own = JobsOptions.DEFAULT;
        return new JobsOptions(
                types,
                own.maxRetries(),
                own.backoff(),
                own.maxRuntime(),
                own.maxActive(),
                maxWaiting,
                maxPayload,
                own.fairShare(),
                rejectWithoutRunners,
                own.failureProbability(),
                own.timeScale());
    }

    private static ServerOptions limited(ServerOptions options, String limit, int max) {
        return options.withLimits(options.limits().with(Map.of(limit, max)));
    }

    private static void limited(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(429);
        assertThat(reply.text("/code")).isEqualTo(JobsError.REQUEST_RATE_LIMITED.code());
        assertThat(Integer.parseInt(reply.header("Retry-After"))).isPositive();
    }

    private static long jobs(TestServer server) {
        return server.database().<Long>value("select count(*) from job");
    }

    /// J-276, J-277, J-310, J-377, J-391, C-68: a client's requests in a minute, counted over all
    /// servers and all of its keys; another client is not held up.
    @Test
    void a_client_has_so_many_requests_a_minute_on_all_servers_together() {
        try (var server = JobsFixture.with(options -> limited(options, JobsLimits.JOBS, 20));
                var other =
                        OrchestrionServer.start(
                                server.kernel()
                                        .anotherNode(
                                                options ->
                                                        options.withOwners(List.of(Jobs.owner()))),
                                limited(TestServer.options(), JobsLimits.JOBS, 20))) {
            JobsApi api = JobsApi.of(server);
            Api elsewhere = Api.on(other.port(), new CatalogueCheck()).withKey(api.key());
            List<Reply> replies =
                    Parallel.run(
                            30,
                            i ->
                                    () ->
                                            (i % 2 == 0 ? api.keyed() : elsewhere)
                                                    .post(JobsApi.JOBS, "{\"type\":\"EXECUTE\"}"));
            assertThat(replies).filteredOn(reply -> reply.status() == 202).hasSize(20);
            replies.stream().filter(reply -> reply.status() != 202).forEach(r -> limited(r));
            assertThat(jobs(server)).as("what was refused is not there").isEqualTo(20);
            limited(elsewhere.get(JobsApi.JOBS));
            assertThat(JobsApi.of(server).submit("\"type\":\"EXECUTE\"").status()).isEqualTo(202);
            server.clock().advance(Duration.ofSeconds(61));
            assertThat(api.submit("\"type\":\"EXECUTE\"").status()).isEqualTo(202);
        }
    }

    /// J-383: one client's own number.
    @Test
    void an_operator_can_give_one_client_another_number() {
        try (var plain = new TestServer()) {
            JobsApi api = JobsApi.of(plain);
            UUID client = UUID.fromString(api.client());
            try (var other =
                    OrchestrionServer.start(
                            plain.kernel()
                                    .anotherNode(
                                            options -> options.withOwners(List.of(Jobs.owner()))),
                            TestServer.options()
                                    .withLimits(
                                            TestServer.options()
                                                    .limits()
                                                    .withClients(Map.of(client, 3))))) {
                Api there = Api.on(other.port(), new CatalogueCheck());
                Api own = there.withKey(api.key());
                for (int i = 0; i < 3; i++) {
                    assertThat(own.get(JobsApi.JOBS).status()).isEqualTo(200);
                }
                limited(own.get(JobsApi.JOBS));
                JobsApi another = JobsApi.of(there);
                for (int i = 0; i < 10; i++) {
                    assertThat(another.keyed().get(JobsApi.JOBS).status()).isEqualTo(200);
                }
            }
        }
    }

    /// J-278, J-279: a client's requests in a day.
    @Test
    void a_client_has_so_many_requests_a_day() {
        try (var server = JobsFixture.with(options -> limited(options, JobsLimits.QUOTA, 5))) {
            JobsApi api = JobsApi.of(server);
            for (int i = 0; i < 5; i++) {
                assertThat(api.submit("\"type\":\"EXECUTE\"").status()).isEqualTo(202);
            }
            limited(api.submit("\"type\":\"EXECUTE\""));
            server.clock().advance(Duration.ofHours(2));
            limited(api.submit("\"type\":\"EXECUTE\""));
            assertThat(jobs(server)).isEqualTo(5);
            server.clock().advance(Duration.ofHours(24));
            assertThat(api.submit("\"type\":\"EXECUTE\"").status()).isEqualTo(202);
        }
    }

    /// C-41: clients are made by anybody, so where they come from is counted.
    @Test
    void clients_from_one_address_are_bounded() {
        try (var server = JobsFixture.with(options -> limited(options, JobsLimits.CLIENTS, 3))) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.anonymous().post("/v1/clients").status()).isEqualTo(201);
            }
            limited(server.anonymous().post("/v1/clients"));
        }
    }

    /// J-244, J-245, J-250, J-281, J-314, J-379, J-385, J-391: a hard bound over all servers, for a
    /// retry too.
    @Test
    void a_full_queue_takes_no_more() {
        JobsSettings settings =
                JobsSettings.DEFAULT.withEngine(
                        engine(Set.of(JobType.values()), 10, 256 * 1024, false));
        try (var server = JobsFixture.with(settings);
                var other =
                        OrchestrionServer.start(
                                server.kernel()
                                        .anotherNode(
                                                options ->
                                                        options.withOwners(List.of(Jobs.owner()))),
                                TestServer.options().withDoor(settings))) {
            JobsApi api = JobsApi.of(server);
            String failing = api.execute("FAIL_IMMEDIATE");
            try (var pool = JobsFixture.runner(server, 1)) {
                api.await(failing, "FAILED");
                pool.stop(Duration.ofSeconds(10));
            }
            Api elsewhere = Api.on(other.port(), new CatalogueCheck()).withKey(api.key());
            List<Reply> replies =
                    Parallel.run(
                            16,
                            i ->
                                    () ->
                                            (i % 2 == 0 ? api.keyed() : elsewhere)
                                                    .post(JobsApi.JOBS, "{\"type\":\"EXECUTE\"}"));
            assertThat(replies).filteredOn(reply -> reply.status() == 202).hasSize(10);
            assertThat(replies)
                    .filteredOn(reply -> reply.status() != 202)
                    .allMatch(
                            reply ->
                                    reply.status() == 503
                                            && reply.text("/code")
                                                    .equals(JobsError.EXEC_QUEUE_FULL.code())
                                            && !reply.header("Retry-After").isEmpty());
            assertThat(jobs(server)).isEqualTo(11);
            Reply retry = api.verb(failing, "retry");
            assertThat(retry.status()).as(retry.text()).isEqualTo(503);
            assertThat(retry.text("/code")).isEqualTo(JobsError.EXEC_QUEUE_FULL.code());
            assertThat(api.get(failing).number("/attempt")).isEqualTo(1);
        }
    }

    /// J-246, J-247, J-315: without runners jobs wait, unless the server is told to refuse them.
    @Test
    void without_runners_jobs_wait_or_are_refused() {
        try (var server = new TestServer()) {
            JobsApi api = JobsApi.of(server);
            String id = api.execute("SUCCESS_FAST");
            server.kernel().kernel().sweepOnce("due-promoter");
            assertThat(api.state(id)).isEqualTo("QUEUED");
        }
        try (var server =
                JobsFixture.with(
                        JobsSettings.DEFAULT.withEngine(
                                engine(Set.of(JobType.values()), 100, 1024, true)))) {
            JobsApi api = JobsApi.of(server);
            Reply refused = api.submit("\"type\":\"EXECUTE\"");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text("/code")).isEqualTo(JobsError.EXEC_WORKER_UNAVAILABLE.code());
            assertThat(jobs(server)).isZero();
            // J-380 with a bound of the operator's own.
            Reply large =
                    api.submit("\"type\":\"EXECUTE\",\"payload\":\"" + "x".repeat(1030) + "\"");
            assertThat(large.status()).isEqualTo(400);
            assertThat(large.text("/errors/0/bound")).isEqualTo("1024");
        }
    }

    /// J-389.
    @Test
    void a_type_that_is_not_allowed_is_refused() {
        try (var server =
                JobsFixture.with(
                        JobsSettings.DEFAULT.withEngine(
                                engine(Set.of(JobType.EXECUTE), 100, 1024, false)))) {
            JobsApi api = JobsApi.of(server);
            Reply refused = api.submit("\"type\":\"EMIT_EVENT\"");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("/code")).isEqualTo(JobsError.JOB_VALIDATION_FAILED.code());
            assertThat(refused.text("/detail")).contains("type must be one of EXECUTE");
            assertThat(IntStream.of(api.submit("\"type\":\"EXECUTE\"").status()))
                    .containsExactly(202);
        }
    }
}
