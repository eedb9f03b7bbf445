package io.orchestrion.kernel.outbox;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.sweep.Sweeper;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.UUID;

/// Hands written messages to their subscribers, on every node. A message whose subscriber throws
/// is postponed, longer each time, and holds up no other.
public final class OutboxRelay implements Sweeper {
    private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);
    private static final int BATCH = 100;
    private static final long LONGEST_WAIT_MS = 60_000;

    private final Database database;
    private final Outbox outbox;

    public OutboxRelay(Database database, Outbox outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    @Override
    public String name() {
        return "outbox-relay";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    /// One pass over all accounts; returns how many messages were handed over.
    @Override
    public int runOnce() {
        if (outbox.isEmpty()) {
            return 0;
        }
        List<UUID> accounts =
                database.transaction(
                        tx -> OutboxSql.accountsWithMessages(tx, outbox.topics(), BATCH));
        int handed = 0;
        for (UUID account : accounts) {
            handed += runOnce(account);
        }
        return handed;
    }

    private int runOnce(UUID account) {
        try {
            return database.transaction(
                    tx -> {
                        List<OutboxMessage> messages =
                                OutboxSql.take(tx, account, outbox.topics(), BATCH);
                        for (OutboxMessage message : messages) {
                            outbox.subscriber(message.topic()).accept(tx, message);
                        }
                        OutboxSql.delete(
                                tx, account, messages.stream().map(OutboxMessage::id).toList());
                        return messages.size();
                    });
        } catch (RuntimeException e) {
            if (StoreException.ofWholeStore(e)) {
                throw e;
            }
            log.warn("outbox batch of account {} failed, going on one by one", account, e);
            return oneByOne(account);
        }
    }

    private int oneByOne(UUID account) {
        List<OutboxMessage> messages =
                database.transaction(tx -> OutboxSql.take(tx, account, outbox.topics(), BATCH));
        int handed = 0;
        for (OutboxMessage message : messages) {
            try {
                boolean ours =
                        database.transaction(
                                tx -> {
                                    // Removed first, which locks it: another node may be at it
                                    // too, and only one of the two finds it.
                                    if (OutboxSql.delete(tx, account, List.of(message.id())) == 0) {
                                        return false;
                                    }
                                    outbox.subscriber(message.topic()).accept(tx, message);
                                    return true;
                                });
                handed += ours ? 1 : 0;
            } catch (RuntimeException e) {
                if (StoreException.ofWholeStore(e)) {
                    throw e;
                }
                log.warn("outbox message {} is postponed", message.id(), e);
                long wait = Math.min(LONGEST_WAIT_MS, 1000L << Math.min(message.tries(), 6));
                database.transaction(
                        tx -> {
                            OutboxSql.postpone(tx, account, message.id(), tx.nowMillis() + wait);
                            return true;
                        });
            }
        }
        return handed;
    }
}
