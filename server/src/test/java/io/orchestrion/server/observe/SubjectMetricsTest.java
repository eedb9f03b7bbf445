package io.orchestrion.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.Scrape;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// What engines tell of their own subjects, as a scraper reads it.
@Timeout(180)
class SubjectMetricsTest {
    static final List<SubjectKind> KINDS =
            List.of(
                    new SubjectKind(
                            "execution",
                            "engine",
                            List.of("started", "moved", "ended"),
                            List.of("running", "done")),
                    new SubjectKind("approval", "engine", List.of("asked"), List.of()));
    private static final String METRIC = "subject_events_total";

    private final TestKernel test = new TestKernel(options -> options.withSubjects(KINDS));
    private final UUID account = test.account();

    @AfterEach
    void close() {
        test.close();
    }

    private void tell(SubjectEvent... events) {
        Kernel kernel = test.kernel();
        kernel.database()
                .transaction(
                        tx -> {
                            kernel.subjects().append(tx, account, List.of(events));
                            return events;
                        });
    }

    private static SubjectEvent started(UUID id) {
        return SubjectEvent.of("execution", id, 1, "started", null, "running");
    }

    private static SubjectEvent ended(UUID id) {
        return SubjectEvent.of("execution", id, 2, "ended", "running", "done").after(1_200);
    }

    private static Scrape scrape(Kernel kernel) {
        var metrics = new Metrics(new DoorWords(Doors.ALL));
        metrics.show(kernel, "test", () -> 0);
        return new Scrape(metrics.scrape(null));
    }

    private static Map<String, Double> shown(Scrape scrape) {
        var shown = new HashMap<String, Double>();
        for (var each : scrape.family(METRIC).getMetrics()) {
            String name = each.getLabels().get("subject") + "." + each.getLabels().get("event");
            shown.put(name, scrape.value(METRIC, each.getLabels()));
        }
        return shown;
    }

    /// What a count of the rows finds, and nothing for what was never told.
    private Map<String, Double> stored() {
        var stored = new HashMap<String, Double>();
        KINDS.forEach(kind -> kind.names().forEach(name -> stored.put(name, 0.0)));
        test.database()
                .rows(
                        "select kind || '.' || event as name, count(*) as n from subject_event"
                                + " group by 1")
                .forEach(
                        row ->
                                stored.put(
                                        (String) row.get("name"),
                                        ((Long) row.get("n")).doubleValue()));
        return stored;
    }

    @Test
    void events_are_counted_by_kind_and_name_and_what_nobody_told_is_zero() {
        UUID execution = UUID.randomUUID();
        tell(started(execution), started(UUID.randomUUID()));
        tell(
                ended(execution),
                SubjectEvent.of("approval", UUID.randomUUID(), 1, "asked", null, null));
        assertThat(shown(scrape(test.kernel())))
                .isEqualTo(
                        Map.of(
                                "execution.started", 2.0,
                                "execution.moved", 0.0,
                                "execution.ended", 1.0,
                                "approval.asked", 1.0))
                .isEqualTo(stored());
    }

    /// Words of engines are in nobody's way: scenarios of jobs keep their names, and items their
    /// counts.
    @Test
    void subjects_and_items_are_counted_apart() {
        tell(started(UUID.randomUUID()));
        Submitted made =
                test.kernel()
                        .work()
                        .submit(
                                Submission.of(
                                        NewWork.of(account, Profiles.JOBS, "QUICK_SUCCESS", "{}")));
        assertThat(made).isInstanceOf(Submitted.Created.class);
        Scrape scrape = scrape(test.kernel());
        assertThat(scrape.value("jobs_submitted_total", Map.of("work_kind", "QUICK_SUCCESS")))
                .isEqualTo(1);
        assertThat(scrape.value("jobs_submitted_total", Map.of())).isEqualTo(1);
        assertThat(scrape.value(METRIC, Map.of())).isEqualTo(1);
    }

    @Test
    void a_node_that_does_not_have_the_engine_shows_the_same_and_one_without_any_shows_none() {
        try (Kernel other = test.anotherNode(options -> options)) {
            assertThat(scrape(other).families()).doesNotContainKey(METRIC);
            tell(started(UUID.randomUUID()));
            scrape(test.kernel());
            assertThat(shown(scrape(other))).isEqualTo(Map.of("execution.started", 1.0));
        }
    }

    /// What was not committed is not counted, and a count that was not committed is done again.
    @Test
    void what_breaks_off_in_the_middle_is_counted_once_or_not_at_all() {
        tell(started(UUID.randomUUID()));
        fail("pool.before-commit", 1);
        assertThatThrownBy(() -> tell(started(UUID.randomUUID())))
                .isInstanceOf(Failpoints.Injected.class);
        test.failpoints().disarm("pool.before-commit");
        tell(started(UUID.randomUUID()));
        // The looks before the count are transactions, too.
        fail("pool.before-commit", 5);
        assertThatThrownBy(() -> scrape(test.kernel())).isInstanceOf(Failpoints.Injected.class);
        test.failpoints().disarm("pool.before-commit");
        try (Kernel next = test.anotherNode(options -> options.withSubjects(KINDS))) {
            assertThat(shown(scrape(next)))
                    .isEqualTo(stored())
                    .containsEntry("execution.started", 2.0);
        }
    }

    private void fail(String place, int nth) {
        var hits = new AtomicInteger();
        test.failpoints()
                .arm(
                        place,
                        () -> {
                            if (hits.incrementAndGet() == nth) {
                                throw new Failpoints.Injected(place);
                            }
                        });
    }

    /// J-361: the same as for items.
    @Test
    void after_a_kill_the_metric_is_what_is_stored() throws Exception {
        for (int kill = 1; kill <= 2; kill++) {
            long told = tellUntilKilled(300);
            try (Kernel next = test.anotherNode(options -> options.withSubjects(KINDS))) {
                Map<String, Double> shown = shown(scrape(next));
                assertThat(shown).isEqualTo(stored());
                assertThat(shown.values().stream().mapToDouble(Double::doubleValue).sum())
                        .isGreaterThanOrEqualTo(told);
            }
        }
    }

    private long tellUntilKilled(int lines) throws Exception {
        DatabaseOptions options = test.database().options();
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                TellingChild.class.getName(),
                                options.jdbcUrl(),
                                options.user(),
                                options.password(),
                                account.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        long told = 0;
        try (var reader = new BufferedReader(child.inputReader(StandardCharsets.UTF_8))) {
            while (reader.readLine() != null) {
                told++;
                if (told == lines) {
                    // Through its handle, which leaves what it had said readable.
                    child.toHandle().destroyForcibly();
                }
            }
        } finally {
            child.destroyForcibly();
        }
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(137);
        return told;
    }
}
