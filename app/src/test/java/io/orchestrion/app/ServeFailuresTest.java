package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.testkit.Folders;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/// A server that cannot start says why, what to do, and ends with the code of that reason.
class ServeFailuresTest {
    private final Path data = Folders.temporary("orchestrion-serve-");

    @AfterEach
    void delete() {
        Folders.delete(data);
    }

    @Test
    void a_taken_port_is_named() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = String.valueOf(taken.getLocalPort());
            var ended = ServerProcess.run("serve", "--port", port, "--data", data.toString());
            assertThat(ended.code()).as(ended.said()).isEqualTo(ExitCode.PORT_TAKEN.number());
            assertThat(ended.said()).contains(port);
        }
    }

    @Test
    void a_second_server_on_the_same_folder_is_refused_and_the_first_goes_on() {
        try (var first = ServerProcess.start(data)) {
            var ended = ServerProcess.run("serve", "--port", "0", "--data", data.toString());
            assertThat(ended.code()).as(ended.said()).isEqualTo(ExitCode.DATA_LOCKED.number());
            assertThat(ended.said()).contains(data.toString());
            assertThat(first.api().get("/v1/tasks").status()).isEqualTo(200);
        }
    }

    @Test
    void an_outside_database_that_does_not_answer_is_named() {
        var ended =
                ServerProcess.run(
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        data.toString(),
                        "--database-wait-seconds",
                        "0",
                        "--database-url",
                        "postgresql://nobody@127.0.0.1:1/none");
        assertThat(ended.code()).as(ended.said()).isEqualTo(ExitCode.DATABASE_UNREACHABLE.number());
        assertThat(ended.said()).contains("127.0.0.1:1");
    }

    @Test
    void a_bad_setting_is_named_with_its_bound() {
        var ended = ServerProcess.run("serve", "--port", "70000", "--data", data.toString());
        assertThat(ended.code()).isEqualTo(ExitCode.BAD_SETTINGS.number());
        assertThat(ended.said()).contains("port", "65535");
    }
}
