package io.orchestrion.kernel.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Explained;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A whole process is killed under 64 writers; what it had acknowledged is there, once.
class KilledProcessTest {
    private record Acknowledged(String what, UUID id, long lease, String tag) {
        static Acknowledged of(String line) {
            String[] parts = line.split(" ");
            return new Acknowledged(
                    parts[0], UUID.fromString(parts[1]), Long.parseLong(parts[2]), parts[3]);
        }
    }

    private final TestKernel test = new TestKernel();
    private final UUID account = test.account();
    private final TestDatabase database = test.database();

    @AfterEach
    void close() {
        test.close();
    }

    private Process start(String failpoints) throws IOException {
        DatabaseOptions options = database.options();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-Dorchestrion.failpoints=" + failpoints,
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingChild.class.getName(),
                        options.jdbcUrl(),
                        options.user(),
                        options.password(),
                        account.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /// Reads what the child says until it is dead; kills it after so many lines.
    private List<Acknowledged> runAndKill(String failpoints, int afterLines) throws Exception {
        Process child = start(failpoints);
        var lines = new ArrayList<String>();
        try (var reader = new BufferedReader(child.inputReader(StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            while (line != null) {
                lines.add(line);
                if (lines.size() == afterLines) {
                    // Through its handle, which leaves what it had said readable.
                    child.toHandle().destroyForcibly();
                }
                line = reader.readLine();
            }
        } finally {
            child.destroyForcibly();
        }
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(137);
        if (!lines.isEmpty() && !lines.getLast().matches("\\w+ \\S{36} \\d+ \"\\d+-\\d+\"")) {
            lines.removeLast();
        }
        return lines.stream().map(Acknowledged::of).toList();
    }

    private long count(String from) {
        return database.value("select count(*) from " + from);
    }

    private void assertAllThereOnce(List<Acknowledged> acknowledged) {
        Explained.assertAll(database);
        assertThat(count("work")).isEqualTo(count("(select distinct payload from work) p"));
        Map<Object, Object> payloads = column("select id, payload as x from work");
        Map<Object, Object> results = column("select id, result as x from work");
        Map<Object, Object> events =
                column(
                        "select event || work_id || '/' || lease_number as id, count(*) as x from"
                                + " work_event group by 1");
        for (Acknowledged each : acknowledged) {
            String lease = each.id() + "/" + each.lease();
            switch (each.what()) {
                case "created" -> assertThat(payloads.get(each.id())).isEqualTo(each.tag());
                case "completed" -> {
                    assertThat(results.get(each.id())).isEqualTo(each.tag());
                    assertThat(events.get("complete" + lease)).isEqualTo(1L);
                }
                case "failed" -> assertThat(events.get("fail" + lease)).isEqualTo(1L);
                default -> throw new AssertionError(each);
            }
        }
    }

    private Map<Object, Object> column(String sql) {
        var values = new HashMap<Object, Object>();
        database.rows(sql).forEach(row -> values.put(row.get("id"), row.get("x")));
        return values;
    }

    /// Nothing is stuck: after the dead holder's leases have run out, all of it can be finished.
    private void finishAll() {
        test.clock().advance(Duration.ofMinutes(10));
        test.kernel().sweepOnce("lease-reaper");
        while (true) {
            var claimed =
                    test.kernel()
                            .work()
                            .claim(
                                    new ClaimRequest(account, "tasks", "crash", 100, "w", null),
                                    Duration.ZERO)
                            .items();
            if (claimed.isEmpty()) {
                break;
            }
            Parallel.run(
                    claimed.size(),
                    i ->
                            () ->
                                    test.kernel()
                                            .work()
                                            .command(
                                                    new CommandRequest(
                                                            account,
                                                            Profiles.TASKS,
                                                            claimed.get(i).item().id(),
                                                            new Command.Complete(
                                                                    Fence.NONE, "1", null),
                                                            false)));
        }
        assertThat(count("work where state not in ('succeeded', 'dead')")).isZero();
        Explained.assertAll(database);
    }

    /// K-09.
    @ParameterizedTest
    @ValueSource(ints = {1, 300, 1200})
    void killed_from_outside_in_the_middle(int afterLines) throws Exception {
        List<Acknowledged> acknowledged = runAndKill("", afterLines);
        assertThat(acknowledged.size()).isGreaterThanOrEqualTo(afterLines - 1);
        assertAllThereOnce(acknowledged);
        finishAll();
    }

    /// K-09: a batch that was stored and not answered is there, whole.
    @ParameterizedTest
    @ValueSource(strings = {"submit", "claim", "holder"})
    void halted_right_after_a_commit(String lane) throws Exception {
        List<Acknowledged> acknowledged = runAndKill(lane + ".after-commit=halt@20", -1);
        assertAllThereOnce(acknowledged);
        String unanswered =
                switch (lane) {
                    case "submit" -> "created";
                    case "holder" -> "completed";
                    default -> "";
                };
        if (!unanswered.isEmpty()) {
            long said = acknowledged.stream().filter(a -> a.what().equals(unanswered)).count();
            long stored =
                    lane.equals("submit")
                            ? count("work")
                            : count("work_event where event = 'complete'");
            assertThat(stored).isGreaterThanOrEqualTo(said);
            if (lane.equals("submit")) {
                assertThat(stored)
                        .as("the last batch, which nobody was told of")
                        .isGreaterThan(said);
            }
        }
        finishAll();
    }

    /// K-09: a batch that was not committed is not there, nor anything of it.
    @ParameterizedTest
    @ValueSource(strings = {"submit", "claim", "holder"})
    void halted_right_before_a_commit(String lane) throws Exception {
        assertAllThereOnce(runAndKill(lane + ".before-commit=halt@20", -1));
        finishAll();
    }
}
