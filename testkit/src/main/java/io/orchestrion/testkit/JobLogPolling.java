package io.orchestrion.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// Eight who append to the log of one job at once, through one node or several, while others poll
/// it from the last that they have seen, by time and by cursor. Whoever polls sees all of it once.
public final class JobLogPolling {
    private static final int APPENDERS = 8;

    private final String path;
    private final String key;
    private final String token;
    private final String worker;
    private final int each;
    private final AtomicInteger writing = new AtomicInteger(APPENDERS);

    /// @param key reads the log
    /// @param token of the worker that holds the job
    /// @param each how many events each appends
    public JobLogPolling(String job, String key, String token, String worker, int each) {
        this.path = "/api/queue/jobs/" + job + "/events";
        this.key = key;
        this.token = token;
        this.worker = worker;
        this.each = each;
    }

    /// @param nodes without credentials; each has two readers and its share of the appenders
    public void run(List<Api> nodes) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readers = new ArrayList<CompletableFuture<List<String>>>();
            for (Api node : nodes) {
                Api reader = node.withKey(key);
                for (Function<Reply, String> next :
                        List.<Function<Reply, String>>of(
                                JobLogPolling::lastTime, page -> page.text("/nextCursor"))) {
                    readers.add(CompletableFuture.supplyAsync(() -> polled(reader, next), threads));
                }
            }
            var appenders = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < APPENDERS; i++) {
                Api node = nodes.get(i % nodes.size()).with("X-MoonMind-Worker-Token", token);
                String name = name(i);
                appenders.add(CompletableFuture.runAsync(() -> append(node, name), threads));
            }
            for (var appender : appenders) {
                appender.get();
            }
            for (var reader : readers) {
                check(reader.get());
            }
        }
    }

    private static String name(int appender) {
        return "appender-" + appender + "-";
    }

    private void append(Api node, String name) {
        for (int i = 0; i < each; i++) {
            Reply added =
                    node.post(
                            path,
                            "{\"workerId\":\"%s\",\"level\":\"info\",\"message\":\"%s%d\"}"
                                    .formatted(worker, name, i));
            assertThat(added.status()).as(added.text()).isEqualTo(201);
        }
        writing.decrementAndGet();
    }

    /// @param next what to ask with after a page
    private List<String> polled(Api reader, Function<Reply, String> next) {
        var seen = new ArrayList<String>();
        String after = "";
        while (true) {
            boolean last = writing.get() == 0;
            Reply page = reader.get(path + "?limit=25" + after);
            assertThat(page.status()).isEqualTo(200);
            page.at("/items").forEach(event -> seen.add(event.get("message").asString()));
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

    private void check(List<String> seen) {
        var due = new ArrayList<String>();
        for (int appender = 0; appender < APPENDERS; appender++) {
            String name = name(appender);
            var own = new ArrayList<String>();
            for (int i = 0; i < each; i++) {
                own.add(name + i);
            }
            assertThat(seen.stream().filter(message -> message.startsWith(name)).toList())
                    .isEqualTo(own);
            due.addAll(own);
        }
        assertThat(seen.stream().filter(message -> message.startsWith("appender-")).toList())
                .containsExactlyInAnyOrderElementsOf(due);
    }
}
