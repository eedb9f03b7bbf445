package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.work.WorkError;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// How long a step waits before it is tried again.
class BackoffTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String policy(String strategy) {
        return Documents.retry(6, strategy, 1000, 5000, 60_000);
    }

    /// From the end of an attempt to the time before which nobody gets the next one.
    private long delay(UUID id, int failed) {
        long ended = Objects.requireNonNull(fixture.step(id, "a", failed).times().finishedMs());
        return Objects.requireNonNull(fixture.step(id, "a", failed + 1).times().retryAfterMs())
                - ended;
    }

    private List<Long> delays(String strategy, WorkError error, int attempts) {
        UUID id =
                fixture.start(
                                Documents.within(
                                        36_000_000,
                                        Documents.of(Documents.task("a", policy(strategy)))))
                        .id();
        var delays = new ArrayList<Long>();
        for (int attempt = 1; attempt <= attempts; attempt++) {
            fixture.fail(fixture.claim("do_a"), error);
            delays.add(delay(id, attempt));
            fixture.later(Duration.ofMillis(delays.getLast() + 1));
        }
        fixture.engine.executions().cancel(fixture.request(id));
        return delays;
    }

    private static WorkError away() {
        return WorkError.of("connect_failed", "no connection");
    }

    /// E-114.
    @Test
    void a_fixed_delay_is_always_the_first_one() {
        assertThat(delays("fixed", away(), 5)).containsExactly(1000L, 1000L, 1000L, 1000L, 1000L);
    }

    /// E-115, E-117, E-119, E-121.
    @Test
    void an_exponential_delay_doubles_up_to_the_longest() {
        assertThat(delays("exponential", away(), 5))
                .containsExactly(1000L, 2000L, 4000L, 5000L, 5000L);
        assertThat(delays("exponential", WorkError.of("rate_limited", "slower"), 4))
                .containsExactly(1000L, 2000L, 4000L, 5000L);
        assertThat(delays("exponential", WorkError.of("optimistic_lock_conflict", "later"), 2))
                .containsExactly(1000L, 2000L);
    }

    /// E-122.
    @Test
    void a_failed_dependency_is_left_alone_four_times_as_long() {
        WorkError failed = WorkError.of("dependency_failed", "it is away");
        assertThat(delays("exponential", failed, 4)).containsExactly(4000L, 8000L, 16000L, 20000L);
        assertThat(delays("fixed", failed, 2)).containsExactly(4000L, 4000L);
    }

    /// E-122: the factor is a setting, and what is stored of the decision says which one it was.
    @Test
    void a_server_may_leave_failed_dependencies_alone_for_longer_or_shorter() {
        try (var other = new OrchestrationFixture(7)) {
            UUID id = other.start(Documents.of(Documents.task("a", policy("fixed")))).id();
            other.fail(other.claim("do_a"), "dependency_failed");
            StepAttempt failed = other.step(id, "a", 1);
            assertThat(other.step(id, "a", 2).times().retryAfterMs())
                    .isEqualTo(Objects.requireNonNull(failed.times().finishedMs()) + 7000);
            assertThat(failed.ended().decision()).contains("\"delay_factor\":7");
            assertThat(other.engine.dependencyFactor()).isEqualTo(7);
        }
    }

    /// E-116. Between half of the exponential delay and all of it.
    @Test
    void a_jittered_delay_is_spread_between_half_of_the_exponential_one_and_all_of_it() {
        long[] whole = {1000, 2000, 4000, 5000, 5000};
        var firsts = new HashSet<Long>();
        for (int execution = 0; execution < 8; execution++) {
            List<Long> delays = delays("jittered", away(), 5);
            firsts.add(delays.getFirst());
            for (int i = 0; i < whole.length; i++) {
                assertThat(delays.get(i)).isBetween(whole[i] / 2, whole[i]);
            }
        }
        assertThat(firsts).hasSizeGreaterThan(4);
    }

    /// E-118, E-120. Longer than the policy's longest delay, and shorter than the policy's own.
    @Test
    void a_worker_that_names_a_time_is_obeyed_and_never_earlier_than_the_policy_says() {
        assertThat(delays("fixed", new WorkError("rate_limited", 429, "slower", 30, null), 2))
                .containsExactly(30_000L, 30_000L);
        assertThat(delays("exponential", new WorkError("rate_limited", 429, "slower", 3, null), 3))
                .containsExactly(3000L, 3000L, 4000L);
    }

    /// E-120.
    @Test
    void a_time_after_the_end_of_the_step_ends_the_step() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.within(
                                                60_000,
                                                Documents.task(
                                                        "a",
                                                        policy("fixed")
                                                                + ",\"on_timeout\":\"late\"")),
                                        Documents.task("late", "")))
                        .id();
        fixture.fail(fixture.claim("do_a"), new WorkError("rate_limited", 429, "slower", 59, null));
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 retrying");
        fixture.later(Duration.ofSeconds(61));
        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a#2 skipped", "late#1 pending");

        UUID beyond =
                fixture.start(
                                Documents.of(
                                        Documents.within(
                                                60_000,
                                                Documents.task(
                                                        "a",
                                                        policy("fixed")
                                                                + ",\"on_timeout\":\"late\"")),
                                        Documents.task("late", "")))
                        .id();
        fixture.fail(fixture.claim("do_a"), new WorkError("rate_limited", 429, "slower", 61, null));
        assertThat(fixture.history(beyond)).containsExactly("a#1 failed", "late#1 pending");
        assertThat(fixture.letters(beyond).getFirst().reason().word()).isEqualTo("timed_out");
    }

    private long retryAtMs;

    private long delayAfter(String retryAfter, String date) {
        Map<String, List<String>> headers =
                date.isEmpty()
                        ? Map.of("Retry-After", List.of(retryAfter))
                        : Map.of("Retry-After", List.of(retryAfter), "Date", List.of(date));
        fixture.service.answer =
                _ ->
                        new CallOutcome.Answered(
                                429, headers, "slower".getBytes(StandardCharsets.UTF_8));
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.step(
                                                "a",
                                                "external_call",
                                                ",\"handler\":\"http:https://service.example/\""
                                                        + policy("fixed"))))
                        .id();
        fixture.callUntil("tried again", () -> fixture.steps(id).size() == 2);
        long delay = delay(id, 1);
        retryAtMs = Objects.requireNonNull(fixture.step(id, "a", 2).times().retryAfterMs());
        assertThat(fixture.step(id, "a", 1).ended().retryAfterSeconds()).isNotNull();
        fixture.engine.executions().cancel(fixture.request(id));
        return delay;
    }

    private static String date(Instant time) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
    }

    /// E-118. In seconds, as a date by the clock of the service, and as a date without that.
    @Test
    void a_service_is_left_alone_for_as_long_as_it_asks() {
        assertThat(delayAfter("7", "")).isEqualTo(7000);
        // A service whose clock is far from this one.
        Instant itsNow = Instant.parse("2031-05-06T07:08:09Z");
        assertThat(delayAfter(date(itsNow.plusSeconds(90)), date(itsNow))).isEqualTo(90_000);

        long nowMs = fixture.test.kernel().database().transaction(tx -> tx.nowMillis());
        Instant wanted = Instant.ofEpochMilli(nowMs).plusSeconds(120);
        delayAfter(date(wanted), "");
        assertThat(retryAtMs)
                .isBetween(
                        wanted.truncatedTo(ChronoUnit.SECONDS).toEpochMilli(),
                        wanted.plusSeconds(60).toEpochMilli());
    }

    /// E-119. What cannot be read asks for nothing.
    @Test
    void a_time_that_nobody_can_read_is_as_good_as_none() {
        fixture.service.answer =
                _ ->
                        new CallOutcome.Answered(
                                429, Map.of("Retry-After", List.of("soon")), new byte[0]);
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.step(
                                                "a",
                                                "external_call",
                                                ",\"handler\":\"http:https://service.example/\""
                                                        + policy("fixed"))))
                        .id();
        fixture.callUntil("tried again", () -> fixture.steps(id).size() == 2);
        assertThat(delay(id, 1)).isEqualTo(1000);
    }
}
