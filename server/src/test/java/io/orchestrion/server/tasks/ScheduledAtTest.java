package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.stream.IntStream;

class ScheduledAtTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    /// The server's time, as a task just made shows it; it has passed when this returns.
    private Instant now() {
        return Instant.parse(tasks.get(tasks.create("clock")).text("/task/createdAt"));
    }

    private Reply at(String scheduledAt) {
        return tasks.api()
                .post(
                        "/v1/tasks",
                        "{\"type\":\"timed\",\"payload\":{},\"scheduledAt\":%s}"
                                .formatted(scheduledAt));
    }

    private Reply at(Instant time) {
        return at('"' + time.toString() + '"');
    }

    private void refused(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).contains("scheduledAt");
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(*) from work where account_id = ? and kind ="
                                                + " 'timed'",
                                        UUID.fromString(tasks.accountId())))
                .isZero();
    }

    /// T-051.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\"tomorrow\"",
                "\"now\"",
                "\"2030\"",
                "\"2030-01-01\"",
                "\"2030-01-01T00:00:00\"",
                "\"2030-01-01 00:00:00Z\"",
                "\"2030-13-01T00:00:00Z\"",
                "\"2030-02-30T00:00:00Z\"",
                "\"2030-01-01T25:00:00Z\"",
                "\"2030-01-01T00:00:00+25:00\"",
                "\"+12030-01-01T00:00:00Z\"",
                "\"-0001-01-01T00:00:00Z\"",
                "\"Tue, 01 Jan 2030 00:00:00 GMT\"",
                "\"1893456000\"",
                "1893456000",
                "1893456000000",
                "true",
                "{}",
                "[\"2030-01-01T00:00:00Z\"]"
            })
    void what_is_no_iso_time_is_refused(String value) {
        refused(at(value));
    }

    /// T-052.
    @ParameterizedTest
    @ValueSource(longs = {1_001, 2_000, 60_000, 86_400_000, 1_800_000_000_000L})
    void a_time_that_has_passed_by_more_than_a_second_is_refused(long millisAgo) {
        refused(at(now().minusMillis(millisAgo)));
    }

    /// T-052: a second of tolerance, for clocks that differ. The clock runs on meanwhile, so one of
    /// several tries must make it.
    @Test
    void a_time_just_passed_is_accepted_and_claimable_at_once() {
        boolean taken =
                IntStream.range(0, 20).anyMatch(_ -> at(now().minusMillis(400)).status() == 201);
        assertThat(taken).isTrue();
        assertThat(tasks.claim("timed").at("/agent_contract/task_claimable").asBoolean()).isTrue();
    }

    /// T-053.
    @Test
    void a_time_within_30_days_is_accepted_and_one_beyond_is_refused() {
        Instant bound = now().plus(Duration.ofDays(30));
        refused(at(bound.plusSeconds(60)));
        refused(at(bound.plus(Duration.ofDays(335))));
        refused(at("\"9999-12-31T23:59:59Z\""));
        // The moment has passed by now, so the bound itself is within.
        assertThat(at(bound).status()).isEqualTo(201);
        assertThat(at(bound.minusSeconds(60)).status()).isEqualTo(201);
    }

    /// T-054: no time means now.
    @Test
    void without_a_time_a_task_is_claimable_at_once() {
        assertThat(at("null").at("/task/scheduledAt").isNull()).isTrue();
        assertThat(tasks.claim("timed").at("/agent_contract/task_claimable").asBoolean()).isTrue();
    }

    /// T-051, T-055.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    yyyy-MM-dd'T'HH:mm:ss.SSSX   | +00:00
                    yyyy-MM-dd'T'HH:mm:ss.SSSXXX | +02:00
                    yyyy-MM-dd'T'HH:mm:ss.SSSXXX | -11:30
                    yyyy-MM-dd'T'HH:mm:ss.SSSXXX | +14:00
                    yyyy-MM-dd'T'HH:mm:ss.SSSXX  | +05:30
                    yyyy-MM-dd'T'HH:mm:ss.SSSX   | -08:00
                    yyyy-MM-dd't'HH:mm:ss.SSS'z' | +00:00
                    """)
    void any_offset_comes_back_as_the_same_instant_in_utc(String form, String offset) {
        Instant time = now().plus(Duration.ofDays(2));
        String text =
                DateTimeFormatter.ofPattern(form).format(time.atOffset(ZoneOffset.of(offset)));
        Reply created = at('"' + text + '"');
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        String shown = tasks.get(created.text("/task/id")).text("/task/scheduledAt");
        assertThat(shown).isEqualTo(created.text("/task/scheduledAt")).endsWith("Z");
        assertThat(Instant.parse(shown)).isEqualTo(time);
    }

    /// T-051: seconds and fractions may be left out or be finer than we keep.
    @Test
    void the_precision_is_the_callers_choice() {
        Instant day = now().plus(Duration.ofDays(3)).truncatedTo(ChronoUnit.DAYS);
        String date = day.toString().substring(0, 10);
        for (String time : new String[] {"T00:00Z", "T00:00:00Z", "T00:00:00.000000001Z"}) {
            Reply created = at('"' + date + time + '"');
            assertThat(created.status()).as(time).isEqualTo(201);
            assertThat(Instant.parse(created.text("/task/scheduledAt"))).isEqualTo(day);
        }
    }
}
