package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// J-099, J-394: each category of failures that the contract lists, brought about once in one run.
@Timeout(180)
class FailureCategoriesTest {
    private static final int REQUESTS = 300;

    private static void told(Reply reply, JobsError error) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(error.status());
        assertThat(reply.text("/code")).isEqualTo(error.code());
    }

    private static JobsSettings small() {
        JobsOptions own = JobsOptions.DEFAULT;
        return JobsSettings.DEFAULT.withEngine(
                new JobsOptions(
                        own.types(),
                        0,
                        own.backoff(),
                        own.maxRuntime(),
                        own.maxActive(),
                        2,
                        own.maxPayloadBytes(),
                        own.fairShare(),
                        false,
                        own.failureProbability(),
                        own.timeScale()));
    }

    @Test
    void every_category_of_failures_is_met_and_told() {
        try (var server =
                JobsFixture.with(
                        options ->
                                options.withDoor(small())
                                        .withLimits(
                                                options.limits()
                                                        .with(
                                                                Map.of(
                                                                        JobsLimits.JOBS,
                                                                        REQUESTS))))) {
            JobsApi api = JobsApi.of(server);
            auth(api);
            input(api);
            storage(server, api);
            execution(server, api);
            queue(api);
            limits(api);
        }
    }

    private static void auth(JobsApi api) {
        told(api.plain().get(JobsApi.JOBS), JobsError.AUTH_INVALID_CREDENTIALS);
    }

    private static void input(JobsApi api) {
        told(api.submit("\"work_kind\":\"SUCCESS_FAST\""), JobsError.REQUEST_MALFORMED);
        told(api.submit("\"type\":\"RUN\""), JobsError.JOB_VALIDATION_FAILED);
        // Webhooks: J-270, an address that nothing could be delivered to.
        told(
                api.submit("\"type\":\"EXECUTE\",\"callback\":\"ftp://example.com\""),
                JobsError.JOB_VALIDATION_FAILED);
    }

    private static void storage(TestServer server, JobsApi api) {
        String place = "job-submit.before-commit";
        server.kernel()
                .failpoints()
                .arm(
                        place,
                        () -> {
                            throw new StoreException(StoreException.Kind.NO_ROOM, "full");
                        });
        told(api.submit("\"type\":\"EXECUTE\""), JobsError.STORAGE_DB_ERROR);
        server.kernel().failpoints().disarm(place);
    }

    /// Execution, state and time-outs.
    private static void execution(TestServer server, JobsApi api) {
        String failing = api.execute("FAIL_IMMEDIATE");
        String late = api.execute("RUNS_OVER_TIMEOUT");
        try (var pool = JobsFixture.runner(server, 2)) {
            api.await(failing, "FAILED");
            api.await(late, "FAILED");
            pool.stop(Duration.ofSeconds(10));
        }
        assertThat(api.report(failing).text("/reason")).isEqualTo("SIMULATED_FAILURE");
        assertThat(api.report(late).text("/reason")).isEqualTo(JobsError.EXEC_TIMEOUT.code());
        told(api.verb(failing, "retry"), JobsError.JOB_CONFLICT);
        assertThat(api.verb(failing, "cancel").text("/state")).isEqualTo("FAILED");
    }

    private static void queue(JobsApi api) {
        for (String kind : List.of("SUCCESS_FAST", "SUCCESS_SLOW")) {
            api.execute(kind);
        }
        told(api.submit("\"type\":\"EXECUTE\""), JobsError.EXEC_QUEUE_FULL);
    }

    private static void limits(JobsApi api) {
        Reply last = api.keyed().get(JobsApi.JOBS);
        for (int i = 0; i < REQUESTS && last.status() == 200; i++) {
            last = api.keyed().get(JobsApi.JOBS);
        }
        told(last, JobsError.REQUEST_RATE_LIMITED);
    }
}
