package io.orchestrion.server.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.lifecycle.TransitionTable.Row;
import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/// What the tables promise beside the code.
class PurchaseStorageTest {
    private static Shop shop;

    @BeforeAll
    static void start() {
        shop = new Shop();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private final TaskApi buyer = shop.buyer();

    @Test
    void every_named_statement_prepares_against_the_schema() throws SQLException {
        try (Connection connection = shop.server().database().connect()) {
            for (NamedSql file : List.of(BillingSql.statements(), LocalOrderSql.statements())) {
                assertThat(file.texts()).isNotEmpty();
                for (var statement : file.texts().entrySet()) {
                    try (var prepared = connection.prepareStatement(statement.getValue())) {
                        assertThat(prepared.getParameterMetaData().getParameterCount())
                                .as(statement.getKey())
                                .isPositive();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update payment_entry set amount_cents = 1 where purchase_id = ?",
                "delete from payment_entry where purchase_id = ?"
            })
    void the_ledger_is_append_only(String statement) {
        UUID purchase = UUID.fromString(shop.checkout(buyer, "basic"));
        assertThatThrownBy(() -> shop.server().database().tryExecute(statement, purchase))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("never changed or removed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "state = 'paid'",
                "state = 'activated'",
                "state = 'capturing'",
                "state = 'pending'",
                "state = 'failed'",
                "look_ms = 1",
                "claimed_until_ms = 1",
                "amount_cents = 0",
                "currency = 'usd'",
            })
    void a_purchase_that_contradicts_itself_cannot_be_stored(String change) {
        UUID purchase = UUID.fromString(shop.checkout(buyer, "basic"));
        assertThatThrownBy(
                        () ->
                                shop.server()
                                        .database()
                                        .tryExecute(
                                                "update purchase set "
                                                        + change
                                                        + " where purchase_id = ?",
                                                purchase))
                .isInstanceOf(SQLException.class);
    }

    /// A settled purchase stays as it is, and an event leads to one state.
    @Test
    void no_row_leaves_a_settled_state_and_none_is_ambiguous() {
        assertThat(PurchaseLifecycle.TABLE.rows())
                .noneMatch(row -> row.from().settled())
                .allSatisfy(
                        row ->
                                assertThat(PurchaseLifecycle.TABLE.targets(row.from(), row.event()))
                                        .hasSize(1));
        assertThat(PurchaseLifecycle.TABLE.rows().stream().map(Row::to))
                .contains(PurchaseState.values());
    }

    /// Only paid money activates, from wherever it is found.
    @ParameterizedTest
    @EnumSource(PurchaseEvent.class)
    void only_one_event_activates(PurchaseEvent event) {
        boolean activates =
                Arrays.stream(PurchaseState.values())
                        .anyMatch(
                                from ->
                                        PurchaseLifecycle.TABLE.allows(
                                                from, event, PurchaseState.ACTIVATED));
        assertThat(activates).isEqualTo(event == PurchaseEvent.ACTIVATED);
    }
}
