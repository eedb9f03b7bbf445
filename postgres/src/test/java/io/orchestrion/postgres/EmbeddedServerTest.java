package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

class EmbeddedServerTest {
    @TempDir Path folder;

    @Test
    void rows_persist_over_a_stop_and_nothing_is_left_running() throws Exception {
        long pid;
        // What a kill in the middle of initdb leaves.
        Files.createDirectories(folder.resolve("init-0000/data/base"));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(folder))) {
            pid = server.pid();
            assertThat(server.adopted()).isFalse();
            assertThat(Fixtures.ask(server, "show server_version")).isEqualTo(server.version());
            Fixtures.run(server, "create table t as select generate_series(1, 1000) x");
        }
        assertThat(Fixtures.running(pid)).isFalse();
        assertThat(folder.resolve("pg/postmaster.pid")).doesNotExist();
        assertThat(folder.resolve("init-0000")).doesNotExist();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(folder))) {
            assertThat(Fixtures.ask(server, "select count(*) from t")).isEqualTo("1000");
            server.close();
            server.close();
            assertThat(server.pid()).isEqualTo(-1);
        }
    }

    @Test
    void a_durable_server_syncs_checks_its_pages_and_is_tuned_for_a_queue() throws Exception {
        PostgresOptions options = Fixtures.durable(folder).withSettings(Map.of("work_mem", "7MB"));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options)) {
            Map<String, String> expected =
                    Map.ofEntries(
                            Map.entry("data_checksums", "on"),
                            Map.entry("fsync", "on"),
                            Map.entry("synchronous_commit", "on"),
                            Map.entry("full_page_writes", "on"),
                            Map.entry("wal_compression", "pglz"),
                            Map.entry("checkpoint_timeout", "15min"),
                            Map.entry("max_wal_size", "2GB"),
                            Map.entry("wal_segment_size", "4MB"),
                            Map.entry("wal_buffers", "16MB"),
                            Map.entry("autovacuum_naptime", "10s"),
                            Map.entry("idle_in_transaction_session_timeout", "10s"),
                            Map.entry("jit", "off"),
                            Map.entry("server_encoding", "UTF8"),
                            Map.entry("listen_addresses", "127.0.0.1"),
                            Map.entry("unix_socket_directories", ""),
                            Map.entry("work_mem", "7MB"));
            for (Map.Entry<String, String> setting : expected.entrySet()) {
                assertThat(Fixtures.ask(server, "show " + setting.getKey()))
                        .as(setting.getKey())
                        .isEqualTo(setting.getValue());
            }
            assertThat(
                            Fixtures.ask(
                                    server,
                                    "select datlocprovider::text || datlocale from pg_database"
                                            + " limit 1"))
                    .isEqualTo("bC.UTF-8");
        }
    }

    @Test
    void a_server_for_tests_skips_the_disk() throws Exception {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(Fixtures.quick(Fixtures.seeded(folder)))) {
            assertThat(Fixtures.ask(server, "show fsync")).isEqualTo("off");
            assertThat(Fixtures.ask(server, "show synchronous_commit")).isEqualTo("off");
            assertThat(folder.resolve("ballast")).doesNotExist();
        }
    }

    @Test
    void the_password_is_required_and_kept_to_the_owner() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.quick(folder))) {
            assertThat(server.password()).matches("[0-9a-f]{64}");
            for (String wrong : List.of("", "guess")) {
                assertThatThrownBy(
                                () ->
                                        DriverManager.getConnection(
                                                server.jdbcUrl("postgres"), server.user(), wrong))
                        .isInstanceOf(SQLException.class);
            }
            for (String secret :
                    List.of("postgres.password", "postgres.log", "pg/postgresql.conf")) {
                assertThat(
                                PosixFilePermissions.toString(
                                        Files.getPosixFilePermissions(folder.resolve(secret))))
                        .as(secret)
                        .isEqualTo("rw-------");
            }
            assertThat(Files.readString(folder.resolve("pg/pg_hba.conf")).lines())
                    .filteredOn(line -> !line.startsWith("#") && !line.isBlank())
                    .allMatch(line -> line.endsWith("scram-sha-256"));
        }
    }

    @Test
    void only_this_machine_can_connect() throws Exception {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(Fixtures.quick(Fixtures.seeded(folder)))) {
            for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
                for (InetAddress address : network.inetAddresses().toList()) {
                    if (!address.getHostAddress().equals("127.0.0.1")) {
                        assertThatThrownBy(() -> new Socket(address, server.port()).close())
                                .as("%s", address)
                                .isInstanceOf(java.io.IOException.class);
                    }
                }
            }
        }
    }

    @Test
    void the_server_is_in_a_session_of_its_own_so_that_an_interrupt_key_spares_it()
            throws Exception {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(Fixtures.quick(Fixtures.seeded(folder)))) {
            String stat = Files.readString(Path.of("/proc/" + server.pid() + "/stat"));
            String session = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[3];
            assertThat(session).isEqualTo(Long.toString(server.pid()));
        }
    }
}
