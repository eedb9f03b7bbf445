package io.orchestrion.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.fault.Failpoints;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class HeavyChecksTest {
    private static final UUID GREEDY = UUID.randomUUID();
    private static final UUID MODEST = UUID.randomUUID();

    private final HeavyChecks checks = new HeavyChecks(new Failpoints(), 1);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch opened = new CountDownLatch(1);
    private final List<UUID> done = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        opened.countDown();
        callers.close();
    }

    /// Occupies the one thread until the test opens it.
    private void occupy() throws InterruptedException {
        var begun = new CountDownLatch(1);
        callers.submit(
                () ->
                        checks.run(
                                GREEDY,
                                () -> {
                                    begun.countDown();
                                    opened.await();
                                    return true;
                                }));
        begun.await();
    }

    /// One after the other, each seen to wait before the next.
    private Future<?> ask(UUID account) {
        int before = checks.waiting();
        Future<?> asked = callers.submit(() -> checks.run(account, () -> done.add(account)));
        while (checks.waiting() == before) {
            Thread.onSpinWait();
        }
        return asked;
    }

    @Test
    void accounts_take_turns() throws Exception {
        occupy();
        var asked = new ArrayList<Future<?>>();
        for (int i = 0; i < 3; i++) {
            asked.add(ask(GREEDY));
        }
        asked.add(ask(MODEST));
        opened.countDown();
        for (Future<?> each : asked) {
            each.get();
        }
        assertThat(done).containsExactly(GREEDY, MODEST, GREEDY, GREEDY);
    }

    @Test
    void an_account_that_has_filled_its_part_is_refused_and_others_are_not() throws Exception {
        occupy();
        for (int i = 0; i < SchemaLimit.WAITING_OF_ONE.max(); i++) {
            ask(GREEDY);
        }
        assertThatThrownBy(() -> checks.run(GREEDY, () -> true)).isInstanceOf(ChecksBusy.class);
        Future<?> other = ask(MODEST);
        opened.countDown();
        other.get();
    }

    @Test
    void what_waits_is_bounded_over_all_accounts() throws Exception {
        occupy();
        for (int i = 0; i < SchemaLimit.WAITING.max(); i++) {
            ask(UUID.randomUUID());
        }
        assertThatThrownBy(() -> checks.run(MODEST, () -> true)).isInstanceOf(ChecksBusy.class);
    }

    @Test
    void a_check_that_fails_fails_for_its_caller_alone() {
        assertThatThrownBy(
                        () ->
                                checks.run(
                                        GREEDY,
                                        () -> {
                                            throw new IllegalStateException("own fault");
                                        }))
                .hasMessage("own fault");
        assertThat(checks.<Boolean>run(GREEDY, () -> true)).isTrue();
    }
}
