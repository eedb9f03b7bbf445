package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.schedule.CatchUp;
import io.orchestrion.kernel.schedule.Definition;
import io.orchestrion.kernel.schedule.Fire;
import io.orchestrion.kernel.schedule.Overlap;
import io.orchestrion.kernel.schedule.ScheduleView;
import io.orchestrion.kernel.schedule.TaskTemplate;
import io.orchestrion.kernel.schedule.Timing;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A schedule in the words of the door, read and written.
final class ScheduleJson {
    private ScheduleJson() {}

    static Definition read(Values body) {
        Values task = body.object("task");
        return new Definition(
                body.text("name"),
                new Timing(
                        body.textOrNull("cron"),
                        body.integerOrNull("everySeconds"),
                        body.text("timezone"),
                        millis(body.instantOrNull("startAt")),
                        millis(body.instantOrNull("endAt"))),
                new CatchUp(
                        CatchUp.Policy.of(body.text("catchUp")),
                        body.int32("catchUpMax"),
                        body.int32("catchUpWithinSeconds")),
                Overlap.of(body.text("overlap")),
                body.int32("jitterSeconds"),
                new TaskTemplate(
                        task.text("type"),
                        task.json("payload"),
                        task.int32("priority"),
                        task.int32("maxAttempts"),
                        task.int32("leaseDurationSeconds")));
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }

    static void write(JsonWriter out, ScheduleView schedule) {
        Definition definition = schedule.definition();
        Timing timing = definition.timing();
        out.text("id", schedule.id().toString())
                .text("name", definition.name())
                .text("status", schedule.status().word())
                .text("cron", timing.cron())
                .integer("everySeconds", timing.everySeconds())
                .text("timezone", timing.timezone())
                .text("catchUp", definition.catchUp().policy().word())
                .integer("catchUpMax", definition.catchUp().max())
                .integer("catchUpWithinSeconds", definition.catchUp().withinSeconds())
                .text("overlap", definition.overlap().word())
                .integer("jitterSeconds", definition.jitterSeconds());
        instant(out, "startAt", timing.startMs());
        instant(out, "endAt", timing.endMs());
        out.bool("paused", schedule.status() == ScheduleView.Status.PAUSED)
                .object("task", task -> write(task, definition.task()));
        instant(
                out,
                "nextFireAt",
                schedule.upcoming().isEmpty() ? null : schedule.upcoming().getFirst());
        out.instants("upcoming", schedule.upcoming());
        instant(out, "bufferedFireAt", schedule.bufferedMs());
        instant(out, "lastFireAt", schedule.lastFireMs());
        out.text(
                        "lastTaskId",
                        schedule.lastTaskId() == null ? null : schedule.lastTaskId().toString())
                .integer("fired", schedule.fired())
                .integer("missed", schedule.missed())
                .integer("skipped", schedule.skipped())
                .integer("failed", schedule.failed());
        instant(out, "lastFailureAt", schedule.failureMs());
        out.text("lastFailureReason", schedule.failure());
        instant(out, "createdAt", schedule.createdMs());
        instant(out, "updatedAt", schedule.updatedMs());
    }

    private static void write(JsonWriter out, TaskTemplate task) {
        out.text("type", task.type())
                .raw("payload", task.payload())
                .integer("priority", task.priority())
                .integer("maxAttempts", task.maxAttempts())
                .integer("leaseDurationSeconds", task.leaseSeconds());
    }

    static void write(JsonWriter out, Fire fire) {
        instant(out, "fireAt", fire.fireMs());
        out.text("result", fire.result().word())
                .bool("manual", fire.manual())
                .bool("late", fire.late())
                .integer("count", fire.times())
                .text("taskId", fire.taskId() == null ? null : fire.taskId().toString())
                .text("detail", fire.detail());
        instant(out, "at", fire.atMs());
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        out.instant(name, millis == null ? null : Instant.ofEpochMilli(millis));
    }
}
