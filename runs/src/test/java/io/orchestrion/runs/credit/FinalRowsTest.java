package io.orchestrion.runs.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What the database refuses, whoever asks.
class FinalRowsTest {
    private final CreditFixture fixture = new CreditFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// R-128, CB-025. Also in the mode of a replica, and where no row matches.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update credit_entry set amount = amount + 1",
                "update credit_entry set reason = 'x' where false",
                "delete from credit_entry",
                "delete from credit_entry where false",
                "truncate credit_entry cascade",
                "truncate credit_balance cascade",
                "update billing_ledger set amount = 1",
                "delete from billing_ledger",
                "update run_usage set tokens = 1",
                "delete from run_usage",
                "truncate run_usage",
                "update credit_notice set message = 'x'",
                "delete from credit_notice",
                "truncate credit_notice"
            })
    void rows_of_the_ledger_are_never_changed_or_removed(String statement) throws SQLException {
        fixture.charged("10");
        List<String> before = fixture.entries();
        for (String mode : List.of("origin", "replica")) {
            try (Connection connection = fixture.test.database().connect();
                    Statement session = connection.createStatement()) {
                session.execute("set session_replication_role = " + mode);
                assertThatThrownBy(() -> session.execute(statement))
                        .as("%s in the mode %s", statement, mode)
                        .hasMessageContaining("never changed or removed");
            }
        }
        assertThat(fixture.entries()).isEqualTo(before);
    }

    private void refused(String values, String constraint) {
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .tryExecute(
                                                "insert into credit_entry (account_id, seq, id,"
                                                        + " transaction_type, refund_kind, run_id,"
                                                        + " attempt, amount, idempotency_key,"
                                                        + " created_ms, balance_after,"
                                                        + " reserved_after, held_after) values ("
                                                        + values
                                                        + ")",
                                                fixture.account))
                .hasMessageContaining(constraint);
    }

    ///
    @Test
    void an_entry_that_breaks_a_rule_is_not_written() {
        Entry charge = fixture.charged("10");
        UUID run = charge.attempt().run();
        String id = "'" + UUID.randomUUID() + "'";
        String of = "'" + run + "', 1";
        refused(
                "?, 9, " + id + ", 'grant', null, null, null, 0, 'k', 1, 1, 0, null",
                "credit_entry_amount");
        refused(
                "?, 9, " + id + ", 'gift', null, " + of + ", 1, 'k', 1, 1, 0, null",
                "credit_entry_type");
        refused(
                "?, 9, " + id + ", 'grant', null, " + of + ", 1, 'k', 1, 1, 0, null",
                "credit_entry_run");
        refused(
                "?, 9, " + id + ", 'charge', null, " + of + ", 1, 'k', 1, 1, 0, -1",
                "credit_entry_held");
        refused(
                "?, 9, " + id + ", 'charge', null, " + of + ", 1, 'k', 1, 1, 2, 0",
                "credit_entry_left");
        refused(
                "?, 9, "
                        + id
                        + ", 'charge', null, "
                        + of
                        + ", 1, '"
                        + charge.key()
                        + "', 1, 1, 0, 0",
                "credit_entry_once");
        refused(
                "?, "
                        + charge.seq()
                        + ", "
                        + id
                        + ", 'charge', null, "
                        + of
                        + ", 1, 'k', 1, 1, 0, 0",
                "credit_entry_pkey");
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .tryExecute(
                                                "insert into credit_entry (account_id, seq, id,"
                                                    + " transaction_type, amount, idempotency_key,"
                                                    + " created_ms, balance_after, reserved_after)"
                                                    + " values (?, 1, ?, 'grant', 1, 'k', 1, 1, 0)",
                                                UUID.randomUUID(),
                                                UUID.randomUUID()))
                .hasMessageContaining("credit_entry_account");
    }

    ///
    @Test
    void a_balance_is_never_below_what_is_reserved() {
        fixture.started("10");
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .tryExecute("update credit_balance set balance = 9"))
                .hasMessageContaining("credit_balance_available");
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .tryExecute("update credit_balance set reserved = -1"))
                .hasMessageContaining("credit_balance_reserved");
    }

    ///
    @Test
    void what_steps_used_goes_with_its_run_and_only_then() {
        UUID run = fixture.started("10");
        var usage =
                new Usage(run, 1, UUID.randomUUID(), 500, new BigDecimal("0.5"), BigDecimal.ZERO);
        use(usage);
        assertThatThrownBy(() -> use(usage)).hasMessageContaining("run_usage_pkey");
        assertThat(
                        fixture.test
                                .database()
                                .rows("select cost, charged, overage, tokens from run_usage"))
                .containsExactly(
                        Map.of(
                                "cost", CreditFixture.credits("0.5"),
                                "charged", CreditFixture.credits("0"),
                                "overage", CreditFixture.credits("0.5"),
                                "tokens", 500L));
        assertThatThrownBy(
                        () ->
                                fixture.in(
                                        tx ->
                                                fixture.ledger.forgetUsage(
                                                        tx, fixture.account, run, 10)))
                .hasMessageContaining("never changed or removed");
        fixture.test
                .database()
                .execute(
                        "do $$ begin perform set_config('orchestrion.runs_purged', 'yes', true);"
                                + " delete from run_usage; end $$");
        assertThat(fixture.test.database().rows("select from run_usage")).isEmpty();
    }

    private void use(Usage usage) {
        fixture.in(
                tx -> {
                    fixture.ledger.use(tx, fixture.account, List.of(usage));
                    return true;
                });
    }
}
