package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.credit.Balance;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/// Runs of one account that reserve, use, settle and give back at the same time, on two nodes. The
/// fixture looks afterwards whether the invariants hold.
class CreditRaceTest {
    private final RunFixture fixture = new RunFixture();
    private final RunFixture.Node other = fixture.secondNode();

    @AfterEach
    void close() {
        other.close();
        fixture.close();
    }

    /// A run that reserves 20 credits.
    private UUID created() {
        return fixture.create(
                fixture.asked(
                        one(step("a")),
                        FailureMode.FAIL_FAST,
                        usual ->
                                new Bounds(
                                        usual.attempts(),
                                        usual.agents(),
                                        usual.replans(),
                                        20_000,
                                        usual.tasksAtOnce(),
                                        usual.stepsAtOnce(),
                                        usual.timeouts())));
    }

    private Balance balance() {
        return fixture.runs.inOne(tx -> fixture.runs.ledger().balance(tx, fixture.account));
    }

    private List<Ack> onBothNodes(List<UUID> runs, boolean start) {
        return Parallel.run(
                runs.size(),
                i ->
                        () -> {
                            var node = i % 2 == 0 ? fixture.runs : other.runs();
                            Request request = fixture.request(runs.get(i));
                            return node.inOne(
                                    tx ->
                                            start
                                                    ? node.start(tx, request)
                                                    : node.cancel(tx, request));
                        });
    }

    /// CB-078.
    @Test
    void of_sixty_four_starts_those_are_made_that_the_account_can_pay() {
        var runs = new ArrayList<UUID>();
        for (int i = 0; i < 64; i++) {
            runs.add(created());
        }
        List<Ack> acks = onBothNodes(runs, true);
        assertThat(acks).filteredOn(each -> each instanceof Ack.Done).hasSize(50);
        assertThat(acks)
                .filteredOn(each -> each instanceof Ack.InsufficientCredits)
                .hasSize(14)
                .allSatisfy(
                        each -> {
                            var refused = (Ack.InsufficientCredits) each;
                            assertThat(refused.run().status()).isEqualTo(RunStatus.CREATED);
                            assertThat(refused.needed()).isEqualByComparingTo("20");
                            assertThat(refused.available()).isEqualByComparingTo("0");
                        });
        assertThat(balance().reserved()).isEqualByComparingTo("1000");

        // Each run twice: whoever comes second finds it cancelled.
        var twice = new ArrayList<>(runs);
        twice.addAll(runs);
        onBothNodes(twice, false);
        assertThat(balance().available()).isEqualByComparingTo("1000");
        assertThat(balance().reserved()).isZero();
    }

    /// What a step used is charged once, whichever of the two ends the run.
    @Test
    void completions_and_cancels_at_the_same_time_charge_each_run_once() {
        var runs = new ArrayList<UUID>();
        for (int i = 0; i < 12; i++) {
            UUID run = created();
            fixture.start(run);
            fixture.drive(run, RunStatus.RUNNING);
            runs.add(run);
        }
        List<WorkItem> held = fixture.claim("a", 12);
        assertThat(held).hasSize(12);
        var acts = new ArrayList<Callable<Object>>();
        for (int i = 0; i < 12; i++) {
            WorkItem item = held.get(i);
            Request request = fixture.request(runs.get(i));
            acts.add(() -> fixture.complete(item, "{}", "{\"tokens\":5000}"));
            acts.add(() -> other.runs().inOne(tx -> other.runs().cancel(tx, request)));
        }
        Parallel.run(acts.size(), acts::get);
        BigDecimal charged = BigDecimal.ZERO;
        for (UUID id : runs) {
            Run run = fixture.run(id);
            boolean completed = run.status() == RunStatus.COMPLETED;
            assertThat(run.status()).isIn(RunStatus.COMPLETED, RunStatus.CANCELLED);
            assertThat(run.credits().charged()).isEqualByComparingTo(completed ? "5" : "0");
            assertThat(fixture.ledger(id))
                    .isEqualTo(
                            completed
                                    ? List.of("reserve 20", "charge 5", "refund 15")
                                    : List.of("reserve 20", "refund 20"));
            charged = charged.add(run.credits().charged());
        }
        assertThat(balance().reserved()).isZero();
        assertThat(balance().balance())
                .isEqualByComparingTo(new BigDecimal(1000).subtract(charged));
    }
}
