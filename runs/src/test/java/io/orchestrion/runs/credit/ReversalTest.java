package io.orchestrion.runs.credit;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.runs.credit.Reversal.NoCharge;
import io.orchestrion.runs.credit.Reversal.Reversed;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;

/// A charge that was a mistake is given back by an entry of its own.
class ReversalTest {
    private final CreditFixture fixture = new CreditFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Reversal reverse(Entry charge) {
        return fixture.reverse(charge.id());
    }

    ///
    @Test
    void a_reversal_raises_the_balance_and_changes_no_entry() {
        Entry charge = fixture.charged("100");
        fixture.has("900", "0");
        assertThat(reverse(charge))
                .isInstanceOfSatisfying(
                        Reversed.class,
                        made -> {
                            assertThat(made.again()).isFalse();
                            assertThat(made.entry().reverses()).isEqualTo(charge.id());
                            assertThat(made.entry().attempt()).isEqualTo(charge.attempt());
                        });
        fixture.has("1000", "0");
        assertThat(fixture.entries())
                .containsExactly("grant 1000", "reserve 100", "charge 100", "refund:reversal 100");
    }

    ///
    @Test
    void a_charge_is_given_back_once_however_often_it_is_asked_for() {
        Entry charge = fixture.charged("100");
        List<Reversal> came = Parallel.run(20, _ -> () -> reverse(charge));
        assertThat(came).allSatisfy(each -> assertThat(each).isInstanceOf(Reversed.class));
        assertThat(came).filteredOn(each -> !((Reversed) each).again()).hasSize(1);
        fixture.has("1000", "0");
        assertThat(fixture.credits.notices(fixture.account, null, 10)).hasSize(1);
    }

    ///
    @Test
    void the_account_is_told_the_amount_by_a_record_and_an_event() {
        Entry charge = fixture.charged("50");
        reverse(charge);
        UUID run = charge.attempt().run();
        assertThat(fixture.credits.notices(fixture.account, null, 10))
                .singleElement()
                .satisfies(
                        notice -> {
                            assertThat(notice.amount()).isEqualByComparingTo("50");
                            assertThat(notice.message())
                                    .isEqualTo(
                                            "We detected a duplicate charge and have refunded 50"
                                                    + " credits of run_"
                                                    + run
                                                    + ".");
                        });
        Entry reversal = fixture.credits.entries(fixture.account, run, 0, 10).getLast();
        assertThat(fixture.test.kernel().subjects().of(fixture.account, reversal.id(), 0, 10))
                .singleElement()
                .satisfies(
                        line -> {
                            assertThat(line.event().event()).isEqualTo("reversed");
                            assertThat(line.event().data())
                                    .contains("\"amount\":50")
                                    .contains("run_" + run);
                        });
    }

    ///
    @Test
    void a_reversal_is_audited_with_who_asked_for_it() {
        reverse(fixture.charged("50"));
        assertThat(new Audit(fixture.test.kernel().database()).oldestFirst(fixture.account, 0, 100))
                .filteredOn(entry -> entry.action().equals("credits.reversed"))
                .singleElement()
                .satisfies(
                        entry -> assertThat(entry.actor()).isEqualTo(Actor.key(fixture.operator)));
    }

    @Test
    void only_charges_are_given_back() {
        Entry charge = fixture.charged("50");
        reverse(charge);
        for (Entry each : fixture.credits.entries(fixture.account, null, 0, 10)) {
            if (each.kind() != EntryKind.CHARGE) {
                assertThat(reverse(each)).isEqualTo(new NoCharge(each));
            }
        }
        fixture.has("1000", "0");
        assertThat(fixture.reverse(UUID.randomUUID())).isInstanceOf(Reversal.NoEntry.class);
    }

    @Test
    void an_attempt_that_goes_on_keeps_its_reservation_when_a_charge_is_given_back() {
        UUID run = fixture.started("100");
        fixture.charge(run, 1, "30", "a");
        fixture.charge(run, 1, "30", "b");
        reverse(fixture.credits.entries(fixture.account, run, 0, 10).getLast());
        fixture.has("970", "40");
        assertThat(fixture.charge(run, 1, "41", "c")).isInstanceOf(Charge.Beyond.class);
        fixture.settle(run, 1, "0", "40");
        fixture.has("970", "0");
    }
}
