package io.orchestrion.server.tasks;

import static io.orchestrion.server.json.Field.bool;
import static io.orchestrion.server.json.Field.instant;
import static io.orchestrion.server.json.Field.integer;
import static io.orchestrion.server.json.Field.object;
import static io.orchestrion.server.json.Field.objects;
import static io.orchestrion.server.json.Field.oneOf;
import static io.orchestrion.server.json.Field.text;

import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.work.HistoryEntry;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.json.Field;
import io.orchestrion.server.json.IntegerField;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.ObjectSpec;

/// What the event endpoints take and answer with.
final class EventSpecs {
    private EventSpecs() {}

    static final int PAGE_MAX = 1000;
    static final int PAGE_DEFAULT = 100;
    static final int WAIT_SECONDS_MAX = 30;
    static final int STREAM_SECONDS_MAX = 3600;

    /// In place of a cursor: from now on.
    static final String NOW = "now";

    static Field after() {
        return text("after")
                .length(1, 100)
                .doc(
                        "The id of an event or an earlier nextCursor; now for only what comes; from"
                                + " the oldest that is kept by default.");
    }

    static Field[] filters() {
        return new Field[] {
            text("type")
                    .length(1, TaskSpecs.TYPE_MAX)
                    .pattern(TaskSpecs.TYPE_PATTERN)
                    .doc("Only of tasks of this type."),
            text("taskId").pattern(TaskSpecs.UUID_PATTERN).doc("Only of this task."),
            oneOf("event", TaskEvent.WORDS).doc("Only this event.")
        };
    }

    static IntegerField limit() {
        return integer("limit")
                .range(1, PAGE_MAX)
                .orElse(PAGE_DEFAULT)
                .doc("How many at the most.");
    }

    static final ObjectSpec EVENT =
            ObjectSpec.answer("TaskEvent")
                    .required(
                            text("id").doc("The event's place in the log: a cursor to go on from."))
                    .required(text("taskId").pattern(TaskSpecs.UUID_PATTERN))
                    .required(text("type"))
                    .required(oneOf("event", TaskEvent.WORDS))
                    .required(
                            oneOf("fromStatus", TaskStatus.WORDS)
                                    .nullable()
                                    .doc("Null where the task began."))
                    .required(oneOf("status", TaskStatus.WORDS))
                    .required(integer("attempt").range(0, Integer.MAX_VALUE))
                    .required(text("workerId").nullable())
                    .required(text("reason").nullable().doc("Why an attempt failed."))
                    .required(instant("at"));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("TaskEventList")
                    .required(objects("events", EVENT))
                    .required(
                            text("nextCursor")
                                    .doc("Where to go on from, also when there was nothing."))
                    .required(bool("hasMore").doc("Whether the end of the log was not reached."))
                    .required(object("agent_contract", TaskSpecs.CONTRACT));

    static void write(JsonWriter out, FeedEvent event) {
        HistoryEntry entry = event.entry();
        WorkState from = entry.from();
        out.text("id", event.cursor().text())
                .text("taskId", event.workId().toString())
                .text("type", event.kind())
                .text("event", TaskEvent.of(entry).word())
                .text("fromStatus", from == null ? null : TaskStatus.of(from).word())
                .text("status", TaskStatus.of(entry.to()).word())
                .integer("attempt", entry.attempt())
                .text("workerId", entry.holder())
                .text("reason", entry.detail())
                .instant("at", entry.atMs());
    }
}
