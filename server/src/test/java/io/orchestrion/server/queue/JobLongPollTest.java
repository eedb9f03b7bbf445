package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Claims that wait for something that they may take.
@Timeout(180)
class JobLongPollTest extends QueueFixture {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private int waiting() {
        return server.kernel().kernel().policyWaiters().resting();
    }

    private CompletableFuture<Reply> inLine(QueueApi.Worker worker, String more) {
        int before = waiting();
        CompletableFuture<Reply> reply =
                CompletableFuture.supplyAsync(
                        () -> worker.claim("\"waitSeconds\":30" + more), threads);
        Until.isTrue("it waits", Duration.ofSeconds(20), () -> waiting() == before + 1);
        return reply;
    }

    private static Reply got(CompletableFuture<Reply> reply) throws Exception {
        return reply.get(20, TimeUnit.SECONDS);
    }

    @Test
    void a_waiting_claim_is_answered_when_a_job_comes_that_it_may_take() throws Exception {
        QueueApi.Worker held =
                queue.worker("w", "\"allowedRepositories\":[\"a/*\"],\"capabilities\":[\"git\"]");
        CompletableFuture<Reply> reply = inLine(held, "");
        queue.enqueue("t", "{\"repository\":\"b/c\"}");
        queue.enqueue("t", "{\"repository\":\"a/c\",\"requiredCapabilities\":[\"gpu\"]}");
        assertThat(reply).isNotDone();
        String id =
                queue.enqueue("t", "{\"repository\":\"A/c\",\"requiredCapabilities\":[\"git\"]}");
        assertThat(got(reply).text("/job/id")).isEqualTo(id);
        assertThat(waiting()).isZero();
    }

    @Test
    void a_waiting_claim_of_several_takes_what_comes_first() throws Exception {
        CompletableFuture<Reply> reply = inLine(queue.worker("w"), ",\"count\":5");
        String id = queue.enqueue("t");
        assertThat(got(reply).at("/jobs").findValuesAsString("id")).containsExactly(id);
    }

    @Test
    void who_waited_in_vain_is_told_so_at_the_end() {
        long began = System.nanoTime();
        Reply empty = queue.worker("w").claim("\"waitSeconds\":1");
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isGreaterThanOrEqualTo(Duration.ofMillis(990));
        assertThat(empty.text()).isEqualTo("{\"job\":null}");
        assertThat(waiting()).isZero();
    }

    @Test
    void what_is_there_is_given_at_once() {
        String id = queue.enqueue("t");
        assertThat(queue.worker("w").claimed("\"waitSeconds\":30")).isEqualTo(id);
    }

    /// a token that is changed or switched off while its claim waits is seen at the next
    /// look.
    @Test
    void a_waiting_claim_is_held_to_what_its_token_says_by_then() throws Exception {
        QueueApi.Worker worker = queue.worker("w");
        CompletableFuture<Reply> reply = inLine(worker, "");
        Reply changed =
                queue.keyed()
                        .send(
                                "PATCH",
                                "/api/queue/workers/tokens/" + worker.tokenId(),
                                "{\"allowedJobTypes\":[\"u\"]}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        String other = queue.enqueue("t");
        String fits = queue.enqueue("u");
        assertThat(got(reply).text("/job/id")).isEqualTo(fits);
        assertThat(queue.status(other)).isEqualTo("queued");

        QueueApi.Worker second = queue.worker("x");
        CompletableFuture<Reply> off = inLine(second, ",\"allowedTypes\":[\"v\"]");
        assertThat(
                        queue.keyed()
                                .post(
                                        "/api/queue/workers/tokens/"
                                                + second.tokenId()
                                                + "/deactivate")
                                .status())
                .isEqualTo(200);
        String late = queue.enqueue("v");
        assertThat(got(off).status()).isEqualTo(401);
        assertThat(queue.status(late)).isEqualTo("queued");
    }
}
