package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.tasks.DatabaseLine;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// What a client is told while the store fails, is slow or is away, and that nothing is left half
/// done.
@Timeout(180)
class JobsStorageTest extends JobsFixture {
    /// The lanes of the jobs door's own writes, and everything else.
    private static final List<String> PLACES =
            List.of("pool", "job-submit", "job-submit-keyed", "command");

    @AfterEach
    void disarm() {
        for (String place : PLACES) {
            failpoints().disarm(place + ".before-commit");
        }
    }

    private static Failpoints failpoints() {
        return server.kernel().failpoints();
    }

    private static void failing(RuntimeException failure) {
        for (String place : PLACES) {
            failpoints()
                    .arm(
                            place + ".before-commit",
                            () -> {
                                throw failure;
                            });
        }
    }

    private record Ask(Endpoint endpoint, Reply reply) {}

    /// Every endpoint that asks the database, with a request that would do.
    private List<Ask> everything(JobsApi api, String job) {
        var asked = new ArrayList<Ask>();
        for (Endpoint endpoint : Doors.CATALOGUE.ofDoor(JobsDoor.NAME)) {
            if (endpoint.path().startsWith("/problems") || endpoint.path().endsWith("/catalogue")) {
                continue;
            }
            String path =
                    endpoint.path()
                            .replace("{client_id}", api.client())
                            .replace("{job_id}", job)
                            .replaceAll("\\{[^/]*}", api.keyId());
            ObjectSpec request = endpoint.request();
            boolean anonymous = endpoint.path().equals("/v1/clients");
            asked.add(
                    new Ask(
                            endpoint,
                            (anonymous ? api.plain() : api.keyed())
                                    .send(
                                            endpoint.method(),
                                            path,
                                            request == null
                                                    ? null
                                                    : request.toExample()
                                                            .replace(
                                                                    "01970000-0000-7000-8000"
                                                                            + "-000000000000",
                                                                    api.keyId()))));
        }
        assertThat(asked).hasSizeGreaterThan(10);
        return asked;
    }

    private static long rows() {
        return count("job", "true")
                + count("job_definition", "true")
                + count("work", "true")
                + count("work_event", "true")
                + count("client", "true")
                + count("api_key", "true")
                + count("idempotency", "true");
    }

    /// J-062, J-072, J-076, J-080, J-105, J-111, J-119, J-126, J-131, J-133, J-236, J-237, J-238,
    /// J-312: the database fails at the end of every transaction.
    @Test
    void a_failing_database_is_told_and_leaves_nothing_behind() {
        String job = jobs.execute("SUCCESS_FAST");
        long before = rows();
        failing(new StoreException(StoreException.Kind.REJECTED, "no"));
        for (Ask ask : everything(jobs, job)) {
            assertThat(ask.reply().status()).as(ask.endpoint().name()).isEqualTo(503);
            assertThat(ask.reply().text("/code"))
                    .as(ask.endpoint().name())
                    .isEqualTo(JobsError.STORAGE_DB_ERROR.code());
            assertThat(ask.reply().header("Retry-After")).isNotEmpty();
        }
        disarm();
        assertThat(rows()).isEqualTo(before);
        assertThat(jobs.state(job)).isEqualTo("QUEUED");
    }

    /// J-062, J-072, J-076, J-080, J-099, J-131, J-133, J-311: and what nobody expected is told
    /// without a word of what it was.
    @Test
    void what_nobody_expected_is_an_internal_error() {
        String job = jobs.execute("SUCCESS_FAST");
        long before = rows();
        failing(new IllegalStateException("select secret from jdbc:postgresql"));
        for (Ask ask : everything(jobs, job)) {
            assertThat(ask.reply().status()).as(ask.endpoint().name()).isEqualTo(500);
            assertThat(ask.reply().text("/code")).isEqualTo(JobsError.INTERNAL.code());
            assertThat(ask.reply().text()).doesNotContain("secret", "jdbc:", "Exception");
        }
        disarm();
        assertThat(rows()).isEqualTo(before);
    }

