package io.orchestrion.runs.credit;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.testkit.TestKernel;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A kernel with the tables of runs, a ledger, and one account that has 1,000 credits.
final class CreditFixture implements AutoCloseable {
    static final BigDecimal INITIAL = new BigDecimal("1000.000000");

    final TestKernel test = new TestKernel(CreditFixture::withRuns);
    final Ledger ledger = ledger(test.kernel());
    final UUID account = test.account();

    static KernelOptions withRuns(KernelOptions options) {
        return options.withSchema(options.schema().plus(List.of(RunsSchema.PART)));
    }

    static Ledger ledger(Kernel kernel) {
        return new Ledger(kernel.ids(), new InitialGrants(INITIAL, INITIAL));
    }

    <T> T in(Session.Body<T> body) {
        return test.kernel().database().retried(body);
    }

    static BigDecimal credits(String amount) {
        return new BigDecimal(amount).setScale(Prices.SCALE);
    }

    Reservation reserve(UUID run, int attempt, String amount) {
        return in(tx -> ledger.reserve(tx, account, run, attempt, credits(amount)));
    }

    Charge charge(UUID run, int attempt, String amount, String key) {
        return in(tx -> ledger.charge(tx, account, run, attempt, credits(amount), key));
    }

    void settle(UUID run, int attempt, String charged, String refunded) {
        in(
                tx -> {
                    ledger.settle(tx, account, run, attempt, credits(charged), credits(refunded));
                    return true;
                });
    }

    /// A run that has reserved so much.
    UUID started(String amount) {
        UUID run = test.kernel().ids().next(System.currentTimeMillis());
        assertThat(reserve(run, 1, amount)).isInstanceOf(Reservation.Reserved.class);
        return run;
    }

    Balance balance() {
        return in(tx -> ledger.balance(tx, account));
    }

    void has(String balance, String reserved) {
        assertThat(balance()).isEqualTo(new Balance(credits(balance), credits(reserved)));
    }

    /// `type amount` of each entry, in order.
    List<String> entries() {
        return test
                .database()
                .rows(
                        "select seq, transaction_type || coalesce(':' || refund_kind, '') || ' '"
                                + " || trim_scale(amount) as entry from credit_entry"
                                + " where account_id = ? order by seq",
                        account)
                .stream()
                .map(Map::values)
                .map(values -> String.valueOf(values.toArray()[1]))
                .toList();
    }

    @Override
    public void close() {
        test.close();
    }
}
