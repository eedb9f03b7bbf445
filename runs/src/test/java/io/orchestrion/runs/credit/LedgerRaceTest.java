package io.orchestrion.runs.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.credit.Reservation.Insufficient;
import io.orchestrion.runs.credit.Reservation.Reserved;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// Many who change the credits of one account at the same time, on two nodes.
class LedgerRaceTest {
    private final CreditFixture fixture = new CreditFixture();
    private final Kernel other = fixture.test.anotherNode(CreditFixture::withRuns);
    private final Ledger otherLedger = CreditFixture.ledger(other);

    @AfterEach
    void close() {
        other.close();
        fixture.close();
    }

    private interface Verb<T> {
        T on(Tx tx, Ledger ledger) throws SQLException;
    }

    /// Every second one on the other node.
    private <T> T onNode(int number, Verb<T> verb) {
        boolean here = number % 2 == 0;
        Kernel kernel = here ? fixture.test.kernel() : other;
        Session.Body<T> body = tx -> verb.on(tx, here ? fixture.ledger : otherLedger);
        return kernel.database().retried(body);
    }

    private Reservation reserve(int number, UUID run, String amount) {
        return onNode(
                number,
                (tx, ledger) ->
                        ledger.reserve(tx, fixture.account, run, 1, CreditFixture.credits(amount)));
    }

    private List<UUID> runs(int count) {
        return Stream.generate(UUID::randomUUID).limit(count).toList();
    }

    ///
    @Test
    void of_two_starts_that_together_ask_for_too_much_one_succeeds() {
        for (int round = 0; round < 8; round++) {
            UUID account = fixture.test.account();
            List<Reservation> came =
                    Parallel.run(
                            2,
                            i ->
                                    () ->
                                            onNode(
                                                    i,
                                                    (tx, ledger) ->
                                                            ledger.reserve(
                                                                    tx,
                                                                    account,
                                                                    UUID.randomUUID(),
                                                                    1,
                                                                    CreditFixture.credits("600"))));
            assertThat(came).filteredOn(each -> each instanceof Reserved).hasSize(1);
            assertThat(came)
                    .filteredOn(each -> each instanceof Insufficient)
                    .containsExactly(
                            new Insufficient(
                                    CreditFixture.credits("600"), CreditFixture.credits("400")));
        }
    }

    /// CB-080.
    @Test
    void sixty_four_starts_at_once_are_in_one_order_without_gaps() {
        List<UUID> runs = runs(64);
        List<Reservation> came = Parallel.run(64, i -> () -> reserve(i, runs.get(i), "20"));
        assertThat(came).filteredOn(each -> each instanceof Reserved).hasSize(50);
        assertThat(came).filteredOn(each -> each instanceof Insufficient).hasSize(14);
        fixture.has("1000", "1000");
        assertThat(fixture.entries()).hasSize(51);
        fixture.isConserved();
    }

    ///
    @Test
    void twenty_charges_with_one_key_at_once_are_one() {
        UUID run = fixture.started("100");
        List<Charge> came =
                Parallel.run(
                        20,
                        i ->
                                () ->
                                        onNode(
                                                i,
                                                (tx, ledger) ->
                                                        ledger.charge(
                                                                tx,
                                                                fixture.account,
                                                                run,
                                                                1,
                                                                CreditFixture.credits("50.0"),
                                                                "idem_charge_123")));
        assertThat(came).allSatisfy(each -> assertThat(each).isEqualTo(came.getFirst()));
        fixture.has("950", "50");
        assertThat(fixture.entries()).containsExactly("grant 1000", "reserve 100", "charge 50");
    }

    /// The node dies between the charge and its answer, or before the commit.
    @Test
    void a_charge_whose_node_died_is_charged_once_when_it_is_asked_for_again() {
        for (String point : List.of("pool.before-commit", "pool.after-commit")) {
            UUID run = fixture.started("100");
            Balance before = fixture.balance();
            fixture.test.failpoints().arm(point, () -> died(point));
            assertThatThrownBy(() -> fixture.charge(run, 1, "50.0", "key"))
                    .hasMessageContaining("the node died");
            fixture.test.failpoints().disarm(point);
            assertThat(fixture.charge(run, 1, "50.0", "key")).isInstanceOf(Charge.Charged.class);
            assertThat(fixture.charge(run, 1, "50.0", "key")).isInstanceOf(Charge.Charged.class);
            assertThat(fixture.balance().balance())
                    .isEqualTo(before.balance().subtract(CreditFixture.credits("50")));
        }
        fixture.isConserved();
    }

    private static void died(String point) {
        throw new IllegalStateException("the node died at " + point);
    }

    /// No credit is made or lost, whoever does what at the same time.
    @Test
    void reservations_charges_settlements_and_reversals_at_once_lose_no_credit() {
        List<UUID> open = Stream.generate(() -> fixture.started("10")).limit(16).toList();
        List<Entry> charges = Stream.generate(() -> fixture.charged("10")).limit(8).toList();
        var acts = new ArrayList<Callable<Boolean>>();
        for (int i = 0; i < 16; i++) {
            int number = i;
            UUID run = open.get(i);
            acts.add(() -> reserve(number, UUID.randomUUID(), "10") instanceof Reserved);
            // Twice each, as after a lost answer.
            for (int again = 0; again < 2; again++) {
                acts.add(() -> settled(number, run));
            }
        }
        for (int i = 0; i < 16; i++) {
            Entry charge = charges.get(i % charges.size());
            acts.add(() -> fixture.reverse(charge.id()) instanceof Reversal.Reversed);
        }
        Collections.shuffle(acts, new Random(17));
        assertThat(Parallel.run(acts.size(), acts::get)).containsOnly(true);
        // 1000 - 80 spent + 80 given back - 16 × 4 spent; 16 new runs have reserved 10 each.
        fixture.has("936", "160");
        fixture.isConserved();
    }

    private boolean settled(int number, UUID run) {
        return onNode(
                number,
                (tx, ledger) -> {
                    ledger.settle(
                            tx,
                            fixture.account,
                            run,
                            1,
                            CreditFixture.credits("4"),
                            CreditFixture.credits("6"));
                    return true;
                });
    }
}
