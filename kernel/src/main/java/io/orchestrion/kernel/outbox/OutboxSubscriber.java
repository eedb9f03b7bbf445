package io.orchestrion.kernel.outbox;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;

/// Where messages of one topic go. Every node has the same subscribers.
public interface OutboxSubscriber {
    String topic();

    /// Decides in the hot transaction whether a message is written: cheap, and without a look at
    /// the database.
    boolean wants(Outbox.Notice notice);

    /// Takes the message over, in the transaction that removes it from the outbox: typically by
    /// making a work item of it. Called again when that transaction did not commit; nothing may
    /// go over the network here.
    void accept(Tx tx, OutboxMessage message) throws SQLException;
}
