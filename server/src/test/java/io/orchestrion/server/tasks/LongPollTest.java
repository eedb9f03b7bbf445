package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.ServerOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Claims that wait for something to claim. Nothing sweeps by itself here, so a claimer is served
/// by being woken, or by a look that the test asks for.
class LongPollTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int FEW_PLACES = 60;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final TestServer server =
            new TestServer(
                    options -> options,
                    options ->
                            ServerOptions.on(
                                            options.http()
                                                    .withAdmission(
                                                            new HttpOptions.Admission(
                                                                    FEW_PLACES,
                                                                    10,
                                                                    1,
                                                                    Duration.ZERO)),
                                            "test")
                                    .withLimits(options.limits()));
    private final TaskApi tasks = server.account();

    @AfterEach
    void stop() {
        server.close();
        threads.shutdownNow();
    }

    private static String wish(String type, int seconds) {
        return "{\"type\":\"%s\",\"waitSeconds\":%d}".formatted(type, seconds);
    }

    private int waiting() {
        return server.kernel().kernel().waiters().waiting();
    }

    private CompletableFuture<Reply> asked(TaskApi api, String body) {
        return CompletableFuture.supplyAsync(
                () -> api.api().post("/v1/tasks/claim", body), threads);
    }

    private int resting() {
        return server.kernel().kernel().waiters().resting();
    }

    /// A claimer that is in line now, behind all that were there, and has looked: one that is still
    /// about to would take what comes next before them.
    private CompletableFuture<Reply> inLine(TaskApi api, String body) {
        int before = waiting();
        CompletableFuture<Reply> reply = asked(api, body);
        Until.isTrue("it waits", SOON, () -> waiting() == before + 1 && resting() == before + 1);
        return reply;
    }

    private static Reply got(CompletableFuture<Reply> reply) throws Exception {
        return reply.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /// L-010.
    @Test
    void a_waiting_claim_is_answered_when_a_task_comes() throws Exception {
        CompletableFuture<Reply> reply = inLine(tasks, wish("work", 30));
        assertThat(reply).isNotDone();
        String id = tasks.create("work");
        assertThat(got(reply).text("/task/id")).isEqualTo(id);
        assertThat(got(reply).text("/leaseToken")).isNotEmpty();
        assertThat(waiting()).isZero();
    }

    /// L-010: what is there already is not waited for, and without the field nothing is.
    @Test
    void what_is_there_is_given_at_once() {
        String first = tasks.create("work");
        assertThat(tasks.api().post("/v1/tasks/claim", wish("work", 30)).text("/task/id"))
                .isEqualTo(first);
        assertThat(tasks.claim("work").at("/task").isNull()).isTrue();
        assertThat(tasks.api().post("/v1/tasks/claim", wish("work", 0)).at("/task").isNull())
                .isTrue();
    }

    /// L-010.
    @Test
    void who_waited_in_vain_is_told_so_at_the_end() {
        long began = System.nanoTime();
        Reply empty = tasks.api().post("/v1/tasks/claim", wish("work", 1));
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(empty.status()).isEqualTo(200);
        assertThat(empty.at("/task").isNull()).isTrue();
        assertThat(empty.at("/agent_contract/task_claimable").asBoolean()).isFalse();
        assertThat(waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "31", "1.5", "\"5\"", "true"})
    void the_wait_is_a_whole_number_of_seconds_up_to_thirty(String seconds) {
        Reply bad =
                tasks.api()
                        .post(
                                "/v1/tasks/claim",
                                "{\"type\":\"work\",\"waitSeconds\":" + seconds + "}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.text("/message")).contains("waitSeconds");
    }

    /// L-010: first come, first served, and nobody is served for another type or account.
    @Test
    void who_came_first_is_served_first() throws Exception {
        CompletableFuture<Reply> other = inLine(tasks, wish("other", 30));
        CompletableFuture<Reply> stranger = inLine(server.account(), wish("work", 30));
        var line = new ArrayList<CompletableFuture<Reply>>();
        for (int i = 0; i < 10; i++) {
            line.add(inLine(tasks, wish("work", 30)));
        }
        for (int i = 0; i < 10; i++) {
            String id = tasks.create("work");
            assertThat(got(line.get(i)).text("/task/id")).isEqualTo(id);
            assertThat(line.subList(i + 1, 10)).noneMatch(CompletableFuture::isDone);
        }
        assertThat(List.of(other, stranger)).noneMatch(CompletableFuture::isDone);
    }

    /// L-010: by fail, by requeue and by a lease that ended, too.
    @Test
    void whatever_makes_a_task_claimable_wakes() throws Exception {
        String id = tasks.create("work", "\"maxAttempts\":2");
        tasks.verb(id, "claim");
        CompletableFuture<Reply> afterFail = inLine(tasks, wish("work", 30));
        tasks.verb(id, "fail");
        assertThat(got(afterFail).text("/task/id")).isEqualTo(id);
        tasks.verb(id, "fail");
        CompletableFuture<Reply> afterRequeue = inLine(tasks, wish("work", 30));
        tasks.verb(id, "requeue");
        assertThat(got(afterRequeue).text("/task/id")).isEqualTo(id);
        CompletableFuture<Reply> afterLapse = inLine(tasks, wish("work", 30));
        server.clock().advance(Duration.ofSeconds(301));
        server.sweepLeases();
        assertThat(got(afterLapse).text("/task/id")).isEqualTo(id);
    }

    /// L-010: the poll itself finds what is due, without the promoter.
    @Test
    void a_task_whose_time_comes_is_found_by_the_poll() throws Exception {
        long now = new Stored(server).nowMs();
        String id =
                tasks.create(
                        "work", "\"scheduledAt\":\"" + Instant.ofEpochMilli(now + 60_000) + "\"");
        CompletableFuture<Reply> reply = inLine(tasks, wish("work", 30));
        server.kernel().kernel().sweepOnce("waiter-poll");
        assertThat(reply).isNotDone();
        server.clock().advance(Duration.ofSeconds(61));
        server.kernel().kernel().sweepOnce("waiter-poll");
        assertThat(got(reply).text("/task/id")).isEqualTo(id);
    }

    /// L-010: one look is enough for as many as there is work for, when no hint was heard.
    @Test
    void work_of_a_node_that_was_not_heard_is_found_by_the_poll() throws Exception {
        var line = new ArrayList<CompletableFuture<Reply>>();
        for (int i = 0; i < 4; i++) {
            line.add(inLine(tasks, wish("work", 30)));
        }
        UUID account = UUID.fromString(tasks.accountId());
        try (Kernel other = server.kernel().anotherNode(options -> options)) {
            for (int i = 0; i < 3; i++) {
                other.work()
                        .submit(Submission.of(NewWork.of(account, Profiles.TASKS, "work", "{}")));
            }
        }
        server.kernel().kernel().sweepOnce("waiter-poll");
        for (int i = 0; i < 3; i++) {
            assertThat(got(line.get(i)).text("/task/id")).isNotEmpty();
        }
        assertThat(line.getLast()).isNotDone();
    }

    /// L-010: a plan that allows no more is no reason to wait.
    @Test
    void a_refusal_is_answered_at_once() throws Exception {
        TaskApi free = server.account("free");
        do {
            free.create("work");
        } while (free.claim("work").status() == 200);
        CompletableFuture<Reply> refused = asked(free, wish("work", 30));
        assertThat(got(refused).error()).isEqualTo("max_workers_reached");
    }

    @Test
    void a_claim_with_an_id_waits_and_is_given_again() throws Exception {
        String body =
                "{\"type\":\"work\",\"waitSeconds\":30,\"claimId\":\"%s\"}"
                        .formatted(UUID.randomUUID());
        CompletableFuture<Reply> first = inLine(tasks, body);
        String id = tasks.create("work");
        assertThat(got(first).text("/task/id")).isEqualTo(id);
        // Also behind others who wait, and with another wait.
        inLine(tasks, wish("work", 30));
        Reply again =
                tasks.api()
                        .post(
                                "/v1/tasks/claim",
                                body.replace("\"waitSeconds\":30", "\"waitSeconds\":29"));
        assertThat(again.text("/leaseToken")).isEqualTo(got(first).text("/leaseToken"));
    }

    /// L-010: thousands who wait hold no place in flight, and ask the database for nothing.
    @Test
    void thousands_wait_without_a_place_and_without_a_statement() throws Exception {
        int many = 2_000;
        // Who its key is of is known from then on: fifty who ask that at once are more than the few
        // connections of a test can tell in time on a busy machine.
        assertThat(tasks.claim("work").at("/task").isNull()).isTrue();
        var commits = new AtomicInteger();
        server.kernel().failpoints().arm("claim.after-commit", commits::incrementAndGet);
        var all = new ArrayList<CompletableFuture<Reply>>();
        for (int i = 0; i < many; i++) {
            all.add(asked(tasks, wish("work", 30)));
            if (i % 50 == 49) {
                // So many at a time as there are places to come in by.
                int so = i + 1;
                Until.isTrue("they wait", SOON, () -> waiting() == so);
            }
        }
        // Whoever came when others waited already did not even look.
        int arrived = commits.get();
        assertThat(arrived).isLessThan(many / 10);
        for (int i = 0; i < 20; i++) {
            server.kernel().kernel().sweepOnce("waiter-poll");
        }
        assertThat(commits.get()).as("looks while nothing comes").isEqualTo(arrived);
        assertThat(tasks.api().get("/v1/tasks").status()).isEqualTo(200);

        for (int i = 0; i < 3; i++) {
            tasks.create("work");
        }
        Until.isTrue(
                "three are served",
                SOON,
                () -> all.stream().filter(CompletableFuture::isDone).count() == 3);
        assertThat(commits.get() - arrived).isLessThanOrEqualTo(6);

        // Stopping ends all waits at once.
        server.kernel().kernel().work().closeClaims();
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(all)
                .extracting(reply -> reply.join().status())
                .containsOnly(200, 503)
                .filteredOn(status -> status == 503)
                .hasSize(many - 3);
    }

    /// A server that stops while somebody waits does not keep them, nor itself, waiting.
    @Test
    void stopping_ends_the_wait() throws Exception {
        CompletableFuture<Reply> reply = inLine(tasks, wish("work", 30));
        server.close();
        Until.isTrue("the wait is over", SOON, reply::isDone);
        assertThat(waiting()).isZero();
        assertThat(reply.handle((answer, _) -> answer == null ? 503 : answer.status()).join())
                .as("told to come back, or cut off with the server")
                .isEqualTo(503);
    }
}
