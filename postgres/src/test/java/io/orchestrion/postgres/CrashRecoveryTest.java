package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class CrashRecoveryTest {
    @TempDir Path folder;

    @BeforeEach
    void seed() throws Exception {
        Fixtures.seeded(folder);
    }

    @Test
    void a_killed_postmaster_is_restarted_on_its_port_with_all_committed_rows() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(folder))) {
            BlockingQueue<String> told = new LinkedBlockingQueue<>();
            server.onRestart(told::add);
            Fixtures.run(server, "create table t (x int)");
            int port = server.port();
            for (int round = 1; round <= 3; round++) {
                Fixtures.run(server, "insert into t values (" + round + ")");
                long before = server.pid();
                Fixtures.kill(before);
                assertThat(told.poll(2, TimeUnit.MINUTES))
                        .contains("pid " + before, "signal 9", "restarted as pid");
                assertThat(server.pid()).isNotEqualTo(before).isPositive();
                assertThat(server.port()).isEqualTo(port);
                assertThat(Fixtures.ask(server, "select count(*) from t")).isEqualTo("" + round);
            }
        }
    }

    @Test
    void a_backend_that_outlives_its_postmaster_does_not_keep_the_database_down() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.quick(folder));
                Connection busy = Fixtures.connect(server)) {
            BlockingQueue<String> told = new LinkedBlockingQueue<>();
            server.onRestart(told::add);
            // Pure computation: nothing in it looks at whether the postmaster lives.
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try (Statement statement = busy.createStatement()) {
                                    statement.execute(
                                            "select sum(a * b) from generate_series(1, 100000) a,"
                                                    + " generate_series(1, 100000) b");
                                } catch (java.sql.SQLException e) {
                                    // ended with its backend, as wanted
                                }
                            });
            Fixtures.eventually(
                    "the statement runs",
                    () ->
                            Fixtures.ask(
                                            server,
                                            "select count(*) from pg_stat_activity where state ="
                                                + " 'active' and query like '%sum(a%' and pid <>"
                                                + " pg_backend_pid()")
                                    .equals("1"));
            Fixtures.kill(server.pid());
            assertThat(told.poll(2, TimeUnit.MINUTES)).contains("restarted");
            assertThat(Fixtures.ask(server, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void closing_while_the_server_is_down_leaves_nothing_behind() throws Exception {
        EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.quick(folder));
        Fixtures.kill(server.pid());
        server.close();
        Path pgData = folder.toRealPath().resolve("pg");
        assertThat(new Processes(pgData, "no other").ours()).isEmpty();
        EmbeddedPostgres.start(Fixtures.quick(folder)).close();
    }

    private Supervisor impatient() throws Exception {
        return new Supervisor(
                Fixtures.quick(folder),
                PrivilegeDrop.detect(),
                Binaries.SYSTEM_FOLDER,
                List.of(Duration.ZERO));
    }

    /// The cause may last for longer than anybody waits at the first start. The log names each
    /// cause once, and again after a minute, however many tries fail. Before the cause of this
    /// test, a slow machine may meet another one, such as a process of the killed server that has
    /// not ended yet.
    @Test
    void a_server_that_cannot_come_up_is_tried_until_it_can() throws Exception {
        Supervisor supervisor = impatient();
        supervisor.start();
        assertThat(supervisor.outage()).isEmpty();
        Path control = folder.resolve("pg/global/pg_control");
        Path away = folder.resolve("pg_control");
        try (var log = new CapturedLog()) {
            Files.move(control, away);
            long killed = System.nanoTime();
            Fixtures.kill(supervisor.pid());
            Fixtures.eventually("tried and tried", () -> tries(supervisor) > 10);
            assertThat(supervisor.pid()).isEqualTo(-1);
            assertThat(supervisor.outage())
                    .get()
                    .satisfies(
                            outage -> {
                                assertThat(outage.words()).contains("pg_control");
                                assertThat(outage.lasted()).isPositive();
                            });
            Files.move(away, control);
            // The supervisor is up a moment before it says so.
            Fixtures.eventually(
                    "said to be up again",
                    () -> log.lines().stream().anyMatch(line -> line.contains("restarted as pid")));
            assertThat(supervisor.outage()).isEmpty();
            assertThat(Fixtures.running(supervisor.pid())).isTrue();
            assertThat(log.lines().getFirst()).contains("restarting it");
            assertThat(log.lines().getLast()).contains("restarted as pid");
            int minutes = (int) Duration.ofNanos(System.nanoTime() - killed).toMinutes();
            assertThat(log.lines().subList(1, log.lines().size() - 1))
                    .as("failed restarts, of more than ten tries")
                    .allMatch(line -> line.contains("could not be restarted"))
                    .hasSizeLessThan(5 + minutes)
                    .filteredOn(line -> line.contains("pg_control"))
                    .hasSizeBetween(1, 1 + minutes);
        } finally {
            supervisor.close();
        }
    }

    @Test
    void a_server_that_is_killed_again_and_again_comes_back() throws Exception {
        Supervisor supervisor = impatient();
        supervisor.start();
        try {
            for (int round = 0; round < 9; round++) {
                long before = supervisor.pid();
                Fixtures.kill(before);
                Fixtures.eventually(
                        "up again", () -> supervisor.pid() > 0 && supervisor.pid() != before);
            }
            assertThat(supervisor.outage()).isEmpty();
        } finally {
            supervisor.close();
        }
    }

    @Test
    void closing_while_the_server_cannot_come_up_ends_the_tries() throws Exception {
        Supervisor supervisor = impatient();
        supervisor.start();
        Files.delete(folder.resolve("pg/global/pg_control"));
        Fixtures.kill(supervisor.pid());
        Fixtures.eventually("tried", () -> tries(supervisor) > 0);
        supervisor.close();
        Path pgData = folder.toRealPath().resolve("pg");
        assertThat(new Processes(pgData, "no other").ours()).isEmpty();
    }

    /// A cause that is gone is seen within half a minute, however long it lasted.
    @Test
    void no_pause_is_longer_than_ten_seconds() {
        assertThat(Supervisor.PAUSES).allMatch(pause -> pause.toSeconds() <= 10);
    }

    private static int tries(Supervisor supervisor) {
        return supervisor.outage().map(Outage::tries).orElse(0);
    }
}
