package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.DatabaseOptions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// Whole processes are killed in the middle of everything, again and again.
@Timeout(290)
class KilledJobsTest {
    private static final int KILLS = 3;
    private static final int JOBS = 10_000;

    private final JobsFixture fixture = new JobsFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<String> runAndKill(int accepted) throws Exception {
        DatabaseOptions options = fixture.database().options();
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                CrashingJobs.class.getName(),
                                options.jdbcUrl(),
                                options.user(),
                                options.password(),
                                fixture.account.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        var lines = new ArrayList<String>();
        int seen = 0;
        try (var reader = new BufferedReader(child.inputReader(StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            while (line != null) {
                lines.add(line);
                seen += line.startsWith("accepted") ? 1 : 0;
                if (seen == accepted) {
                    child.toHandle().destroyForcibly();
                }
                line = reader.readLine();
            }
        } finally {
            child.destroyForcibly();
        }
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(137);
        if (!lines.getLast().matches("\\w+ \\S{36}")) {
            lines.removeLast();
        }
        return lines;
    }

    /// J-210, J-216, J-214, J-245, J-249, J-252, J-393, K-09.
    @Test
    void nothing_that_was_accepted_is_lost_and_every_end_is_accounted_for() throws Exception {
        for (int kill = 0; kill < KILLS; kill++) {
            List<String> said = runAndKill(Math.ceilDiv(JOBS, KILLS));
            assertThat(fixture.unaccounted()).isEmpty();
            assertSaidIsThere(said);
            fixture.advance(Duration.ofSeconds(61));
            fixture.sweep("lease-reaper");
        }
        assertThat(
                        fixture.database()
                                .<Long>value(
                                        "select count(*) from work where state in ('leased',"
                                                + " 'running')"))
                .isZero();
        assertThat(fixture.database().<Long>value("select count(*) from job"))
                .isGreaterThanOrEqualTo(JOBS);
        // What is queued is still there to be run.
        List<Assigned> left = fixture.jobs.claim("runner", 1_000);
        left.forEach(
                one -> {
                    fixture.jobs.start(one);
                    fixture.jobs.complete(one, JobsFixture.output(one));
                });
        assertThat(fixture.unaccounted()).isEmpty();
        assertThat(fixture.impossible()).isEmpty();
        assertThat(
                        fixture.database()
                                .<Long>value(
                                        "select count(*) from work w left join job j on j.job_id ="
                                            + " w.id left join job_definition d on d.job_id = w.id"
                                            + " where j.job_id is null or d.job_id is null"))
                .isZero();
    }

    private void assertSaidIsThere(List<String> said) {
        Map<UUID, List<String>> told = new HashMap<>();
        fixture.database()
                .rows("select job_id, event_name from job_events")
                .forEach(
                        row ->
                                told.computeIfAbsent(
                                                (UUID) row.get("job_id"), _ -> new ArrayList<>())
                                        .add((String) row.get("event_name")));
        for (String line : said) {
            UUID id = UUID.fromString(line.substring(line.indexOf(' ') + 1));
            String name =
                    switch (line.substring(0, line.indexOf(' '))) {
                        case "accepted" -> JobEvents.CREATED;
                        case "canceled" -> JobEvents.CANCELED;
                        case "failed" -> JobEvents.FAILED;
                        default -> JobEvents.SUCCEEDED;
                    };
            assertThat(told.get(id)).as(line).contains(name);
        }
    }
}
