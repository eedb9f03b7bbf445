package io.orchestrion.server.billing;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.UUID;

/// Stands in for a payment provider where none is set up. It says so to everybody who meets it: no
/// money moves, and the human who approves is the server's operator.
public final class LocalProvider implements PaymentProvider {
    public static final String NAME = "local";

    private final Database database;
    private final Ids ids;
    private final PublicAddress address;

    public LocalProvider(Database database, Ids ids, PublicAddress address) {
        this.database = database;
        this.ids = ids;
        this.address = address;
    }

    /// @param state `created`, `approved` or `captured`
    public record LocalOrder(
            UUID accountId,
            String id,
            UUID purchaseId,
            String description,
            Money price,
            String state) {
        public boolean approved() {
            return !state.equals("created");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "this server's operator (no money moves)";
    }

    /// The id is random, because it is enough to see the order's page.
    @Override
    public Creation create(NewOrder order) {
        String id = "local-" + ids.token().toString().replace("-", "");
        database.transaction(
                tx -> {
                    LocalOrderSql.insert(tx, id, order);
                    return id;
                });
        return new Creation.Created(id, address.of("/billing/approve/" + id));
    }

    public Optional<LocalOrder> find(String orderId) {
        return database.transaction(tx -> Optional.ofNullable(LocalOrderSql.find(tx, orderId)));
    }

    /// Called for the operator; the caller has checked that. A repeated call changes nothing.
    public Optional<LocalOrder> approve(String orderId) {
        return database.transaction(
                tx -> {
                    LocalOrderSql.approve(tx, LocalOrderSql.find(tx, orderId));
                    return Optional.ofNullable(LocalOrderSql.find(tx, orderId));
                });
    }

    @Override
    public OrderState look(String orderId) {
        return database.transaction(tx -> stateOf(LocalOrderSql.find(tx, orderId)));
    }

    /// A request id is not needed here: the order's own state lets it happen once.
    @Override
    public OrderState capture(String orderId, String requestId) {
        return database.transaction(
                tx -> {
                    LocalOrderSql.capture(tx, LocalOrderSql.find(tx, orderId));
                    return stateOf(LocalOrderSql.find(tx, orderId));
                });
    }

    private static OrderState stateOf(@Nullable LocalOrder order) {
        if (order == null) {
            return new OrderState.Gone();
        }
        return switch (order.state()) {
            case "captured" -> new OrderState.Completed(order.price(), order.id());
            case "approved" -> new OrderState.Approved(order.price());
            default -> new OrderState.NotApproved();
        };
    }
}
