package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/// The bench as it is called, each measurement for an instant: whether it works, never how fast.
class BenchTest {
    @TempDir private Path folder;

    @Test
    void scenarios_are_measured_and_written_down() throws Exception {
        ServerProcess.Ended ended =
                ServerProcess.run(
                        "bench",
                        "--quick",
                        "--scenarios",
                        "sql,single,batch,longpoll,heartbeat,mixed,tenants,history,snapshot",
                        "--seconds",
                        "0.2",
                        "--history",
                        "2000",
                        "--snapshot-seconds",
                        "0.4",
                        "--out",
                        folder.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said())
                .contains("one row a statement", "500 rows a statement")
                .contains("64 connections", "open loop", "% HOT updates", "idle waiters")
                .contains("quiet, beside", "flooding")
                .contains("2,000 of 2,000 finished tasks", "2,000 in store")
                .contains("sequential scans of work tables 0.00")
                .contains("held for 0.4 s", "claim p99 held/before");
        assertThat(Files.readString(folder.resolve("bench.html"))).contains("<svg");
        assertThat(Files.readString(folder.resolve("bench.json"))).contains("\"perSecond\"");
    }

    @Test
    void executions_are_measured_and_written_down() throws Exception {
        ServerProcess.Ended ended =
                ServerProcess.run(
                        "bench",
                        "--quick",
                        "--scenarios",
                        "workflow",
                        "--seconds",
                        "0.2",
                        "--out",
                        folder.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said())
                .contains("tasks beside it", "one step", "of tasks", "ten steps in a row")
                .contains("a decision and a wait of 0", "step to step, from the answer")
                .contains("history of 200 attempts", "last page of many")
                .contains("200 on timers, 200 on people", "server % of a core");
        assertThat(Files.readString(folder.resolve("bench.json"))).contains("\"workflow\"");
    }

    @Test
    void runs_are_measured_and_written_down() throws Exception {
        ServerProcess.Ended ended =
                ServerProcess.run(
                        "bench",
                        "--quick",
                        "--scenarios",
                        "runs,ledger",
                        "--seconds",
                        "0.2",
                        "--out",
                        folder.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said())
                .contains("tasks beside it", "10 agents, 3 tasks, 2 steps", "of tasks")
                .contains("one run of 400 steps", "time of its last quarter/first")
                .contains("page of agents", "page of steps", "starts/s");
        assertThat(Files.readString(folder.resolve("bench.json")))
                .contains("\"runs\"", "\"ledger\"");
    }

    @Test
    void what_it_does_not_know_is_said_by_name() {
        ServerProcess.Ended ended = ServerProcess.run("bench", "--scenarios", "single,quick");
        assertThat(ended.code()).isNotZero();
        assertThat(ended.said()).contains("not \"quick\"", "heartbeat");
        assertThat(ServerProcess.run("bench", "--peers", "single").said())
                .contains("--peers knows graphile-worker", "not \"single\"");
        assertThat(ServerProcess.run("bench", "--seconds", "0").said())
                .contains("--seconds must be 0.1 to 3600, not 0");
        assertThat(ServerProcess.run("bench", "--seconds", "5", "--snapshot-seconds", "5").said())
                .contains("--snapshot-seconds must be more than the window of 5, not 5");
    }
}
