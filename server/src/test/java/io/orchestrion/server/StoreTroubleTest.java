package io.orchestrion.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.server.EveryEndpoint.Asked;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.tasks.CapturedLog;
import io.orchestrion.server.tasks.DatabaseLine;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/// One rule for all doors: a store that cannot do it is never a mistake of the server's.
@Timeout(180)
class StoreTroubleTest {
    private static final List<String> LANES =
            List.of(
                    "pool",
                    "submit",
                    "submit-metered-1",
                    "submit-metered-2",
                    "submit-keyed",
                    "claim",
                    "claim-metered-1",
                    "claim-metered-2",
                    "claim-policy",
                    "holder",
                    "settle",
                    "log",
                    "command",
                    "job-submit",
                    "job-submit-keyed",
                    "job-claim",
                    "worker-tokens",
                    "execution-create",
                    "execution-create-keyed");

    /// How each door says that its store is away.
    private static final Map<String, String> AWAY =
            Map.of(
                    "tasks", "server_error",
                    "queue", "queue_unavailable",
                    "jobs", "RFA_STORAGE_UNAVAILABLE",
                    "orchestrations", "server_error",
                    "runs", "server_error");

    private static String code(Reply reply) {
        return reply.error().isEmpty() ? reply.text("/code") : reply.error();
    }

    /// Metrics and probes are about the node, and their answers are their own.
    private static boolean doesWork(Endpoint endpoint) {
        return !List.of("health", "ready").contains(endpoint.name())
                && !endpoint.door().equals("pages");
    }

    /// A page for people, in a door of its own and in no document.
    private static void pageIsAway(TestServer server) {
        Reply page =
                Api.on(server.port(), (_, _, _) -> {}).get("/billing/approve/" + UUID.randomUUID());
        assertThat(page.status()).isEqualTo(503);
        assertThat(page.header("Retry-After")).isNotEmpty();
    }

    /// T-260, J-313: nobody is known any more, so that every gate asks the store.
    @Test
    void with_the_store_away_every_endpoint_of_every_door_says_so() throws Exception {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::through)) {
            TaskApi account = server.account();
            String id = account.create("kept");
            TaskApi stranger = server.account();
            line.cut();
            try (var log = new CapturedLog()) {
                for (Asked asked : EveryEndpoint.of(stranger, id, StoreTroubleTest::doesWork)) {
                    if (asked.endpoint().access() != Access.PUBLIC
                            || asked.reply().status() >= 500) {
                        away(asked);
                    }
                }
                pageIsAway(server);
                saysLittle(log);
            }
        }
    }

    /// The same where the caller is known, so that the work itself meets the broken connection.
    @Test
    void work_under_way_says_so_as_well() throws Exception {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::throughAtRest)) {
            TaskApi account = server.account();
            String id = account.create("kept");
            EveryEndpoint.of(account, id, endpoint -> endpoint.name().equals("getTask"));
            line.cut();
            try (var log = new CapturedLog()) {
                List<Asked> all = EveryEndpoint.of(account, id, StoreTroubleTest::doesWork);
                all.stream().filter(asked -> asked.reply().status() >= 500).forEach(this::away);
                assertThat(all)
                        .filteredOn(asked -> asked.reply().status() == 503)
                        .hasSizeGreaterThan(60);
                saysLittle(log);
            }
        }
    }

    private void away(Asked asked) {
        assertThat(asked.reply().status()).as("%s", asked).isEqualTo(503);
        assertThat(asked.reply().header("Retry-After")).as("%s", asked).isNotEmpty();
        assertThat(code(asked.reply()))
                .as("%s", asked)
                .isEqualTo(AWAY.get(asked.endpoint().door()));
        assertThat(asked.reply().text()).doesNotContain("SQL", "jdbc:", "127.0.0.1", "Exception");
    }

    private static void saysLittle(CapturedLog log) {
        assertThat(log.events())
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                // What is the operator's alone is refused whatever the store does, a line each.
                .filteredOn(event -> !event.getFormattedMessage().equals("not let in"))
                .as("the state changed once")
                .hasSizeLessThan(6)
                .allMatch(event -> event.getThrowableProxy() == null)
                .anyMatch(event -> event.getFormattedMessage().contains("cannot be reached"));
    }

    /// Whatever the store's trouble is, wherever it is met. What it refused because of what it was
    /// given is a mistake of ours.
    @ParameterizedTest
    @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "REJECTED")
    void no_trouble_of_the_store_is_a_mistake_of_the_server(Kind kind) throws Exception {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::throughAtRest)) {
            TaskApi account = server.account();
            String id = account.create("kept");
            for (String lane : LANES) {
                server.kernel()
                        .failpoints()
                        .arm(
                                lane + ".before-commit",
                                () -> {
                                    throw new StoreException(kind, "told to");
                                });
            }
            List<Asked> all = EveryEndpoint.of(account, id, StoreTroubleTest::doesWork);
            List<Asked> failed =
                    all.stream().filter(asked -> asked.reply().status() >= 500).toList();
            assertThat(failed).hasSizeGreaterThan(60);
            for (Asked asked : failed) {
                boolean full = kind == Kind.NO_ROOM && !asked.endpoint().door().equals("jobs");
                assertThat(asked.reply().status()).as("%s", asked).isEqualTo(full ? 507 : 503);
                assertThat(asked.reply().header("Retry-After"))
                        .as("%s", asked)
                        .isEqualTo(
                                kind == Kind.NO_ROOM ? "30" : asked.reply().header("Retry-After"))
                        .isNotEmpty();
            }
        }
    }
}
