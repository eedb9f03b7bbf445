package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/// What is different for root. Elsewhere these tests have nothing to say.
class PrivilegeTest {
    @TempDir Path folder;

    @BeforeEach
    void only_as_root() throws Exception {
        assumeThat(Fixtures.root()).isTrue();
    }

    @Test
    void the_server_of_root_runs_as_nobody_else_in_a_closed_home() throws Exception {
        Path home = closedHome();
        PostgresOptions options = Fixtures.quick(home.resolve("project/.orchestrion"));
        for (int start = 0; start < 2; start++) {
            try (EmbeddedPostgres server = EmbeddedPostgres.start(options)) {
                assertThat(user(server.pid())).isBetween(60_600, 61_100);
                Path data = options.dataFolder().resolve("pg");
                assertThat(Files.getAttribute(data, "unix:uid")).isEqualTo(user(server.pid()));
                assertThat(Fixtures.ask(server, "show data_directory")).isEqualTo("/proc/self/cwd");
                Fixtures.run(
                        server, "create table if not exists t (x int); insert into t values (1)");
                assertThat(Fixtures.ask(server, "select count(*) from t"))
                        .isEqualTo("" + (start + 1));
                Fixtures.run(server, "checkpoint");
                Fixtures.run(server, "select pg_reload_conf()");
                // A crashed backend makes the postmaster recover in place, which reopens everything
                // by path.
                long before = Long.parseLong(Fixtures.ask(server, "select pg_backend_pid()"));
                Fixtures.kill(walWriter(server));
                Fixtures.eventually("recovered in place", () -> walWriter(server) > before);
                assertThat(Fixtures.ask(server, "select count(*) from t"))
                        .isEqualTo("" + (start + 1));
            }
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwx------");
    }

    private static int user(long pid) throws Exception {
        return (Integer) Files.getAttribute(Path.of("/proc/" + pid), "unix:uid");
    }

    /// Whether another program of the user `nobody` gets to see this.
    private static boolean nobodySees(String path) throws Exception {
        return new ProcessBuilder(
                                "setpriv",
                                "--reuid=nobody",
                                "--regid=nogroup",
                                "--clear-groups",
                                "ls",
                                path)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @Test
    void no_other_program_of_nobody_sees_the_files() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = Fixtures.seeded(Files.createDirectory(folder.resolve("data")));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.quick(data))) {
            assertThat(nobodySees(folder.toString())).isTrue();
            assertThat(nobodySees(data.resolve("pg/PG_VERSION").toString())).isFalse();
            assertThat(nobodySees("/proc/" + server.pid() + "/cwd/PG_VERSION")).isFalse();
        }
    }

    /// It is done as `nobody`, and yet closed to it.
    @Test
    void no_other_program_of_nobody_sees_a_database_being_made() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        PrivilegeDrop drop = PrivilegeDrop.detect();
        Path work = Files.createDirectory(folder.resolve("work"));
        Path data = Files.createDirectory(work.resolve("data"));
        Path password = Files.writeString(work.resolve("password"), "secret");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        drop.lend(work, data);
        Process making =
                new ProcessBuilder(
                                drop.making(
                                        "KILL",
                                        List.of("sh", "-c", "cat ../password; touch made; read x")))
                        .directory(data.toFile())
                        .start();
        try {
            assertThat(new String(making.getInputStream().readNBytes(6), StandardCharsets.UTF_8))
                    .isEqualTo("secret");
            assertThat(ProcessHandle.of(making.pid()).orElseThrow().info().user())
                    .hasValue("nobody");
            assertThat(nobodySees(password.toString())).isFalse();
            assertThat(nobodySees(data.toString())).isFalse();
            assertThat(nobodySees("/proc/" + making.pid() + "/cwd/")).isFalse();
        } finally {
            making.destroyForcibly();
        }
    }

    /// Releases before this one ran as `nobody`; one of them may even still run.
    @Test
    void a_folder_of_nobody_is_taken_over_with_a_server_that_still_runs_in_it() throws Exception {
        Path data = Fixtures.seeded(folder);
        PrivilegeDrop before = PrivilegeDrop.detect().withoutSetpriv().withoutDeathSignal();
        var old =
                new Supervisor(
                        Fixtures.quick(data), before, Binaries.SYSTEM_FOLDER, Supervisor.PAUSES);
        old.start();
        long orphan = old.pid();
        assertThat(Files.getAttribute(data.resolve("pg"), "unix:uid")).isEqualTo(user(orphan));
        DataFolder.create(data, PrivilegeDrop.detect())
                .prepare(
                        Binaries.ready(
                                Fixtures.quick(data),
                                PrivilegeDrop.detect(),
                                Binaries.SYSTEM_FOLDER),
                        Fixtures.quick(data));
        assertThat(Fixtures.running(orphan)).isFalse();
        old.close();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.quick(data))) {
            assertThat(user(server.pid())).isGreaterThanOrEqualTo(60_600);
            assertThat(Fixtures.ask(server, "select 1")).isEqualTo("1");
        }
    }

    private static long walWriter(EmbeddedPostgres server) throws Exception {
        return Long.parseLong(
                Fixtures.ask(
                        server,
                        "select pid from pg_stat_activity where backend_type = 'walwriter'"));
    }

    @Test
    void programs_that_nobody_cannot_reach_go_to_a_folder_of_the_system() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path home = closedHome();
        // Unpacking there is the same as anywhere; a copy saves the test some seconds.
        Path data = Fixtures.seeded(Files.createDirectory(folder.resolve("data")));
        Path system = folder.resolve("system");
        Fixtures.run("cp", "-a", Fixtures.BINARIES.toString(), system.toString());
        PostgresOptions options = Fixtures.quick(data).withBinariesFolder(home.resolve("cache"));
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(options, PrivilegeDrop.detect(), system)) {
            assertThat(Fixtures.ask(server, "select 1")).isEqualTo("1");
            assertThat(Files.readSymbolicLink(Path.of("/proc/" + server.pid() + "/exe")))
                    .startsWithRaw(system);
        }
        assertThat(home.resolve("cache")).isEmptyDirectory();
    }

    @Test
    void runuser_does_where_setpriv_is_missing() throws Exception {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(
                        Fixtures.quick(Fixtures.seeded(folder)),
                        PrivilegeDrop.detect().withoutSetpriv(),
                        Binaries.SYSTEM_FOLDER)) {
            long before = server.pid();
            assertThat(ProcessHandle.of(before).orElseThrow().info().user()).hasValue("nobody");
            Fixtures.kill(before);
            Fixtures.eventually("restarted", () -> server.pid() > 0 && server.pid() != before);
            assertThat(Fixtures.ask(server, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void an_ordinary_user_needs_no_other_user() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assumeThat(PrivilegeDrop.detect().may("-x", Path.of("target").toRealPath(), Path.of("/")))
                .as("the build folder can be reached by others")
                .isTrue();
        EmbeddedPostgres.start(
                        Fixtures.quick(
                                Fixtures.seeded(Files.createDirectory(folder.resolve("other")))))
                .close();
        String classPath = readableClassPath();
        Path data = folder.resolve("data");
        long postmaster;
        try (ChildOwner child = as("nobody", classPath, data)) {
            assertThat(child.answer()).startsWith("ready");
            postmaster = child.postmaster();
        }
        assertThat(Fixtures.running(postmaster)).isFalse();
        try (ChildOwner child = as("daemon", classPath, data)) {
            assertThat(child.answer()).startsWith("refused NOT_WRITABLE").contains(data.toString());
        }
        // Root may, and then the folder is that of root's server.
        EmbeddedPostgres.start(Fixtures.quick(data)).close();
        try (ChildOwner child = as("nobody", classPath, data)) {
            assertThat(child.answer()).startsWith("refused NOT_WRITABLE").contains(data.toString());
        }
    }

    private static ChildOwner as(String user, String classPath, Path data) throws Exception {
        List<String> prefix =
                List.of(
                        "setpriv",
                        "--reuid=" + user,
                        "--regid=" + user.replace("nobody", "nogroup"),
                        "--clear-groups");
        return ChildOwner.start(prefix, classPath, data, Fixtures.BINARIES, "dies-with-jvm");
    }

    private Path closedHome() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path home = Files.createDirectory(folder.resolve("home"));
        return Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    }

    /// The repository of jars may lie in a closed home as well.
    private String readableClassPath() throws Exception {
        Path jars = Files.createDirectory(folder.resolve("jars"));
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":")) {
            Path path = Path.of(entry);
            if (Files.isRegularFile(path)) {
                path =
                        Files.copy(
                                path,
                                jars.resolve(path.getFileName()),
                                StandardCopyOption.REPLACE_EXISTING);
            }
            entries.add(path.toString());
        }
        Files.setPosixFilePermissions(jars, PosixFilePermissions.fromString("rwxr-xr-x"));
        return String.join(":", entries);
    }
}
