package io.orchestrion.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class LoadTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final Load.Window window =
            new Load.Window() {
                @Override
                public void begins() {
                    begun.incrementAndGet();
                }

                @Override
                public void ends() {
                    ended.incrementAndGet();
                }
            };

    /// Stands still for the given time, as a server that stalls would.
    private static void stall(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static Request request(String verb, String body) {
        return new Request(
                verb,
                200,
                "",
                "POST / HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /// Asks for one thing after the other, and counts three at the end of a step.
    private static final class Asking implements Worker {
        private final int port;
        private final List<Request> requests;
        private int next;

        Asking(ScriptedServer server, Request... requests) {
            port = server.port();
            this.requests = List.of(requests);
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public Request begin() {
            next = 1;
            return requests.getFirst();
        }

        @Override
        public Next answered(Answer answer) {
            return next == requests.size() ? new Done(3) : requests.get(next++);
        }
    }

    @Test
    void a_closed_loop_counts_what_ended_within_the_window() throws Exception {
        try (var server = new ScriptedServer((_, _) -> List.of(ScriptedServer.ok("{}")))) {
            Load.Outcome outcome =
                    new Load(Duration.ofMillis(50), Duration.ofMillis(200), window)
                            .closed(
                                    8,
                                    _ -> new Asking(server, request("a", ""), request("b", "x")));
            assertThat(begun).hasValue(1);
            assertThat(ended).hasValue(1);
            int steps = server.requests() / 2;
            assertThat(outcome.done()).isPositive().isLessThan(3L * steps);
            assertThat(outcome.done() % 3).isZero();
            assertThat(outcome.seconds()).isGreaterThanOrEqualTo(0.2);
            assertThat(outcome.latencies().percentiles()).containsOnlyKeys("a", "b");
            assertThat(outcome.latencies().of("b").count()).isPositive().isLessThan(steps);
            assertThat(server.surprises()).isEmpty();
        }
    }

    /// Half a life would be in the way of the next measurement.
    @Test
    void what_was_begun_comes_to_its_end() throws Exception {
        try (var server =
                new ScriptedServer(
                        (_, _) -> {
                            stall(Duration.ofMillis(2));
                            return List.of(ScriptedServer.ok("{}"));
                        })) {
            new Load(Duration.ZERO, Duration.ofMillis(50), window)
                    .closed(3, _ -> new Asking(server, request("a", ""), request("b", "")));
            assertThat(server.requests() % 2).isZero();
        }
    }

    @Test
    void answers_in_pieces_and_large_ones_are_waited_for() throws Exception {
        String large = ScriptedServer.ok("x".repeat(300_000));
        List<String> pieces =
                List.of(
                        large.substring(0, 10),
                        large.substring(10, 30),
                        large.substring(30, 200_000),
                        large.substring(200_000));
        try (var server = new ScriptedServer((_, _) -> pieces)) {
            Load.Outcome outcome =
                    new Load(Duration.ZERO, Duration.ofMillis(200), window)
                            .closed(2, _ -> new Asking(server, request("a", "")));
            assertThat(outcome.done()).isPositive();
            assertThat(server.surprises()).isEmpty();
        }
    }

    /// More than a socket takes at once, so the rest goes when there is room.
    @Test
    void a_large_request_goes_out_whole() throws Exception {
        String large = "x".repeat(12_000_000);
        var cut = new AtomicInteger();
        try (var server =
                new ScriptedServer(
                        (_, request) -> {
                            if (!request.endsWith("\r\n\r\n" + large)) {
                                cut.incrementAndGet();
                            }
                            return List.of(ScriptedServer.ok("{}"));
                        })) {
            new Load(Duration.ZERO, Duration.ofMillis(200), window)
                    .closed(1, _ -> new Asking(server, request("a", large)));
            assertThat(server.requests()).isPositive();
            assertThat(cut).hasValue(0);
        }
    }

    /// Coordinated omission: one stall must show in all that it kept waiting for the one
    /// connection.
    @Test
    void an_open_loop_charges_a_stall_to_all_that_was_due_in_it() throws Exception {
        try (var server =
                new ScriptedServer(
                        (number, _) -> {
                            if (number == 3) {
                                stall(Duration.ofMillis(200));
                            }
                            return List.of(ScriptedServer.ok("{}"));
                        })) {
            Load.Outcome outcome =
                    new Load(Duration.ZERO, Duration.ofMillis(400), window)
                            .open(1, 200, _ -> new Asking(server, request("step", "")));
            var times = outcome.latencies().of("step");
            // Forty were due while it stood still; a closed loop would have seen one slow step.
            assertThat(times.p95()).isGreaterThan(100);
            // The later a step was due in the stall, the less it had to wait.
            assertThat(times.p50()).isLessThan(times.p95());
            assertThat((double) times.count()).isLessThan(2 * 200 * outcome.seconds());
        }
    }

    /// Only the first request of a step was due; the others are sent when they are sent.
    @Test
    void lateness_is_charged_to_the_first_request_of_a_step() throws Exception {
        try (var server =
                new ScriptedServer(
                        (number, _) -> {
                            if (number == 0) {
                                stall(Duration.ofMillis(200));
                            }
                            return List.of(ScriptedServer.ok("{}"));
                        })) {
            Load.Outcome outcome =
                    new Load(Duration.ZERO, Duration.ofMillis(300), window)
                            .open(
                                    1,
                                    100,
                                    _ -> new Asking(server, request("a", ""), request("b", "")));
            double lateness = outcome.latencies().of("a").p50();
            assertThat(lateness).isGreaterThan(50);
            assertThat(outcome.latencies().of("b").p50()).isLessThan(lateness);
        }
    }

    @Test
    void a_window_lasts_until_a_whole_step_was_done_in_it() throws Exception {
        try (var server =
                new ScriptedServer(
                        (_, _) -> {
                            stall(Duration.ofMillis(60));
                            return List.of(ScriptedServer.ok("{}"));
                        })) {
            Load.Outcome outcome =
                    new Load(Duration.ZERO, Duration.ofMillis(1), window)
                            .closed(1, _ -> new Asking(server, request("a", ""), request("b", "")));
            assertThat(outcome.latencies().percentiles()).containsOnlyKeys("a", "b");
            assertThat(outcome.done()).isGreaterThanOrEqualTo(6);
            assertThat(outcome.seconds()).isGreaterThanOrEqualTo(0.2);
        }
    }

    @Test
    void a_refused_request_ends_the_load_with_what_was_answered() throws Exception {
        try (var server =
                new ScriptedServer(
                        (_, _) -> List.of("HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nno"))) {
            assertThatThrownBy(
                            () ->
                                    new Load(LONG, LONG, window)
                                            .closed(
                                                    4,
                                                    _ -> new Asking(server, request("claim", ""))))
                    .isInstanceOf(Refused.class)
                    .hasMessage("claim was answered with 503: no");
            assertThat(begun).hasValue(0);
        }
    }

    @Test
    void a_server_that_closes_a_connection_ends_the_load() throws Exception {
        try (var server =
                new ScriptedServer(
                        (number, _) ->
                                number < 10 ? List.of(ScriptedServer.ok("{}")) : List.of())) {
            assertThatThrownBy(
                            () ->
                                    new Load(LONG, LONG, window)
                                            .closed(2, _ -> new Asking(server, request("a", ""))))
                    .hasMessage("a worker failed")
                    .hasCauseInstanceOf(EOFException.class);
        }
    }

    @Test
    void a_worker_that_fails_ends_the_load_with_its_reason() throws Exception {
        try (var server = new ScriptedServer((_, _) -> List.of(ScriptedServer.ok("{}")))) {
            var failing =
                    new Worker() {
                        @Override
                        public int port() {
                            return server.port();
                        }

                        @Override
                        public Request begin() {
                            return request("a", "");
                        }

                        @Override
                        public Next answered(Answer answer) {
                            throw new IllegalStateException("not understood: " + answer.body());
                        }
                    };
            assertThatThrownBy(() -> new Load(LONG, LONG, window).open(1, 100, _ -> failing))
                    .hasMessage("not understood: {}");
        }
    }

    @Test
    void a_server_that_says_nothing_for_a_minute_ends_the_load() throws Exception {
        try (var server = new ScriptedServer((_, _) -> List.of(""));
                var selector = Selector.open();
                var connection = new Connection(new Asking(server, request("a", "")), selector)) {
            long now = System.nanoTime();
            connection.expectAnswer(now + TimeUnit.MINUTES.toNanos(2));
            // Due long ago, but only just sent: that is slow, and no reason to give up.
            connection.begin(now - TimeUnit.MINUTES.toNanos(2));
            connection.expectAnswer(now);
            assertThatThrownBy(() -> connection.expectAnswer(now + TimeUnit.MINUTES.toNanos(2)))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("a had no answer");
        }
    }

    @Test
    void workers_that_wait_have_a_thread_each() throws Exception {
        var steps = new AtomicInteger();
        Load.Outcome outcome =
                new Load(Duration.ofMillis(50), Duration.ofMillis(200), window)
                        .blocking(
                                2,
                                () ->
                                        into -> {
                                            steps.incrementAndGet();
                                            long since = System.nanoTime();
                                            stall(Duration.ofMillis(1));
                                            into.record("step", since);
                                            return 3;
                                        });
        assertThat(outcome.done()).isPositive().isLessThan(3L * steps.get());
        assertThat(outcome.done() % 3).isZero();
        assertThat(outcome.latencies().of("step").p50()).isGreaterThanOrEqualTo(1);
        assertThat(outcome.latencies().of("step").count()).isLessThan(steps.get());
    }

    @Test
    void a_waiting_worker_that_fails_ends_the_load_with_its_reason() {
        assertThatThrownBy(
                        () ->
                                new Load(LONG, LONG, window)
                                        .blocking(
                                                1,
                                                () ->
                                                        _ -> {
                                                            throw new Refused("claim", 503, "no");
                                                        }))
                .isInstanceOf(Refused.class)
                .hasMessage("claim was answered with 503: no");
        assertThat(begun).hasValue(0);
    }
}
