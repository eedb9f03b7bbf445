package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@Timeout(180)
class PlacesTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<String> admitted = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /// Waits in line, one after the other, so that their order is known.
    private CompletableFuture<Boolean> comes(Places places, String caller, String name) {
        int before = places.waiting();
        var entered =
                CompletableFuture.supplyAsync(
                        () -> {
                            boolean in = places.enter(caller);
                            if (in) {
                                admitted.add(name);
                            }
                            return in;
                        },
                        threads);
        Until.isTrue(name + " waits", SOON, () -> places.waiting() == before + 1);
        return entered;
    }

    @Test
    void those_who_wait_are_let_in_caller_by_caller() throws Exception {
        var places = new Places(1, Duration.ofMinutes(1));
        assertThat(places.enter("many")).isTrue();
        comes(places, "many", "many 1");
        comes(places, "many", "many 2");
        comes(places, "many", "many 3");
        comes(places, "one", "one 1");
        comes(places, "other", "other 1");
        for (String next : List.of("many 1", "one 1", "other 1", "many 2", "many 3")) {
            places.exit();
            assertThat(admitted.poll(60, TimeUnit.SECONDS)).isEqualTo(next);
            assertThat(places.taken()).isEqualTo(1);
        }
        assertThat(places.waiting()).isZero();
    }

    @Test
    void who_finds_no_place_in_time_is_refused_and_forgotten() {
        var places = new Places(1, Duration.ofMillis(1));
        assertThat(places.enter("a")).isTrue();
        assertThat(places.enter("a")).isFalse();
        assertThat(places.enter("b")).isFalse();
        assertThat(places.waiting()).isZero();
        places.exit();
        assertThat(places.enter("b")).isTrue();
    }

    @Test
    void one_who_comes_back_counts_and_newcomers_wait_for_it() {
        var places = new Places(1, Duration.ZERO);
        assertThat(places.enter("a")).isTrue();
        places.exit();
        assertThat(places.enter("b")).isTrue();
        places.enterAgain();
        assertThat(places.taken()).isEqualTo(2);
        places.exit();
        assertThat(places.enter("c")).isFalse();
        places.exit();
        assertThat(places.enter("c")).isTrue();
    }

    @Test
    void when_the_server_stops_nobody_waits_any_more() throws Exception {
        var places = new Places(1, Duration.ofMinutes(1));
        assertThat(places.enter("a")).isTrue();
        CompletableFuture<Boolean> waits = comes(places, "b", "b");
        places.close();
        assertThat(waits.get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(places.enter("c")).isFalse();
    }
}
