package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

class SharedLooksTest {
    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore mayEnd = new Semaphore(0);
    private final SharedLooks<String, Integer> looks =
            new SharedLooks<>(
                    key -> {
                        int number = begun.incrementAndGet();
                        mayEnd.acquireUninterruptibly();
                        if (key.equals("bad")) {
                            throw new StoreException(StoreException.Kind.UNAVAILABLE, "away");
                        }
                        if (key.equals("late") && number <= 2) {
                            throw new DeadlinePassed();
                        }
                        return number;
                    });

    /// One is at it before the others come, and they are all waiting when this returns.
    private List<CompletableFuture<Integer>> firstAndOthers(String key, int others) {
        var answers = new ArrayList<CompletableFuture<Integer>>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i <= others; i++) {
            var answer = new CompletableFuture<Integer>();
            answers.add(answer);
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            answer.complete(looks.of(key));
                                        } catch (RuntimeException e) {
                                            answer.completeExceptionally(e);
                                        }
                                    }));
            Until.isTrue(
                    "it waits",
                    Duration.ofSeconds(30),
                    () -> threads.getLast().getState() == Thread.State.WAITING);
        }
        return answers;
    }

    @Test
    void those_who_come_while_one_looks_share_the_look_after_it() {
        List<CompletableFuture<Integer>> answers = firstAndOthers("a", 20);
        assertThat(begun).hasValue(1);
        mayEnd.release(2);
        assertThat(answers.stream().map(CompletableFuture::join).distinct()).containsExactly(1, 2);
        assertThat(begun).hasValue(2);
        // Nobody is given what was seen before it came.
        mayEnd.release();
        assertThat(looks.of("a")).isEqualTo(3);
    }

    @Test
    void those_who_look_for_something_else_do_not_wait() {
        List<CompletableFuture<Integer>> waiting = firstAndOthers("a", 3);
        List<CompletableFuture<Integer>> other = firstAndOthers("b", 0);
        assertThat(begun).hasValue(2);
        mayEnd.release(3);
        waiting.forEach(CompletableFuture::join);
        other.forEach(CompletableFuture::join);
    }

    @Test
    void a_failure_of_the_store_is_everybodys_and_the_end_of_one_callers_time_its_own() {
        List<CompletableFuture<Integer>> bad = firstAndOthers("bad", 5);
        mayEnd.release(2);
        assertThat(bad)
                .allSatisfy(
                        answer ->
                                assertThatThrownBy(answer::join)
                                        .hasCauseInstanceOf(StoreException.class));
        assertThat(begun).hasValue(2);

        begun.set(0);
        List<CompletableFuture<Integer>> late = firstAndOthers("late", 5);
        mayEnd.release(100);
        assertThatThrownBy(late.getFirst()::join).hasCauseInstanceOf(DeadlinePassed.class);
        assertThat(late.stream().skip(2).map(CompletableFuture::join)).allMatch(n -> n > 2);
    }
}
