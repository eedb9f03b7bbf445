package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.orchestrations.execution.NotificationSql.Sent;

import tools.jackson.databind.JsonNode;

/// Sends the notice of a step, once for its key: that it is about to be sent is written before, and
/// that it was sent afterwards. An attempt that finds it sent sends nothing.
final class NoticeSteps implements Handler {
    private final Database database;
    private final CallSteps calls;

    NoticeSteps(Database database, Egress egress) {
        this.database = database;
        this.calls = new CallSteps(egress, () -> database.transaction(Tx::nowMillis));
    }

    @Override
    public Outcome run(Charge charge) throws InterruptedException {
        JsonNode envelope = StoredJson.read(charge.payload());
        String key = envelope.get("idempotency_key").asString();
        String target = envelope.get("request").get("url").asString();
        var account = charge.item().accountId();
        Sent before = database.transaction(tx -> NotificationSql.begin(tx, account, key, target));
        if (before.result() != null) {
            return new Outcome.Completed(before.result());
        }
        Outcome outcome = calls.run(charge);
        if (outcome instanceof Outcome.Completed completed) {
            database.transaction(
                    tx ->
                            NotificationSql.sent(
                                    tx, account, key, String.valueOf(completed.result())));
        }
        return outcome;
    }
}
