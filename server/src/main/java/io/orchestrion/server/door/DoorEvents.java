package io.orchestrion.server.door;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// How a door tells its events to receivers, in its own words.
public interface DoorEvents {
    /// The log that the events are in.
    String queue();

    /// Every name there is, such as `task.completed`.
    List<String> names();

    /// The names of the events that a receiver gets that asked for this one.
    default Set<String> meant(String asked) {
        return Set.of(asked);
    }

    /// Whether items may name somebody to be told of them, so that the log is read even where
    /// nobody asked for events.
    default boolean callsBack() {
        return false;
    }

    /// One event as it is sent.
    ///
    /// @param id the same in every delivery of it
    /// @param body JSON text
    /// @param callback the address that the item itself names, beside the receivers that asked for
    ///     such events
    record Told(LogEvent event, UUID id, String name, String body, @Nullable String callback) {}

    /// Whether its log has subjects of an engine, and no items.
    default boolean ofSubjects() {
        return false;
    }

    /// In the order of the events; those that are not told are left out.
    ///
    /// @param events of items, or of subjects where the log has those
    List<Told> told(Tx tx, UUID account, List<LogEvent> events) throws SQLException;

    /// An event of an item with no fields beside the usual ones.
    ///
    /// @param item what the door calls its items: `task` gives `task_id` and `task_type`
    /// @param status the door's word for a state
    static Told plain(
            UUID account,
            FeedEvent event,
            String name,
            String item,
            Function<WorkState, String> status) {
        UUID id = idOf(account, event);
        HistoryEntry entry = event.entry();
        WorkState from = entry.from();
        String body =
                JsonWriter.objectText(
                        out -> {
                            out.text("event_id", id.toString())
                                    .text("event_name", name)
                                    .instant("timestamp", entry.atMs())
                                    .text(item + "_id", event.workId().toString())
                                    .text(item + "_type", event.kind())
                                    .text("prev_state", from == null ? null : status.apply(from))
                                    .text("next_state", status.apply(entry.to()))
                                    .integer("attempt", entry.attempt())
                                    .text("worker_id", entry.holder())
                                    .text("reason", entry.late() ? null : entry.detail());
                            if (entry.error() != null) {
                                out.raw("error", entry.error());
                            }
                            if (event.correlationId() != null) {
                                out.text("correlation_id", event.correlationId());
                            }
                            if (entry.late()) {
                                out.raw("report", entry.detail());
                            }
                        });
        return new Told(event, id, name, body, null);
    }

    /// An id for an event that has none of its own: the same for the same event, and for no other.
    static UUID idOf(UUID account, LogEvent event) {
        ByteBuffer named =
                ByteBuffer.allocate(36)
                        .putLong(account.getMostSignificantBits())
                        .putLong(account.getLeastSignificantBits())
                        .putLong(event.subjectId().getMostSignificantBits())
                        .putLong(event.subjectId().getLeastSignificantBits())
                        .putInt(event.seq());
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update("event".getBytes(StandardCharsets.US_ASCII));
            ByteBuffer digest = ByteBuffer.wrap(sha.digest(named.array()));
            // Version 8: made in a way of our own.
            return new UUID(
                    (digest.getLong() & ~0xf000L) | 0x8000L,
                    (digest.getLong() >>> 2) | 0x8000_0000_0000_0000L);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
