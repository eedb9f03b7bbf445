package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.ScriptedServer.Asked;
import io.orchestrion.sdk.ScriptedServer.Told;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/// What a worker writes to its job's log, on a network and a server as they are.
@Timeout(180)
class JobLogTest {
    /// As the server has them.
    private final List<String> stored = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstAsked = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private Told store(Asked asked) {
        String message = asked.body().path("message").asString();
        stored.add(asked.body().path("level").asString() + ": " + message);
        return Told.of(201, event(stored.size(), message));
    }

    private static String event(int n, String message) {
        return JobQueueTest.event(n, message.replace("\n", "\\n"), "null");
    }

    private Told list() {
        var events = new ArrayList<String>();
        for (int i = 0; i < stored.size(); i++) {
            events.add(event(i + 1, stored.get(i).replaceFirst("^\\w+: ", "")));
        }
        return Told.of(200, "{\"items\":[" + String.join(",", events) + "]}");
    }

    private List<String> written(Function<Asked, Told> server, Consumer<JobLog> writer) {
        try (var scripted = new ScriptedServer(server);
                var client = scripted.client("k")) {
            var log = new JobLog(client.queue(), JobQueueTest.claimed());
            writer.accept(log);
            log.finish(Duration.ofSeconds(30));
            return scripted.paths();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lines_that_come_while_one_is_under_way_go_together_in_their_order() {
        List<String> asked =
                written(
                        event -> {
                            firstAsked.countDown();
                            await(go);
                            return store(event);
                        },
                        log -> {
                            log.line(JobEventLevel.INFO, "stdout", "first");
                            await(firstAsked);
                            IntStream.range(0, 500)
                                    .forEach(
                                            i ->
                                                    log.line(
                                                            JobEventLevel.INFO,
                                                            "stdout",
                                                            "line " + i));
                            log.line(JobEventLevel.ERROR, "stderr", "oops");
                            log.event(JobEventLevel.INFO, "phase", "{\"phase\":\"end\"}");
                            log.line(JobEventLevel.INFO, "stdout", "");
                            go.countDown();
                        });
        assertThat(asked).hasSizeLessThan(10);
        String all =
                String.join("\n", stored.subList(1, stored.size() - 3)).replaceAll("info: ", "");
        assertThat(all.lines())
                .containsExactlyElementsOf(
                        IntStream.range(0, 500).mapToObj(i -> "line " + i).toList());
        assertThat(stored)
                .startsWith("info: first")
                .endsWith("error: oops", "info: phase", "info: (blank)")
                .allMatch(message -> message.length() <= JobLog.MESSAGE_MAX + 10);
    }

    @Test
    void a_server_that_is_away_or_busy_is_asked_until_it_has_everything() {
        var count = new AtomicInteger();
        written(
                event ->
                        event.method().equals("GET")
                                ? list()
                                : switch (count.getAndIncrement()) {
                                    case 0 -> Told.problem(503, "queue_unavailable");
                                    case 1 -> Told.problem(429, "queue_too_many_events").after(1);
                                    default -> store(event);
                                },
                log -> {
                    log.event(JobEventLevel.INFO, "one", null);
                    log.event(JobEventLevel.WARN, "two", null);
                });
        assertThat(stored).containsExactly("info: one", "warn: two");
    }

    @Test
    void an_event_whose_answer_was_lost_is_looked_for_and_not_written_twice() {
        var count = new AtomicInteger();
        List<String> asked =
                written(
                        event -> {
                            if (event.method().equals("GET")) {
                                return list();
                            }
                            Told told = store(event);
                            return count.getAndIncrement() == 0 ? Told.nothing() : told;
                        },
                        log -> {
                            log.event(JobEventLevel.INFO, "one", null);
                            log.event(JobEventLevel.INFO, "two", null);
                        });
        assertThat(stored).containsExactly("info: one", "info: two");
        assertThat(asked).anyMatch(path -> path.startsWith("GET "));
    }

    @Test
    void an_event_that_never_arrived_is_sent_again() {
        var count = new AtomicInteger();
        written(
                event ->
                        event.method().equals("GET")
                                ? list()
                                : count.getAndIncrement() == 0 ? Told.nothing() : store(event),
                log -> log.event(JobEventLevel.INFO, "one", null));
        assertThat(stored).containsExactly("info: one");
    }

    @Test
    void who_may_not_read_the_log_rather_writes_twice_than_not_at_all() {
        var count = new AtomicInteger();
        written(
                event -> {
                    if (event.method().equals("GET")) {
                        return Told.problem(403, "queue_insufficient_scope");
                    }
                    Told told = store(event);
                    return count.getAndIncrement() == 0 ? Told.nothing() : told;
                },
                log -> log.event(JobEventLevel.INFO, "one", null));
        assertThat(stored).containsExactly("info: one", "info: one");
    }

    @Test
    void a_log_that_takes_no_more_ends_the_writing_and_nothing_else() {
        List<String> asked =
                written(
                        _ -> Told.problem(409, "queue_event_log_full"),
                        log -> {
                            log.event(JobEventLevel.INFO, "one", null);
                            log.event(JobEventLevel.INFO, "two", null);
                        });
        assertThat(asked).hasSize(1);
    }

    @Test
    void one_event_that_is_refused_does_not_take_the_others_along() {
        written(
                event ->
                        event.body().path("message").asString().equals("bad")
                                ? Told.problem(400, "queue_invalid_request")
                                : store(event),
                log -> {
                    log.event(JobEventLevel.INFO, "bad", null);
                    log.event(JobEventLevel.INFO, "no json", "{");
                    log.event(JobEventLevel.INFO, "good", "{}");
                });
        assertThat(stored).containsExactly("info: good");
    }

    @Test
    void what_does_not_fit_is_counted_and_the_rest_is_in_order() {
        written(
                event -> {
                    firstAsked.countDown();
                    await(go);
                    return store(event);
                },
                log -> {
                    for (int i = 0; i < 1_500; i++) {
                        log.event(JobEventLevel.INFO, "event " + i, null);
                        if (i == 0) {
                            await(firstAsked);
                        }
                    }
                    go.countDown();
                });
        assertThat(stored).hasSize(1_001);
        assertThat(stored.subList(0, 1_000))
                .containsExactlyElementsOf(
                        IntStream.range(0, 1_000).mapToObj(i -> "info: event " + i).toList());
        assertThat(stored.getLast())
                .isEqualTo("warn: 500 lines were left out: they came faster than they went.");
    }

    @Test
    void a_message_is_no_longer_than_the_server_takes() {
        written(this::store, log -> log.event(JobEventLevel.INFO, "\0" + "😀".repeat(5_000), null));
        String message = stored.getFirst().substring("info: ".length());
        assertThat(message).startsWith("\uFFFD😀").endsWith("😀");
        assertThat(message.codePointCount(0, message.length())).isEqualTo(JobLog.MESSAGE_MAX);
    }
}
