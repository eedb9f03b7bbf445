package io.orchestrion.runs.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.check.Anomalies.AttemptPlace;
import io.orchestrion.runs.check.Anomaly.Kind;
import io.orchestrion.runs.credit.CreditSubjects;
import io.orchestrion.runs.credit.Credits;
import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The ledger is compared with what attempts of runs say of themselves.
class AnomaliesTest {
    private final TestKernel test = new TestKernel(AnomaliesTest::withRuns);
    private final UUID account = test.account();
    private final Ledger ledger = new Ledger(test.kernel().ids(), InitialGrants.DEFAULT);
    private final Credits credits = new Credits(test.kernel(), ledger);
    private final Rows rows = new Rows(test.database(), account, 1);

    private static KernelOptions withRuns(KernelOptions options) {
        return options.withSubjects(List.of(CreditSubjects.CREDIT))
                .withSchema(options.schema().plus(List.of(RunsSchema.PART)));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private <T> T in(Session.Body<T> body) {
        return test.kernel().database().retried(body);
    }

    /// A run whose only attempt is over and says that it was charged so much of 100.
    private UUID over(int charged) {
        UUID run =
                rows.run(
                        "completed",
                        Map.of(
                                "credits_reserved",
                                100,
                                "credits_charged",
                                charged,
                                "credits_refunded",
                                100 - charged));
        rows.attempt(
                run,
                Map.of(
                        "outcome",
                        "completed",
                        "ended_ms",
                        2,
                        "credits_reserved",
                        100,
                        "credits_charged",
                        charged,
                        "credits_refunded",
                        100 - charged));
        in(tx -> ledger.reserve(tx, account, run, 1, new BigDecimal(100)));
        return run;
    }

    private void charge(UUID run, int amount, String key) {
        in(tx -> ledger.charge(tx, account, run, 1, new BigDecimal(amount), key));
    }

    private void settle(UUID run, int charged, int refunded) {
        in(
                tx -> {
                    ledger.settle(
                            tx, account, run, 1, new BigDecimal(charged), new BigDecimal(refunded));
                    return true;
                });
    }

    private List<Anomaly> anomalies() {
        Anomalies.Page page = Anomalies.page(test.kernel().database(), AttemptPlace.START);
        assertThat(page.next()).isNull();
        return page.anomalies();
    }

    private void odd(UUID run, Kind... kinds) {
        assertThat(anomalies())
                .singleElement()
                .satisfies(
                        found -> {
                            assertThat(found.run()).isEqualTo(run);
                            assertThat(found.kinds()).containsExactly(kinds);
                        });
    }

    @Test
    void attempts_that_were_settled_are_not_odd() {
        settle(over(40), 40, 60);
        settle(over(0), 0, 100);
        settle(over(100), 100, 0);
        assertThat(anomalies()).isEmpty();
    }

    @Test
    void an_attempt_that_was_charged_twice_is_found_until_one_charge_is_given_back() {
        UUID run = over(40);
        charge(run, 40, "a");
        settle(run, 40, 20);
        odd(run, Kind.SEVERAL_CHARGES);
        var charge = credits.entries(account, run, 0, 10).get(1);
        in(tx -> credits.reverse(tx, charge.id(), null, UUID.randomUUID()));
        assertThat(anomalies()).isEmpty();
    }

    @Test
    void an_attempt_that_was_charged_something_else_is_found() {
        UUID run = over(40);
        settle(run, 41, 59);
        odd(run, Kind.CHARGE_DIFFERS);
    }

    @Test
    void an_attempt_that_ended_without_its_settlement_is_found() {
        UUID run = over(40);
        odd(run, Kind.CHARGE_MISSING, Kind.RESERVATION_LEFT);
        List<AttemptPlace> of = List.of(new AttemptPlace(account, run, 1));
        assertThat(this.<List<Anomaly>>in(tx -> CheckSql.attempts(tx, account, of)))
                .isEqualTo(anomalies());
    }

    @Test
    void all_pages_together_find_each_once() {
        var wrong = new ArrayList<UUID>();
        for (int i = 0; i < 5; i++) {
            settle(over(40), 40, 60);
            wrong.add(over(40));
        }
        var found = new ArrayList<UUID>();
        AttemptPlace place = AttemptPlace.START;
        while (place != null) {
            Anomalies.Page page = Anomalies.page(test.kernel().database(), place, 3);
            page.anomalies().forEach(each -> found.add(each.run()));
            place = page.next();
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(wrong);
    }
}
