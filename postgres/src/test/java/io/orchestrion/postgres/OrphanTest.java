package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;

class OrphanTest {
    @TempDir Path folder;

    @BeforeEach
    void seed() throws Exception {
        Fixtures.seeded(folder);
    }

    @Test
    void a_server_that_outlived_its_jvm_is_adopted_supervised_and_stopped() throws Exception {
        ChildOwner child = ChildOwner.start(folder, "outlives-jvm");
        long orphan = child.postmaster();
        child.kill();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(folder))) {
            assertThat(server.adopted()).isTrue();
            assertThat(server.pid()).isEqualTo(orphan);
            assertThat(Fixtures.ask(server, "select count(*) from t")).isEqualTo("1");
            int port = server.port();
            Fixtures.kill(orphan);
            Fixtures.eventually("restarted", () -> server.pid() > 0 && server.pid() != orphan);
            assertThat(server.port()).isEqualTo(port);
            assertThat(Fixtures.ask(server, "select count(*) from t")).isEqualTo("1");
        }
        ChildOwner second = ChildOwner.start(folder, "outlives-jvm");
        second.kill();
        EmbeddedPostgres.start(Fixtures.durable(folder)).close();
        assertThat(Fixtures.running(second.postmaster())).isFalse();
    }

    @Test
    void an_orphan_with_other_settings_is_restarted_and_not_adopted() throws Exception {
        ChildOwner child = ChildOwner.start(folder, "outlives-jvm");
        child.kill();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.quick(folder))) {
            assertThat(server.adopted()).isFalse();
            assertThat(Fixtures.ask(server, "show fsync")).isEqualTo("off");
        }
    }

    @Test
    void a_server_stops_by_itself_when_its_jvm_is_killed_and_the_next_start_has_the_rows()
            throws Exception {
        ChildOwner child = ChildOwner.start(folder, "dies-with-jvm");
        long postmaster = child.postmaster();
        assertThat(Fixtures.running(postmaster)).isTrue();
        child.kill();
        Fixtures.eventually("the server stopped", () -> !Fixtures.running(postmaster));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(folder))) {
            assertThat(server.adopted()).isFalse();
            assertThat(Fixtures.ask(server, "select count(*) from t")).isEqualTo("1");
        }
    }

    @Test
    void a_start_right_after_the_jvm_was_killed_works_too() throws Exception {
        ChildOwner child = ChildOwner.start(folder, "dies-with-jvm");
        child.kill();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(folder))) {
            assertThat(Fixtures.ask(server, "select count(*) from t")).isEqualTo("1");
        }
    }

    @Test
    void a_pid_file_that_names_nobody_a_stranger_or_a_zombie_is_put_aside() throws Exception {
        EmbeddedPostgres.start(Fixtures.quick(folder)).close();
        Process stranger = new ProcessBuilder("sleep", "600").start();
        // The second sleep never looks after the first, so that one stays a zombie.
        Process parent =
                new ProcessBuilder("sh", "-c", "sleep 0 & echo $!; exec sleep 600").start();
        try (BufferedReader output = parent.inputReader()) {
            long zombie = Long.parseLong(output.readLine());
            Fixtures.eventually("a zombie", () -> !Fixtures.running(zombie));
            for (long pid :
                    new long[] {4_194_303, stranger.pid(), zombie, ProcessHandle.current().pid()}) {
                Files.writeString(
                        folder.resolve("pg/postmaster.pid"),
                        pid + "\n" + folder + "/pg\n1\n5432\n\n127.0.0.1\n 1 1\nready   \n");
                try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.quick(folder))) {
                    assertThat(server.adopted()).isFalse();
                    assertThat(server.pid()).isNotEqualTo(pid);
                }
            }
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
            parent.destroyForcibly();
        }
    }
}
