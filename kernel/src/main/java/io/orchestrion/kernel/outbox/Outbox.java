package io.orchestrion.kernel.outbox;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// Messages about work, written in the transaction of what they tell and handed to their
/// subscriber afterwards, at least once. Where nobody subscribes nothing is written.
public final class Outbox {
    public static final Outbox NONE = new Outbox(List.of());

    /// A change of one item that somebody may want to hear of.
    public record Notice(UUID workId, String profile, String event, int eventSeq) {}

    private final Map<String, OutboxSubscriber> subscribers = new HashMap<>();

    public Outbox(Collection<OutboxSubscriber> subscribers) {
        for (OutboxSubscriber subscriber : subscribers) {
            if (this.subscribers.put(subscriber.topic(), subscriber) != null) {
                throw new IllegalArgumentException("topic " + subscriber.topic() + " given twice");
            }
        }
    }

    /// Writes a message for each notice and each subscriber that wants it.
    public void write(Tx tx, UUID account, List<Notice> notices, Function<Long, UUID> ids)
            throws SQLException {
        for (OutboxSubscriber subscriber : subscribers.values()) {
            List<Notice> wanted = notices.stream().filter(subscriber::wants).toList();
            if (!wanted.isEmpty()) {
                List<UUID> messageIds =
                        wanted.stream().map(_ -> ids.apply(tx.nowMillis())).toList();
                OutboxSql.insert(tx, account, subscriber.topic(), messageIds, wanted);
            }
        }
    }

    public boolean isEmpty() {
        return subscribers.isEmpty();
    }

    OutboxSubscriber subscriber(String topic) {
        OutboxSubscriber subscriber = subscribers.get(topic);
        if (subscriber == null) {
            throw new IllegalStateException("nobody subscribes to " + topic);
        }
        return subscriber;
    }

    List<String> topics() {
        return List.copyOf(subscribers.keySet());
    }
}
