package io.orchestrion.runs.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.runs.credit.Charge.Beyond;
import io.orchestrion.runs.credit.Reservation.Insufficient;
import io.orchestrion.runs.credit.Reservation.Reserved;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.UUID;

/// What each verb does to the balance and which entries it writes.
class LedgerTest {
    private final CreditFixture fixture = new CreditFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// CB-079.
    @Test
    void the_first_look_grants_the_initial_credits_once() {
        fixture.has("1000", "0");
        fixture.has("1000", "0");
        assertThat(fixture.entries()).containsExactly("grant 1000");
    }

    ///
    @Test
    void a_reservation_lowers_what_is_available_and_not_the_balance() {
        fixture.started("100");
        fixture.has("1000", "100");
        assertThat(fixture.balance().available()).isEqualTo(CreditFixture.credits("900"));
        assertThat(fixture.entries()).containsExactly("grant 1000", "reserve 100");
    }

    @Test
    void a_reservation_that_is_asked_for_again_is_the_first_one() {
        UUID run = fixture.started("100");
        assertThat(fixture.reserve(run, 1, "100")).isInstanceOf(Reserved.class);
        fixture.has("1000", "100");
        assertThat(fixture.entries()).hasSize(2);
    }

    ///
    @Test
    void more_than_is_available_cannot_be_reserved() {
        fixture.started("950");
        assertThat(fixture.reserve(UUID.randomUUID(), 1, "50.000001"))
                .isEqualTo(
                        new Insufficient(
                                CreditFixture.credits("50.000001"), CreditFixture.credits("50")));
        fixture.has("1000", "950");
        assertThat(fixture.reserve(UUID.randomUUID(), 1, "50")).isInstanceOf(Reserved.class);
        fixture.has("1000", "1000");
    }

    ///
    @Test
    void a_settlement_spends_what_was_used_and_gives_back_the_rest() {
        UUID run = fixture.started("100");
        fixture.settle(run, 1, "42.5", "57.5");
        fixture.has("957.5", "0");
        fixture.settle(run, 1, "42.5", "57.5");
        fixture.has("957.5", "0");
        assertThat(fixture.entries())
                .containsExactly("grant 1000", "reserve 100", "charge 42.5", "refund:release 57.5");
    }

    ///
    @Test
    void nothing_is_written_for_zero() {
        UUID used = fixture.started("100");
        fixture.settle(used, 1, "100", "0");
        UUID unused = fixture.started("100");
        fixture.settle(unused, 1, "0", "100");
        fixture.has("900", "0");
        assertThat(fixture.entries())
                .containsExactly(
                        "grant 1000",
                        "reserve 100",
                        "charge 100",
                        "reserve 100",
                        "refund:release 100");
    }

    ///
    @Test
    void each_attempt_has_entries_of_its_own() {
        UUID run = fixture.started("100");
        fixture.settle(run, 1, "10", "90");
        fixture.reserve(run, 2, "100");
        fixture.settle(run, 2, "20", "80");
        fixture.has("970", "0");
        assertThat(fixture.entries()).hasSize(7);
    }

    ///
    @Test
    void a_charge_is_paid_by_the_reservation_and_not_by_what_is_available() {
        UUID run = fixture.started("100");
        assertThat(fixture.charge(run, 1, "100.000001", "key"))
                .isEqualTo(new Beyond(CreditFixture.credits("100")));
        UUID last = fixture.started("900");
        assertThat(fixture.charge(last, 1, "900", "key")).isInstanceOf(Charge.Charged.class);
        fixture.has("100", "100");
    }

    @Test
    void a_settlement_beyond_the_reservation_fails_the_transaction() {
        UUID run = fixture.started("100");
        assertThatThrownBy(() -> fixture.settle(run, 1, "60", "41"))
                .isInstanceOf(IllegalStateException.class);
        fixture.has("1000", "100");
    }

    ///
    @Test
    void charging_twice_with_one_key_changes_the_balance_once() {
        UUID run = fixture.started("100");
        fixture.charge(run, 1, "50.0", "idem_charge_123");
        Balance once = fixture.balance();
        fixture.charge(run, 1, "50.0", "idem_charge_123");
        assertThat(fixture.balance()).isEqualTo(once);
        fixture.has("950", "50");
        assertThat(fixture.entries()).containsExactly("grant 1000", "reserve 100", "charge 50");
    }

    @Test
    void a_second_settlement_and_one_that_is_not_committed_leave_no_entry() {
        UUID run = fixture.started("100");
        fixture.settle(run, 1, "40", "60");
        fixture.settle(run, 1, "40", "60");
        assertThatThrownBy(
                        () ->
                                fixture.in(
                                        tx -> {
                                            fixture.ledger.reserve(
                                                    tx,
                                                    fixture.account,
                                                    run,
                                                    2,
                                                    CreditFixture.credits("5"));
                                            throw new IllegalStateException("rolled back");
                                        }))
                .hasMessage("rolled back");
        assertThat(fixture.entries())
                .containsExactly("grant 1000", "reserve 100", "charge 40", "refund:release 60");
    }
}
