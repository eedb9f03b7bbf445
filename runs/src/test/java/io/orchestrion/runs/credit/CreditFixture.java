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
    final Credits credits = new Credits(test.kernel(), ledger);
    final UUID account = test.account();

    /// The key of the server's operator.
    final UUID operator = UUID.randomUUID();

    static KernelOptions withRuns(KernelOptions options) {
        return options.withSubjects(List.of(CreditSubjects.CREDIT))
                .withSchema(options.schema().plus(List.of(RunsSchema.PART)));
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

    /// The charge of a run that has used so much and is over.
    Entry charged(String amount) {
        UUID run = started(amount);
        settle(run, 1, amount, "0");
        return credits.entries(account, run, 0, 10).getLast();
    }

    Grant grant(String amount, String key) {
        return grant(account, credits(amount), key);
    }

    Grant grant(UUID to, BigDecimal amount, String key) {
        return in(
                tx ->
                        credits.grant(
                                tx,
                                new Credits.GrantRequest(to, amount, key, "because", operator)));
    }

    Reversal reverse(UUID charge) {
        return in(tx -> credits.reverse(tx, charge, "charged twice", operator));
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

    /// What the balance must be by the entries alone, in order, without a gap and never back in
    /// time..
    void isConserved() {
        assertThat(
                        test.database()
                                .rows(
                                        """
                                        select b.account_id, b.balance, b.reserved, s.*
                                          from credit_balance b
                                         cross join lateral (
                                           select coalesce(sum(case
                                                    when e.transaction_type = 'grant' or e.refund_kind = 'reversal' then e.amount
                                                    when e.transaction_type = 'charge' then -e.amount end), 0) as sum_balance,
                                                  coalesce(sum(case
                                                    when e.transaction_type = 'reserve' then e.amount
                                                    when e.transaction_type = 'charge' or e.refund_kind = 'release'
                                                      then -e.amount end), 0) as sum_reserved,
                                                  count(*) as entries, coalesce(max(e.seq), 0) as newest,
                                                  coalesce(min(e.seq), 1) as oldest
                                             from credit_entry e where e.account_id = b.account_id) s
                                         where b.balance <> s.sum_balance or b.reserved <> s.sum_reserved
                                            or b.seq <> s.newest or s.entries <> s.newest or s.oldest <> 1
                                            or exists (select from credit_entry e
                                                        join credit_entry f on f.account_id = e.account_id and f.seq = e.seq + 1
                                                       where e.account_id = b.account_id and f.created_ms < e.created_ms)
                                        """))
                .isEmpty();
    }

    @Override
    public void close() {
        test.close();
    }
}
