package io.orchestrion.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.tasks.DatabaseLine;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(180)
class ReadyTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static Reply ready(TestServer server) {
        return server.anonymous().get("/ready");
    }

    private static Reply health(TestServer server) {
        return server.anonymous().get("/health");
    }

    /// C-71, R-334: 200 with the shape of health.
    @Test
    void a_node_whose_database_answers_is_ready() {
        try (var server = new TestServer()) {
            Reply reply = ready(server);
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text("/status")).isEqualTo("ready");
            assertThat(reply.at("/reasons").size()).isZero();
            assertThat(reply.at("/database/reachable").asBoolean()).isTrue();
            assertThat(reply.text("/version")).isEqualTo("test");
        }
    }

    /// C-71, R-334: liveness does not depend on the database, readiness does, and both recover by
    /// themselves.
    @Test
    void without_its_database_a_node_lives_and_is_not_ready() throws IOException {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::through)) {
            assertThat(ready(server).status()).isEqualTo(200);
            line.cut();
            server.clock().advance(Duration.ofSeconds(2));
            Reply away = ready(server);
            assertThat(away.status()).isEqualTo(503);
            assertThat(away.text("/status")).isEqualTo("not_ready");
            assertThat(away.text("/reasons/0")).isEqualTo("database_unreachable");
            assertThat(away.header("Retry-After")).isEqualTo("5");
            assertThat(away.text("/agent_contract/next_actions/0/action"))
                    .isEqualTo("retry_after_wait");
            Reply alive = health(server);
            assertThat(alive.status()).isEqualTo(200);
            assertThat(alive.text("/status")).isEqualTo("degraded");
            assertThat(alive.at("/database/reachable").asBoolean()).isFalse();
            assertThat(alive.at("/database/round_trip_ms").isNull()).isTrue();
            assertThat(alive.text()).doesNotContain("SQL", "jdbc:", "127.0.0.1", "Exception");
            line.mend();
            Until.isTrue(
                    "it is ready again",
                    SOON,
                    () -> {
                        server.clock().advance(Duration.ofSeconds(1));
                        return ready(server).status() == 200;
                    });
            assertThat(health(server).text("/status")).isEqualTo("ok");
        }
    }

    /// A database without our tables, such as one restored to the wrong place.
    @Test
    void without_its_tables_a_node_is_not_ready() {
        try (var server = new TestServer()) {
            server.database().execute("alter schema orchestrion rename to elsewhere");
            Reply reply = ready(server);
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.text("/reasons/0")).isEqualTo("schema_missing");
            assertThat(health(server).text("/status")).isEqualTo("degraded");
            server.database().execute("alter schema elsewhere rename to orchestrion");
        }
    }

    /// However many ask, the database is asked once a second: counted where each question ends.
    @Test
    void polling_does_not_load_the_database() {
        var asked = new AtomicInteger();
        try (var server = new TestServer()) {
            server.kernel().failpoints().arm("probe.before-commit", asked::incrementAndGet);
            Parallel.run(
                    20,
                    _ ->
                            () -> {
                                for (int i = 0; i < 10; i++) {
                                    assertThat(ready(server).status()).isEqualTo(200);
                                    assertThat(health(server).status()).isEqualTo(200);
                                }
                                return null;
                            });
            // The machine's own seconds pass as well while 400 answers are given.
            int before = asked.get();
            assertThat(before).isBetween(1, 10);
            server.clock().advance(Duration.ofSeconds(1));
            assertThat(ready(server).status()).isEqualTo(200);
            assertThat(asked.get()).isGreaterThan(before);
        }
    }

    /// A database that does not answer keeps nobody waiting, and is not asked again meanwhile.
    @Test
    void a_database_that_hangs_is_a_database_that_is_away() {
        var asked = new AtomicInteger();
        var release = new CountDownLatch(1);
        try (var server = new TestServer()) {
            server.kernel()
                    .failpoints()
                    .arm(
                            "probe.before-commit",
                            () -> {
                                asked.incrementAndGet();
                                release.await();
                            });
            for (int i = 0; i < 3; i++) {
                long began = System.nanoTime();
                assertThat(ready(server).text("/reasons/0")).isEqualTo("database_unreachable");
                assertThat(Duration.ofNanos(System.nanoTime() - began))
                        .isLessThan(Duration.ofSeconds(30));
                server.clock().advance(Duration.ofSeconds(5));
            }
            assertThat(asked.get()).isEqualTo(1);
            release.countDown();
            Until.isTrue("the answer came", SOON, () -> ready(server).status() == 200);
        }
    }

    /// Whoever watches a node asks often: no limit counts it, not even the one over all routes.
    @Test
    void probes_are_never_limited() {
        RateLimits narrow = Doors.LIMITS.with(Map.of(RateLimits.EVERYTHING, 1));
        try (var server =
                new TestServer(options -> options, options -> options.withLimits(narrow))) {
            for (int i = 0; i < 20; i++) {
                assertThat(ready(server).status()).isEqualTo(200);
                assertThat(health(server).status()).isEqualTo(200);
            }
        }
    }

    /// A request that is under way when the node begins to stop is told to go elsewhere.
    @Test
    void a_node_that_drains_is_not_ready() throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var kernel = new TestKernel();
                var server = OrchestrionServer.start(kernel.kernel(), TestServer.options())) {
            kernel.failpoints()
                    .arm(
                            "probe.before-commit",
                            () -> {
                                entered.countDown();
                                release.await();
                            });
            var asked =
                    CompletableFuture.supplyAsync(
                            () -> Api.on(server.port(), new CatalogueCheck()).get("/ready"));
            entered.await();
            Thread drain = Thread.ofVirtual().start(() -> server.drain(Duration.ofSeconds(20)));
            Until.isTrue("the node drains", SOON, () -> refuses(server.port()));
            release.countDown();
            assertThat(asked.get().status()).isEqualTo(503);
            assertThat(asked.get().text("/reasons/0")).isEqualTo("draining");
            drain.join();
        }
    }

    private static boolean refuses(int port) {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
