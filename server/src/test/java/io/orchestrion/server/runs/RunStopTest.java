package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.planned;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.doors.RunsPlug;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/// A node that drives runs is stopped, as a deployment does it.
@Timeout(180)
class RunStopTest {
    private static final Duration ALLOWED = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestServer server = new TestServer();
    private final RunApi mine = RunApi.on(server);

    @AfterEach
    void close() {
        server.close();
    }

    private Kernel node() {
        return server.kernel()
                .anotherNode(
                        options ->
                                options.withSchema(Doors.SCHEMA)
                                        .withOwners(Doors.OWNERS)
                                        .withSubjects(Doors.SUBJECTS));
    }

    private static boolean refuses(int port) {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private long driversThatAre(String state) {
        return server.database()
                .value("select count(*) from item where kind = 'run_drive' and state = ?", state);
    }

    /// nothing more is taken, what is under way is answered, and what is held is given back
    /// at once, so that another node goes on with the run as it is. R-333: no node has anything
    /// that the others need.
    @Test
    void a_node_that_stops_answers_takes_no_more_and_hands_its_runs_back() throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        String run = mine.create(planned(one("a")));
        mine.done(run, "start");
        Kernel kernel = node();
        try (var other = OrchestrionServer.start(kernel, TestServer.options())) {
            Until.isTrue(
                    "the other node drives the run",
                    PATIENCE,
                    () -> {
                        kernel.sweepOnce("run-drivers");
                        return mine.status(run).equals("running")
                                && other.door(RunsPlug.Open.class).engine().driven() == 1;
                    });
            assertThat(driversThatAre("running")).isEqualTo(1);
            Api there = Api.on(other.port(), new CatalogueCheck()).withKey(mine.tasks().key());
            kernel.database()
                    .failpoints()
                    .arm(
                            "submit.before-commit",
                            () -> {
                                entered.countDown();
                                release.await();
                            });
            CompletableFuture<Reply> underWay =
                    CompletableFuture.supplyAsync(
                            () -> there.post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}"));
            entered.await();
            String next = mine.create(planned(one("b")));
            mine.done(next, "start");
            long began = System.nanoTime();

            var drained = CompletableFuture.runAsync(() -> other.drain(ALLOWED));
            Until.isTrue("the node takes no more", PATIENCE, () -> refuses(other.port()));
            kernel.sweepOnce("run-drivers");
            release.countDown();

            assertThat(underWay.get().status()).isEqualTo(201);
            drained.get();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(ALLOWED);
            assertThat(mine.status(next)).isEqualTo("pending");
        }
        assertThat(driversThatAre("running")).isZero();
        assertThat(driversThatAre("ready")).isEqualTo(2);

        String agent = mine.api().get(RunApi.path(run) + "/agents").text("/items/0/id");
        Until.isTrue(
                "this node goes on, without waiting for a lease",
                PATIENCE,
                () -> {
                    server.kernel().kernel().sweepOnce("run-drivers");
                    return server.runs().driven() == 2;
                });
        mine.complete("a");
        assertThat(mine.status(run)).isEqualTo("completed");
        assertThat(mine.api().get(RunApi.path(run) + "/agents").text("/items/0/id"))
                .isEqualTo(agent);
    }
}
