package io.orchestrion.kernel.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

class AllowancesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestKernel kernel = new TestKernel();
    private final Allowances allowances = kernel.kernel().allowances();
    private final UUID account = UUID.randomUUID();

    @AfterEach
    void close() {
        kernel.close();
    }

    private Window window(String name) {
        return new Window(account, "key", name, MINUTE);
    }

    private Taken take(String name, int max) {
        return allowances.take(List.of(new Ask(window(name), 1, max)));
    }

    private void minutes(long minutes) {
        kernel.clock().advance(Duration.ofMinutes(minutes));
    }

    @Test
    void the_first_n_are_granted_and_the_next_is_refused() {
        for (int i = 1; i <= 5; i++) {
            Taken taken = take("five", 5);
            assertThat(taken.granted()).isTrue();
            assertThat(taken.used()).containsExactly(i);
        }
        Taken refused = take("five", 5);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.refusedBy()).isEqualTo(new Ask(window("five"), 1, 5));
        assertThat(refused.waitMs()).isBetween(59 * 60_000L, 60 * 60_000L);
    }

    @Test
    void the_window_slides_by_the_minute() {
        take("slides", 3);
        minutes(20);
        take("slides", 3);
        minutes(20);
        take("slides", 3);
        // The first leaves at minute 60, the second at 80.
        assertThat(take("slides", 3).waitMs()).isCloseTo(20 * 60_000L, within(61_000L));
        minutes(21);
        assertThat(take("slides", 3).granted()).isTrue();
        assertThat(take("slides", 3).waitMs()).isCloseTo(19 * 60_000L, within(61_000L));
        minutes(60);
        assertThat(take("slides", 3).used()).containsExactly(1);
    }

    @Test
    void after_the_wait_that_was_named_there_is_room() {
        take("wait", 1);
        minutes(7);
        Taken refused = take("wait", 1);
        kernel.clock().advance(Duration.ofMillis(refused.waitMs() - 1000));
        assertThat(take("wait", 1).granted()).isFalse();
        kernel.clock().advance(Duration.ofMillis(1000));
        assertThat(take("wait", 1).granted()).isTrue();
    }

    @Test
    void being_refused_does_not_lengthen_the_wait() {
        take("patient", 1);
        long before = take("patient", 1).waitMs();
        minutes(30);
        for (int i = 0; i < 10; i++) {
            assertThat(take("patient", 1).granted()).isFalse();
        }
        assertThat(take("patient", 1).waitMs()).isLessThanOrEqualTo(before - 30 * 60_000L);
    }

    @Test
    void a_request_takes_from_all_its_windows_or_from_none() {
        var both = List.of(new Ask(window("wide"), 1, 100), new Ask(window("narrow"), 1, 1));
        assertThat(allowances.take(both).granted()).isTrue();
        Taken refused = allowances.take(both);
        assertThat(refused.refusedBy()).isEqualTo(both.get(1));
        assertThat(allowances.used(List.of(window("wide"), window("narrow"))))
                .containsExactly(1, 1);
    }

    @Test
    void a_plan_that_allows_more_is_heeded_at_once() {
        take("grows", 1);
        assertThat(take("grows", 1).granted()).isFalse();
        assertThat(take("grows", 2).granted()).isTrue();
    }

    /// L-001: of what two nodes are asked at the same moment, exactly so many are granted.
    @Test
    void two_nodes_together_grant_exactly_what_the_window_holds() {
        Kernel other = kernel.anotherNode(options -> options);
        try (other) {
            List<Taken> taken =
                    Parallel.run(
                            200,
                            i ->
                                    () ->
                                            (i % 2 == 0 ? allowances : other.allowances())
                                                    .take(
                                                            List.of(
                                                                    new Ask(
                                                                            window("shared"),
                                                                            1,
                                                                            77),
                                                                    new Ask(
                                                                            window("own" + i % 5),
                                                                            1,
                                                                            1000))));
            assertThat(taken.stream().filter(Taken::granted)).hasSize(77);
        }
        List<Integer> own =
                allowances.used(
                        List.of(0, 1, 2, 3, 4).stream().map(i -> window("own" + i)).toList());
        assertThat(own.stream().mapToInt(Integer::intValue).sum()).isEqualTo(77);
    }

    @Test
    void windows_with_nothing_left_in_them_are_swept_away() {
        take("idle", 5);
        minutes(59);
        take("busy", 5);
        kernel.kernel().sweepOnce("purger");
        assertThat(rows()).isEqualTo(2);
        minutes(2);
        kernel.kernel().sweepOnce("purger");
        assertThat(rows()).isEqualTo(1);
        assertThat(allowances.used(List.of(window("busy")))).containsExactly(1);
    }

    private long rows() {
        return kernel.database().value("select count(*) from allowance");
    }
}
