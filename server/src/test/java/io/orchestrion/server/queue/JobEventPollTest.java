package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// whoever asks again from the last that it has seen misses nothing and gets nothing twice,
/// while eight append at once, on one node and on two.
@Timeout(180)
class JobEventPollTest extends QueueFixture {
    private static final int APPENDERS = 8;
    private static final int EACH = 60;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// @param next what to ask with after a page
    private List<String> polled(
            Api reader, String id, AtomicInteger writing, Function<Reply, String> next) {
        var seen = new ArrayList<String>();
        String after = "";
        while (true) {
            boolean last = writing.get() == 0;
            Reply page = reader.get(QueueApi.JOBS + "/" + id + "/events?limit=25" + after);
            assertThat(page.status()).isEqualTo(200);
            for (JsonNode event : page.at("/items")) {
                seen.add(event.get("message").asString());
            }
            if (!page.at("/items").isEmpty()) {
                after = "&after=" + next.apply(page);
            } else if (last) {
                return seen;
            }
        }
    }

    private static String lastTime(Reply page) {
        JsonNode items = page.at("/items");
        return items.get(items.size() - 1).get("createdAt").asString();
    }

    private void pollWhile(List<Api> nodes) throws Exception {
        QueueApi.Worker worker = queue.worker("executor-01");
        String id = queue.enqueue("t");
        assertThat(worker.claimed()).isEqualTo(id);
        var writing = new AtomicInteger(APPENDERS);
        var readers = new ArrayList<CompletableFuture<List<String>>>();
        for (Api node : nodes) {
            Api keyed = node.withKey(queue.key());
            readers.add(
                    CompletableFuture.supplyAsync(
                            () -> polled(keyed, id, writing, JobEventPollTest::lastTime), threads));
            readers.add(
                    CompletableFuture.supplyAsync(
                            () -> polled(keyed, id, writing, page -> page.text("/nextCursor")),
                            threads));
        }
        var due = new ArrayList<String>();
        var appenders = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < APPENDERS; i++) {
            String name = "a" + i + "-";
            Api node = nodes.get(i % nodes.size()).with("X-MoonMind-Worker-Token", worker.token());
            for (int j = 0; j < EACH; j++) {
                due.add(name + j);
            }
            appenders.add(
                    CompletableFuture.runAsync(
                            () -> {
                                var mine = new QueueApi.Worker(node, "executor-01", "", "");
                                for (int j = 0; j < EACH; j++) {
                                    Reply added = mine.say(id, name + j);
                                    assertThat(added.status()).as(added.text()).isEqualTo(201);
                                }
                                writing.decrementAndGet();
                            },
                            threads));
        }
        for (var appender : appenders) {
            appender.get();
        }
        for (var reader : readers) {
            List<String> said =
                    reader.get().stream().filter(message -> message.startsWith("a")).toList();
            assertThat(said).containsExactlyInAnyOrderElementsOf(due);
            for (int i = 0; i < APPENDERS; i++) {
                String name = "a" + i + "-";
                assertThat(said.stream().filter(message -> message.startsWith(name)))
                        .isEqualTo(
                                due.stream().filter(message -> message.startsWith(name)).toList());
            }
        }
        List<String> times =
                queue.events(id, "?limit=1000").at("/items").findValuesAsString("createdAt");
        assertThat(times).hasSize(APPENDERS * EACH + 2).isSorted().doesNotHaveDuplicates();
    }

    ///
    @Test
    void polling_under_eight_appenders_loses_and_repeats_nothing() throws Exception {
        pollWhile(List.of(server.anonymous()));
    }

    /// Q-078 across nodes: half of them append through another server on the same database.
    @Test
    void polling_through_two_servers_loses_and_repeats_nothing() throws Exception {
        Kernel other = server.kernel().anotherNode(options -> options);
        try (var second = OrchestrionServer.start(other, TestServer.options())) {
            pollWhile(List.of(server.anonymous(), Api.on(second.port(), new CatalogueCheck())));
        }
    }
}