    /// J-237: a failure at the very end of the submit itself, when who asks is known.
    @Test
    void a_submit_that_fails_leaves_nothing_behind() {
        for (String fields :
                List.of("\"type\":\"EXECUTE\"", "\"type\":\"EXECUTE\",\"idempotency_key\":\"k\"")) {
            long before = rows();
            for (String place : List.of("job-submit", "job-submit-keyed")) {
                failpoints()
                        .arm(
                                place + ".before-commit",
                                () -> {
                                    throw new StoreException(StoreException.Kind.REJECTED, "no");
                                });
            }
            Reply reply = jobs.submit(fields);
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.text("/code")).isEqualTo(JobsError.STORAGE_DB_ERROR.code());
            disarm();
            assertThat(rows()).isEqualTo(before);
            assertThat(jobs.submit(fields).status()).as("it works again").isEqualTo(202);
        }
    }

    /// J-239, J-313: while the store is away nothing is answered from memory.
    @Test
    void while_the_store_is_away_every_endpoint_says_so() throws Exception {
        try (var line = new DatabaseLine();
                var other = new TestServer(line::through)) {
            JobsApi api = JobsApi.of(other);
            String job = api.execute("SUCCESS_FAST");
            line.cut();
            for (Ask ask : everything(api, job)) {
                assertThat(ask.reply().status()).as(ask.endpoint().name()).isEqualTo(503);
                assertThat(ask.reply().text("/code"))
                        .as(ask.endpoint().name())
                        .isEqualTo(JobsError.STORAGE_UNAVAILABLE.code());
                assertThat(ask.reply().text()).doesNotContain("jdbc:", "127.0.0.1", job);
            }
            line.mend();
            Until.isTrue(
                    "it works again", Duration.ofSeconds(30), () -> api.get(job).status() == 200);
        }
    }

    /// J-243: no connection is free, and the caller does not wait for ever.
    @Test
    void when_no_connection_is_free_the_caller_is_told_in_time() throws Exception {
        try (var small =
                new TestServer(options -> options.withDatabase(narrow(options.database())))) {
            JobsApi api = JobsApi.of(small);
            var taken = new CountDownLatch(1);
            var enough = new CountDownLatch(1);
            Thread holder =
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            small.kernel()
                                                    .kernel()
                                                    .database()
                                                    .transaction(
                                                            tx -> {
                                                                taken.countDown();
                                                                await(enough);
                                                                return 0;
                                                            }));
            taken.await();
            try {
                long began = System.nanoTime();
                Reply reply = api.keyed().get(JobsApi.JOBS);
                assertThat(reply.status()).isEqualTo(503);
                assertThat(reply.text("/code")).isEqualTo(JobsError.REQUEST_OVERLOADED.code());
                assertThat(Duration.ofNanos(System.nanoTime() - began))
                        .isLessThan(Duration.ofSeconds(10));
            } finally {
                enough.countDown();
                holder.join();
            }
            assertThat(api.keyed().get(JobsApi.JOBS).status()).isEqualTo(200);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static DatabaseOptions narrow(DatabaseOptions wide) {
        return new DatabaseOptions(
                wide.jdbcUrl(),
                wide.user(),
                wide.password(),
                wide.schema(),
                1,
                Duration.ofMillis(300),
                wide.statementTimeout(),
                wide.transactionTimeout(),
                wide.lockTimeout(),
                wide.connectTimeout());
    }

    /// J-285, J-286: a statement that runs into its limit.
    @Test
    void a_database_that_takes_too_long_is_told_and_nothing_is_written() throws SQLException {
        long before = count("job", "true");
        try (Connection other = server.database().connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table orchestrion.job in exclusive mode");
            Reply reply = jobs.submit("\"type\":\"EXECUTE\"");
            assertThat(reply.status()).as(reply.text()).isEqualTo(503);
            assertThat(reply.text("/code")).isEqualTo(JobsError.STORAGE_DB_ERROR.code());
            other.rollback();
        }
        assertThat(count("job", "true")).isEqualTo(before);
    }

    /// J-287, J-316: a request over its time; what was given up is not done afterwards either.
    @Test
    void a_request_over_its_time_is_given_up_and_nothing_is_written() throws Exception {
        var limit = Duration.ofMinutes(5);
        try (var hurried =
                new TestServer(
                        options ->
                                options.withDatabase(
                                        options.database().withTimeouts(limit, limit, limit)),
                        options ->
                                options.withDoor(
                                        JobsSettings.DEFAULT.withRequestTime(
                                                Duration.ofMillis(300))))) {
            JobsApi api = JobsApi.of(hurried);
            try (Connection other = hurried.database().connect()) {
                other.setAutoCommit(false);
                other.createStatement().execute("lock table orchestrion.job in exclusive mode");
                // The answer comes while the statement still waits for the lock: the limits of the
                // database are minutes away, and so only the request's own time can end the call.
                Reply reply = api.submit("\"type\":\"EXECUTE\",\"work_kind\":\"SUCCESS_FAST\"");
                assertThat(reply.status()).as(reply.text()).isEqualTo(504);
                assertThat(reply.text("/code")).isEqualTo(JobsError.EXEC_TIMEOUT.code());
                other.rollback();
            }
            // The committer is through with what was given up when it has done what came after.
            String after = api.execute("SUCCESS_FAST");
            assertThat(hurried.database().<Long>value("select count(*) from job")).isEqualTo(1);
            assertThat(hurried.database().<Long>value("select count(*) from work")).isEqualTo(1);
            assertThat(api.state(after)).isEqualTo("QUEUED");
        }
    }
}
