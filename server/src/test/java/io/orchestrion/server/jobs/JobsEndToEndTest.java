package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The door as a whole: everything that a client does, and what an operator can set wrong.
@Timeout(180)
class JobsEndToEndTest {

    /// J-001, J-003, J-323, J-392: from nothing to a report, over HTTP alone.
    @Test
    void a_client_goes_all_the_way() {
        try (var server = new TestServer()) {
            server.kernel().kernel().start();
            JobsApi api = JobsApi.of(server);
            try (var pool = JobsFixture.runner(server, 2)) {
                String done = api.execute("SUCCESS_FAST");
                api.await(done, "SUCCEEDED");
                String broken = api.execute("RETRY_ON_FAIL");
                api.await(broken, "FAILED");
                assertThat(api.verb(broken, "retry").number("/attempt")).isEqualTo(2);
                api.await(broken, "SUCCEEDED");
                String later =
                        api.submitted(
                                "\"type\":\"DEFERRED\",\"execution_at\":\"2033-01-01T00:00:00Z\"");
                assertThat(api.verb(later, "cancel").text("/state")).isEqualTo("CANCELED");
                Set<String> outcomes = new HashSet<>();
                for (JsonNode job : api.keyed().get(JobsApi.JOBS).at("/jobs")) {
                    String id = job.get("job_id").asString();
                    outcomes.add(id + " " + job.get("outcome").asString());
                    Reply report = api.report(id);
                    assertThat(report.status()).isEqualTo(200);
                    assertThat(report.text("/outcome")).isEqualTo(job.get("outcome").asString());
                }
                assertThat(outcomes)
                        .containsExactlyInAnyOrder(
                                done + " SUCCESS", broken + " SUCCESS", later + " CANCELED");
                assertThat(pool.name()).isEqualTo("test");
            }
        }
    }

    /// J-318, C-44: the server starts, the jobs door does nothing and says why, the others work.
    @Test
    void an_invalid_setting_shuts_this_door_and_no_other() throws Exception {
        Settings settings = Doors.SETTINGS.of(Map.of(JobsSetting.JOBS_MAX_RETRIES, "many"));
        assertThat(settings.warnings()).anyMatch(line -> line.contains("jobs-max-retries"));
        JobsSettings read = JobsSetting.read(settings);
        assertThat(read.runner().places()).isZero();
        try (var server = JobsFixture.with(read)) {
            var account = server.account();
            for (Endpoint endpoint : Doors.CATALOGUE.ofDoor(JobsDoor.NAME)) {
                Reply reply =
                        account.api()
                                .send(
                                        endpoint.method(),
                                        endpoint.path().replaceAll("\\{[^/]*}", "RFA_INTERNAL"),
                                        endpoint.request() == null ? null : "{}");
                if (endpoint.path().startsWith("/problems")) {
                    assertThat(reply.status()).isEqualTo(200);
                    continue;
                }
                assertThat(reply.status()).as(endpoint.name()).isEqualTo(503);
                assertThat(reply.text("/code")).isEqualTo(JobsError.CONFIG_INVALID.code());
                assertThat(reply.text("/detail"))
                        .contains("jobs-max-retries must be a whole number from 0 to 100");
            }
            assertThat(account.create("t")).isNotEmpty();
            assertThat(account.api().get("/api/queue/jobs").status()).isEqualTo(200);
            // Whoever puts traffic on nodes that are ready keeps to those that are set right.
            Reply ready = account.api().get("/ready");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.at("/reasons/0").asString()).isEqualTo("jobs_settings_invalid");
        }
    }

    /// J-197, J-200, J-318, J-384..J-390: each setting has its bounds, and says them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    JOBS_TYPES | EXECUTE,RUN | any of EXECUTE, DEFERRED, EMIT_EVENT
                    JOBS_TIME_SCALE | 2 | from 0.0001 to 1
                    JOBS_FAILURE_PROBABILITY | -1 | from 0 to 1
                    JOBS_MAX_ACTIVE | 0 | from 1 to 100000
                    JOBS_MAX_QUEUED | x | from 1 to 10000000
                    JOBS_PAYLOAD_BYTES | 9999999 | from 2 to 262144
                    JOBS_MAX_RUNTIME_SECONDS | 0 | from 1 to 86400
                    JOBS_CLIENT_LIMITS | me=5 | client=number
                    JOBS_BACKOFF_BASE_MILLIS | 100000 | jobs-backoff-max-millis must not be less
                    WEBHOOKS_BACKOFF_MAX_MILLIS | 10 | webhooks-backoff-max-millis must not be less
                    WEBHOOKS_BREAKER_SECONDS | 3600 | breaker-max-seconds must not be less
                    """)
    void a_setting_out_of_its_bounds_is_told(String name, String value, String told)
            throws Exception {
        Setting setting =
                Doors.SETTINGS.all().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        Settings settings = Doors.SETTINGS.of(Map.of(setting, value));
        assertThat(JobsSetting.read(settings).fault()).contains(told);
        assertThat(settings.warnings()).anyMatch(line -> line.contains(told));
        assertThat(JobsSetting.read(settings).runner().places())
                .as("a shut door's runners")
                .isZero();
    }

    /// J-390: and within them it counts.
    @Test
    void settings_reach_the_engine() throws Exception {
        JobsSettings settings =
                JobsSetting.read(
                        Doors.SETTINGS.of(
                                Map.of(
                                        JobsSetting.JOBS_MAX_RETRIES, "1",
                                        JobsSetting.JOBS_TYPES, "EXECUTE",
                                        JobsSetting.JOBS_BACKOFF_BASE_MILLIS, "10",
                                        JobsSetting.JOBS_BACKOFF_MAX_MILLIS, "70",
                                        JobsSetting.JOBS_FAILURE_PROBABILITY, "0.5",
                                        JobsSetting.JOBS_KEY_DAYS, "7")));
        assertThat(settings.fault()).isNull();
        assertThat(settings.engine().maxRetries()).isEqualTo(1);
        assertThat(settings.engine().backoff().base()).isEqualTo(Duration.ofMillis(10));
        assertThat(settings.engine().backoff().cap()).isEqualTo(Duration.ofMillis(70));
        assertThat(settings.engine().types()).hasSize(1);
        assertThat(settings.engine().failureProbability()).isEqualTo(0.5);
        assertThat(settings.keyLife().toDays()).isEqualTo(7);
        assertThat(JobsSetting.read(Doors.SETTINGS.of(Map.of()))).isEqualTo(JobsSettings.DEFAULT);
    }
}
