package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Lanes on a database whose tables are spread by account, as far as it says so itself: the rows
/// are on one machine here.
class SpreadLanesTest {
    private static final UUID FIRST = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);

    private record Ask(UUID accountId, int number) implements OfAccount {}

    private final TestKernel test = new TestKernel();
    private final List<List<Ask>> batches = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        test.close();
    }

    private void spread() {
        test.database().execute("create table pg_dist_partition (logicalrelid regclass)");
        test.database().execute("insert into pg_dist_partition values ('work')");
    }

    /// The first waits until all others are there, so that they are one batch.
    private List<Integer> answer(Tx tx, List<Ask> asks) {
        batches.add(List.copyOf(asks));
        if (asks.getFirst().number() == 0) {
            begun.countDown();
            try {
                assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        var answers = new ArrayList<Integer>();
        for (Ask ask : asks) {
            if (ask.number() < 0) {
                throw new IllegalStateException("refused");
            }
            answers.add(2 * ask.number());
        }
        return answers;
    }

    private List<Each<Integer>> asked(Kernel node, List<Ask> asks) throws Exception {
        try (var lane =
                new Combiner<>(
                        new Lane("test", 1, 100, 100, Duration.ofSeconds(30)),
                        node.database(),
                        this::answer)) {
            var parked = CompletableFuture.supplyAsync(() -> lane.call(new Ask(FIRST, 0)));
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            var rest = CompletableFuture.supplyAsync(() -> lane.callAll(asks));
            Until.isTrue(
                    "all wait",
                    Duration.ofSeconds(30),
                    () -> lane.waitingRequests() == asks.size());
            goOn.countDown();
            assertThat(parked.get(30, TimeUnit.SECONDS)).isZero();
            return rest.get(30, TimeUnit.SECONDS);
        }
    }

    private static List<Ask> asks(int... numbers) {
        var asks = new ArrayList<Ask>();
        for (int number : numbers) {
            asks.add(new Ask(number % 2 == 0 ? FIRST : SECOND, number));
        }
        return asks;
    }

    @Test
    void a_batch_is_a_transaction_for_each_account_and_answers_come_in_order() throws Exception {
        spread();
        try (Kernel node = test.anotherNode(options -> options)) {
            assertThat(asked(node, asks(1, 2, 3, 4)))
                    .extracting(Each::answer)
                    .containsExactly(2, 4, 6, 8);
        }
        assertThat(batches).containsExactly(asks(0), asks(1, 3), asks(2, 4));
    }

    @Test
    void on_one_machine_it_is_one_transaction_for_all() throws Exception {
        assertThat(asked(test.kernel(), asks(1, 2, 3, 4)))
                .extracting(Each::answer)
                .containsExactly(2, 4, 6, 8);
        assertThat(batches).containsExactly(asks(0), asks(1, 2, 3, 4));
    }

    @Test
    void a_bad_request_fails_alone_also_there() throws Exception {
        spread();
        try (Kernel node = test.anotherNode(options -> options)) {
            List<Each<Integer>> answers = asked(node, asks(1, -2, 3, 4));
            assertThat(answers).extracting(Each::answer).containsExactly(2, null, 6, 8);
            assertThat(answers.get(1).failure()).hasMessage("refused");
        }
        assertThat(batches).containsExactly(asks(0), asks(1, 3), asks(-2, 4), asks(-2), asks(4));
    }

    /// What is looked for over many accounts is found account by account.
    @Test
    void the_duties_find_the_same_on_a_spread_database() {
        UUID one = test.account();
        UUID two = test.account();
        spread();
        try (Kernel node = test.anotherNode(options -> options)) {
            for (UUID account : List.of(one, two, two)) {
                Submitted made =
                        node.work()
                                .submit(
                                        Submission.of(
                                                NewWork.of(account, Profiles.TASKS, "kind", "{}")));
                assertThat(made).isInstanceOf(Submitted.Created.class);
            }
            var totals = node.totals().read(Duration.ofSeconds(30));
            assertThat(totals).hasSize(1);
            assertThat(totals.getFirst().count()).isEqualTo(3);
            for (String duty :
                    List.of("totals", "reflow", "waiter-poll", "due-promoter", "lease-reaper")) {
                node.sweepOnce(duty);
            }
            assertThat(node.totals().read(Duration.ofSeconds(30))).isEqualTo(totals);
        }
    }
}
