package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/// The simulator as it is called, small: a server of its own, killed once.
@Timeout(300)
class SimulateTest {
    @TempDir private Path folder;

    /// J-189, J-192, J-210, J-214, J-294, J-295: in one run with a kill in the middle, as far as
    /// clients can see it.
    @Test
    void a_run_with_a_kill_breaks_no_rule() throws Exception {
        ServerProcess.Ended ended =
                ServerProcess.run(
                        "simulate",
                        "--jobs",
                        "150",
                        "--clients",
                        "14",
                        "--restarts",
                        "1",
                        "--seed",
                        "7",
                        "--out",
                        folder.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said())
                .contains("0 violations of", "The server was killed.", "killed and restarted once")
                .containsPattern("SUCCESS_SLOW +SUCCEEDED +[1-9]");
        assertThat(Files.readString(folder.resolve("report.html"))).contains("<svg");
        Path seen = folder.resolve("observed.json");
        doctored(seen);
    }

    /// What was seen, with one name changed by hand: the same check now fails. It is changed in
    /// every report, since a report that was read twice must be the same twice.
    private void doctored(Path seen) throws Exception {
        Path file = folder.resolve("doctored.json");
        Files.writeString(
                file,
                Files.readString(seen)
                        .replace("\"name\":\"job.running\"", "\"name\":\"job.queued\""));
        ServerProcess.Ended ended =
                ServerProcess.run(
                        "simulate",
                        "--check",
                        file.toString(),
                        "--out",
                        folder.resolve("again").toString());
        assertThat(ended.code()).as(ended.said()).isEqualTo(1);
        assertThat(ended.said()).contains("VIOLATION EVENT_NAME").doesNotContain("REPORT_FIXED");
    }

    @Test
    void a_line_that_is_not_right_says_what_would_be() throws Exception {
        assertThat(ServerProcess.run("simulate", "--scenario", "kinds,chaos").said())
                .contains("not \"chaos\"", "webhooks");
        assertThat(ServerProcess.run("simulate", "--clients", "1").said())
                .contains("--clients must be 2 to 200, not 1");
        Path file = Files.writeString(folder.resolve("x.json"), "[]");
        ServerProcess.Ended ended = ServerProcess.run("simulate", "--check", file.toString());
        assertThat(ended.code()).isEqualTo(64);
        assertThat(ended.said()).contains("does not hold what a simulation saw");
    }
}
