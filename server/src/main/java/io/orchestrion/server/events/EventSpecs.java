package io.orchestrion.server.events;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.tasks.ReportSpecs;
import io.orchestrion.server.tasks.TaskSpecs;
import io.orchestrion.server.tasks.TaskStatus;

/// What the event endpoints take and answer with.
final class EventSpecs {
    private EventSpecs() {}

    static final int PAGE_MAX = 1000;
    static final int PAGE_DEFAULT = 100;
    static final int WAIT_SECONDS_MAX = 30;
    static final int STREAM_SECONDS_MAX = 3600;

    /// What `include` may ask for, beside the steps of engines: events of engines' own subjects.
    static final String SUBJECTS = "subjects";

    private static final String EITHER = "(" + TaskSpecs.OWNED + "|" + SUBJECTS + ")";

    /// In place of a cursor: from now on.
    static final String NOW = "now";

    static Field after() {
        return text("after")
                .length(1, 100)
                .doc(
                        "The id of an event, or an earlier nextCursor. The word now skips all past"
                                + " events. Default: from the oldest event that is kept.");
    }

    static Field[] filters() {
        return new Field[] {
            text("include")
                    .length(1, 40)
                    .pattern("^" + EITHER + "(," + EITHER + ")?$")
                    .doc(
                            "owned adds the tasks that engines created for their steps. subjects"
                                + " adds what engines report about executions, runs and the like."
                                + " Separate both with a comma. All events share one order and one"
                                + " cursor."),
            text("type")
                    .length(1, TaskDoorSpecs.TYPE_MAX)
                    .pattern(TaskDoorSpecs.TYPE_PATTERN)
                    .doc("Only of tasks of this type, or of subjects of this kind."),
            text("taskId").pattern(TaskDoorSpecs.UUID_PATTERN).doc("Only of this task."),
            oneOf("event", TaskEvent.WORDS).doc("Only this event.")
        };
    }

    static IntegerField limit() {
        return integer("limit")
                .range(1, PAGE_MAX)
                .orElse(PAGE_DEFAULT)
                .doc("Largest number of entries in the answer.");
    }

    static final ObjectSpec EVENT =
            ObjectSpec.answer("TaskEvent")
                    .required(
                            text("id")
                                    .doc(
                                            "Position of the event in the log. It serves as a"
                                                    + " cursor."))
                    .required(text("taskId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("type"))
                    .required(oneOf("event", TaskEvent.WORDS))
                    .required(
                            oneOf("fromStatus", TaskStatus.SHOWN)
                                    .nullable()
                                    .doc("Null for the first event of the task."))
                    .required(oneOf("status", TaskStatus.SHOWN))
                    .required(integer("attempt").range(0, Integer.MAX_VALUE))
                    .required(text("workerId").nullable())
                    .required(text("reason").nullable().doc("Why an attempt failed."))
                    .required(instant("at"))
                    .optional(ReportSpecs.errorShown("error"))
                    .optional(text("correlationId").doc("Present when the task has one."))
                    .optional(object("report").doc("For a late report: what the worker reported."));

    private static final ObjectSpec SUBJECT =
            ObjectSpec.answer("EventSubject")
                    .required(text("kind").doc("Such as execution."))
                    .required(text("id").pattern(TaskDoorSpecs.UUID_PATTERN));

    static final ObjectSpec SUBJECT_EVENT =
            ObjectSpec.answer("SubjectEvent")
                    .required(
                            text("id")
                                    .doc(
                                            "Position of the event in the log. It serves as a"
                                                    + " cursor."))
                    .optional(
                            integer("place")
                                    .range(0, PAGE_MAX)
                                    .doc(
                                            "On a page: position among all events of the execution"
                                                + " or run, from 0. Events of its tasks have the"
                                                + " other positions, in order."))
                    .required(object("subject", SUBJECT))
                    .required(text("event").doc("A word of the subject's kind, such as started."))
                    .required(
                            integer("sequence")
                                    .range(1, Integer.MAX_VALUE)
                                    .doc("Number within the subject, from 1 without gaps."))
                    .required(text("fromStatus").nullable())
                    .required(text("status").nullable())
                    .required(text("correlationId").nullable())
                    .required(object("data").nullable())
                    .required(instant("at"));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("TaskEventList")
                    .required(objects("events", EVENT))
                    .optional(
                            objects("subjectEvents", SUBJECT_EVENT)
                                    .doc("Only if the request asked for them."))
                    .required(
                            text("nextCursor")
                                    .doc(
                                            "Cursor for the next request, also when there was no"
                                                    + " event."))
                    .required(bool("hasMore").doc("Whether there are more events."))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static void write(JsonWriter out, LogEvent event) {
        switch (event) {
            case FeedEvent item -> write(out, item);
            case SubjectLine line -> write(out, line);
        }
    }

    /// The word of an event, with that of what it happened to where that is no task.
    static String name(LogEvent event) {
        return switch (event) {
            case FeedEvent item -> TaskEvent.of(item.entry()).word();
            case SubjectLine line -> line.event().kind() + "." + line.event().event();
        };
    }

    private static void write(JsonWriter out, SubjectLine line) {
        SubjectEvent event = line.event();
        out.text("id", line.cursor().text())
                .object(
                        "subject",
                        each -> each.text("kind", event.kind()).text("id", event.id().toString()))
                .text("event", event.event())
                .integer("sequence", event.seq())
                .text("fromStatus", event.from())
                .text("status", event.to())
                .text("correlationId", event.correlationId())
                .raw("data", event.data())
                .instant("at", line.atMs());
    }

    private static void write(JsonWriter out, FeedEvent event) {
        HistoryEntry entry = event.entry();
        WorkState from = entry.from();
        out.text("id", event.cursor().text())
                .text("taskId", event.workId().toString())
                .text("type", event.kind())
                .text("event", TaskEvent.of(entry).word())
                .text("fromStatus", from == null ? null : TaskStatus.word(from))
                .text("status", TaskStatus.word(entry.to()))
                .integer("attempt", entry.attempt())
                .text("workerId", entry.holder())
                .text("reason", entry.late() ? null : entry.detail())
                .instant("at", entry.atMs());
        if (entry.error() != null) {
            out.raw("error", entry.error());
        }
        if (event.correlationId() != null) {
            out.text("correlationId", event.correlationId());
        }
        if (entry.late()) {
            out.raw("report", entry.detail());
        }
    }
}
