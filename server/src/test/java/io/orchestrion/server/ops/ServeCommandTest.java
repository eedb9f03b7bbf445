package io.orchestrion.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.tools.Terminal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

@Timeout(20)
class ServeCommandTest {
    @TempDir Path data;
    private final List<String> happened = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final QuietSignals signals = new QuietSignals();
    private boolean engineFails;
    private boolean drainHangs;

    /// Hears the test alone: the test's own process must still end on a signal.
    private static final class QuietSignals extends StopSignals {
        final CountDownLatch serving = new CountDownLatch(1);

        @Override
        void listen() {}

        @Override
        void serving() {
            super.serving();
            serving.countDown();
        }
    }

    private ExitCode serve(Map<Setting, String> flags) throws Exception {
        var stream = new PrintStream(out, true);
        return new ServeCommand(
                        Doors.SETTINGS,
                        this::open,
                        this::start,
                        Terminal.PLAIN,
                        stream,
                        stream,
                        signals)
                .serve(Doors.SETTINGS.of(flags));
    }

    private ExitCode serve() throws Exception {
        return serve(Map.of(Setting.DATA, data.toString(), Setting.PORT, "0"));
    }

    private Thread whenServing(Runnable action) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                signals.serving.await();
                            } catch (InterruptedException e) {
                                return;
                            }
                            action.run();
                        });
    }

    @Test
    void a_signal_drains_then_stops_the_engine_and_then_the_database() throws Exception {
        whenServing(signals::arrived);
        assertThat(serve()).isEqualTo(ExitCode.OK);
        assertThat(happened)
                .containsExactly(
                        "database opens",
                        "engine starts",
                        "engine drains",
                        "engine closes",
                        "database closes");
        assertThat(out.toString()).contains("http://127.0.0.1:4711", "/key", "curl -s");
    }

    @Test
    void a_second_signal_does_not_wait_for_requests_in_flight() throws Exception {
        drainHangs = true;
        whenServing(
                () -> {
                    signals.arrived();
                    signals.arrived();
                });
        assertThat(serve()).isEqualTo(ExitCode.OK);
        assertThat(happened).containsSubsequence("engine closes", "database closes");
    }

    @Test
    void the_wait_for_requests_in_flight_is_bounded() throws Exception {
        drainHangs = true;
        whenServing(signals::arrived);
        ExitCode code =
                serve(
                        Map.of(
                                Setting.DATA,
                                data.toString(),
                                Setting.PORT,
                                "0",
                                Setting.DRAIN_SECONDS,
                                "0"));
        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(happened).containsSubsequence("engine closes", "database closes");
    }

    @Test
    void an_engine_that_does_not_start_leaves_no_database_behind() {
        engineFails = true;
        StartFailure failure = catchThrowableOfType(StartFailure.class, this::serve);
        assertThat(failure.code()).isEqualTo(ExitCode.DATABASE_FAILED);
        assertThat(happened).containsExactly("database opens", "database closes");
    }

    @Test
    void a_taken_port_is_told_before_the_database_is_touched() throws Exception {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            StartFailure failure =
                    catchThrowableOfType(
                            StartFailure.class,
                            () -> serve(Map.of(Setting.DATA, data.toString(), Setting.PORT, port)));
            assertThat(failure.code()).isEqualTo(ExitCode.PORT_TAKEN);
            assertThat(failure.problem()).startsWith("port " + port + " on 127.0.0.1 is taken");
        }
        assertThat(happened).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, host 192.0.2.1 is no address of this machine",
        "nowhere.invalid, host nowhere.invalid is a name that no address has",
    })
    void a_host_that_is_not_here_is_a_bad_setting(String host, String message) {
        StartFailure failure =
                catchThrowableOfType(StartFailure.class, () -> Preflight.port(host, 0));
        assertThat(failure.code()).isEqualTo(ExitCode.BAD_SETTINGS);
        assertThat(failure.problem()).isEqualTo(message);
    }

    @Test
    void a_data_folder_that_cannot_be_is_told_before_the_database_is_touched() throws Exception {
        Path file = Files.createFile(data.resolve("file"));
        StartFailure failure =
                catchThrowableOfType(
                        StartFailure.class,
                        () -> serve(Map.of(Setting.DATA, file.resolve("in").toString())));
        assertThat(failure.code()).isEqualTo(ExitCode.DATA_NOT_WRITABLE);
        assertThat(failure.problem()).contains(file.toString());
        assertThat(happened).isEmpty();
    }

    private OpenDatabase open(Settings settings, Progress progress) {
        happened.add("database opens");
        return new OpenDatabase() {
            @Override
            public String jdbcUrl() {
                return "jdbc:postgresql://nowhere/x";
            }

            @Override
            public String user() {
                return "me";
            }

            @Override
            public String password() {
                return "";
            }

            @Override
            public String description() {
                return "a fake";
            }

            @Override
            public void close() {
                happened.add("database closes");
            }
        };
    }

    private Engine.Running start(OpenDatabase database, Settings settings) throws StartFailure {
        if (engineFails) {
            throw new StartFailure(ExitCode.DATABASE_FAILED, "no");
        }
        happened.add("engine starts");
        return new Engine.Running() {
            @Override
            public int port() {
                return 4711;
            }

            @Override
            public String keyFile() {
                return "/key";
            }

            @Override
            public void drain() {
                happened.add("engine drains");
                if (drainHangs) {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        happened.add("engine is hurried");
                    }
                }
            }

            @Override
            public void close() {
                happened.add("engine closes");
            }
        };
    }
}
