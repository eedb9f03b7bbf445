package io.orchestrion.runs.credit;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.UUID;

/// How credits come in.
class GrantTest {
    private final CreditFixture fixture = new CreditFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// CB-079, R-198.
    @Test
    void many_first_looks_at_once_grant_the_initial_credits_once() {
        Parallel.run(20, _ -> fixture::balance);
        assertThat(fixture.entries()).containsExactly("grant 1000");
    }

    @Test
    void an_account_without_initial_credits_has_none_and_no_entry() {
        var ledger = new Ledger(fixture.test.kernel().ids(), InitialGrants.NONE);
        assertThat(fixture.<Balance>in(tx -> ledger.balance(tx, fixture.account)).available())
                .isZero();
        // Nor has it when the setting is changed afterwards.
        fixture.has("0", "0");
        assertThat(fixture.entries()).isEmpty();
    }

    @Test
    void the_operators_account_has_initial_credits_of_its_own() {
        fixture.test.kernel().identity().registerLocal("operator");
        var ledger = new Ledger(fixture.test.kernel().ids(), InitialGrants.DEFAULT);
        Balance balance = fixture.in(tx -> ledger.balance(tx, Identity.LOCAL_ACCOUNT));
        assertThat(balance.available()).isEqualByComparingTo(InitialGrants.DEFAULT.operator());
    }

    /// CB-079, R-198, R-363.
    @Test
    void a_grant_raises_the_balance_once_for_its_key_and_is_audited() {
        assertThat(fixture.grant("500.25", "march"))
                .isInstanceOfSatisfying(
                        Grant.Granted.class, made -> assertThat(made.again()).isFalse());
        assertThat(fixture.grant("500.25", "march"))
                .isInstanceOfSatisfying(
                        Grant.Granted.class, made -> assertThat(made.again()).isTrue());
        fixture.has("1500.25", "0");
        assertThat(fixture.entries()).containsExactly("grant 1000", "grant 500.25");
        assertThat(new Audit(fixture.test.kernel().database()).oldestFirst(fixture.account, 0, 100))
                .filteredOn(entry -> entry.action().equals("credits.granted"))
                .singleElement()
                .satisfies(
                        entry -> assertThat(entry.actor()).isEqualTo(Actor.key(fixture.operator)));
    }

    @Test
    void twenty_grants_with_one_key_at_once_are_one() {
        Parallel.run(20, _ -> () -> fixture.grant("10", "one"));
        fixture.has("1010", "0");
    }

    @Test
    void another_amount_for_the_same_key_is_refused() {
        fixture.grant("10", "one");
        assertThat(fixture.grant("11", "one")).isInstanceOf(Grant.OtherAmount.class);
        fixture.has("1010", "0");
    }

    @Test
    void no_account_gets_more_than_an_account_can_have() {
        assertThat(fixture.grant(fixture.account, Ledger.AMOUNT_MAX, "all"))
                .isInstanceOf(Grant.TooMuch.class);
        fixture.has("1000", "0");
    }

    @Test
    void an_account_that_is_not_there_gets_nothing() {
        assertThat(fixture.grant(UUID.randomUUID(), BigDecimal.ONE, "key"))
                .isInstanceOf(Grant.NoAccount.class);
    }
}
