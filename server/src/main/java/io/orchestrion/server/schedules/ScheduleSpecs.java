package io.orchestrion.server.schedules;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.schedule.CatchUp;
import io.orchestrion.kernel.schedule.Fire;
import io.orchestrion.kernel.schedule.Overlap;
import io.orchestrion.kernel.schedule.ScheduleDefinition;
import io.orchestrion.kernel.schedule.ScheduleView;
import io.orchestrion.kernel.schedule.Timing;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.tasks.TaskSpecs;

import java.util.Arrays;
import java.util.List;

/// The bodies of the schedule endpoints, in and out.
final class ScheduleSpecs {
    private ScheduleSpecs() {}

    static final int NAME_MAX = 200;
    static final int LIST_MAX = 100;
    static final int LIST_DEFAULT = 50;

    private static final String NAME_PATTERN = "^[A-Za-z0-9._-]+$";

    /// The fields of a new task, by the same declarations.
    private static final ObjectSpec TASK =
            ObjectSpec.named("ScheduleTask")
                    .required(ofTask("type"))
                    .required(ofTask("payload"))
                    .optional(ofTask("priority"))
                    .optional(ofTask("maxAttempts"))
                    .optional(ofTask("leaseDurationSeconds"))
                    .refuse(List.of("scheduledAt"), "is set by the schedule");

    private static Field ofTask(String name) {
        return TaskSpecs.CREATE.fields().stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static final ObjectSpec DEFINITION =
            ObjectSpec.named("ScheduleDefinition")
                    .example(
                            "{\"name\":\"nightly-report\",\"cron\":\"30 2 * * *\","
                                + "\"timezone\":\"Europe/Berlin\",\"overlap\":\"skip\","
                                + "\"task\":{\"type\":\"report\",\"payload\":{\"kind\":\"daily\"}}}")
                    .required(
                            text("name")
                                    .length(1, NAME_MAX)
                                    .pattern(NAME_PATTERN)
                                    .doc("Unique in the account."))
                    .optional(
                            text("cron")
                                    .length(1, 200)
                                    .doc(
                                            "Minute, hour, day of month, month, day of week; or"
                                                + " @hourly, @daily, @weekly, @monthly. Either this"
                                                + " or everySeconds."))
                    .optional(
                            integer("everySeconds")
                                    .range(1, Timing.EVERY_MAX.toSeconds())
                                    .doc("A fixed interval, counted from startAt or from now."))
                    .optional(
                            text("timezone")
                                    .length(1, 64)
                                    .orElse("UTC")
                                    .doc("Time zone of cron, by its IANA name."))
                    .optional(
                            oneOf("catchUp", CatchUp.Policy.words())
                                    .orElse(CatchUp.Policy.LATEST.word())
                                    .doc(
                                            "What happens to fire times that passed while no server"
                                                    + " ran."))
                    .optional(
                            integer("catchUpMax")
                                    .range(1, CatchUp.MAX_MAX)
                                    .orElse(CatchUp.MAX_DEFAULT)
                                    .doc(
                                            "How many missed times are made up for, with catchUp"
                                                    + " all."))
                    .optional(
                            integer("catchUpWithinSeconds")
                                    .range(1, CatchUp.WITHIN_MAX)
                                    .orElse(CatchUp.WITHIN_DEFAULT)
                                    .doc(
                                            "A fire that is late by no more than this does not"
                                                    + " count as missed."))
                    .optional(
                            oneOf("overlap", Overlap.words())
                                    .orElse(Overlap.ALLOW.word())
                                    .doc(
                                            "What happens to a fire while an earlier task of the"
                                                    + " schedule is open."))
                    .optional(
                            integer("jitterSeconds")
                                    .range(0, ScheduleDefinition.JITTER_MAX)
                                    .orElse(0)
                                    .doc(
                                            "The task is made at its time and becomes claimable up"
                                                    + " to so much later."))
                    .optional(instant("startAt").doc("No fire before."))
                    .optional(instant("endAt").doc("No fire after."))
                    .optional(
                            bool("paused")
                                    .doc(
                                            "Whether the schedule is paused. Default: false for a"
                                                    + " new one, unchanged for a replaced one."))
                    .required(object("task", TASK).doc("The task that each fire creates."));

    static final ObjectSpec SCHEDULE =
            ObjectSpec.answer("Schedule")
                    .required(text("id").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("name"))
                    .required(
                            oneOf(
                                    "status",
                                    Arrays.stream(ScheduleView.Status.values())
                                            .map(ScheduleView.Status::word)
                                            .toList()))
                    .required(text("cron").nullable())
                    .required(integer("everySeconds").nullable())
                    .required(text("timezone"))
                    .required(oneOf("catchUp", CatchUp.Policy.words()))
                    .required(integer("catchUpMax"))
                    .required(integer("catchUpWithinSeconds"))
                    .required(oneOf("overlap", Overlap.words()))
                    .required(integer("jitterSeconds"))
                    .required(instant("startAt").nullable())
                    .required(instant("endAt").nullable())
                    .required(bool("paused"))
                    .required(
                            object(
                                    "task",
                                    ObjectSpec.answer("ScheduledTask")
                                            .required(text("type"))
                                            .required(object("payload"))
                                            .required(integer("priority"))
                                            .required(integer("maxAttempts"))
                                            .required(integer("leaseDurationSeconds"))))
                    .required(
                            instant("nextFireAt")
                                    .nullable()
                                    .doc("Null while it is paused and once it has ended."))
                    .required(array("upcoming", instant("time")).doc("The next times."))
                    .required(
                            instant("bufferedFireAt")
                                    .nullable()
                                    .doc("Fire time that waits for an earlier task to end."))
                    .required(instant("lastFireAt").nullable())
                    .required(text("lastTaskId").nullable())
                    .required(integer("fired").doc("Tasks made."))
                    .required(
                            integer("missed")
                                    .doc("Fire times that were missed and not made up for."))
                    .required(
                            integer("skipped")
                                    .doc("Fires without a task because an earlier task was open."))
                    .required(integer("failed").doc("Fires whose task could not be created."))
                    .required(instant("lastFailureAt").nullable())
                    .required(text("lastFailureReason").nullable())
                    .required(instant("createdAt"))
                    .required(instant("updatedAt"));

    private static final ObjectSpec FIRE =
            ObjectSpec.answer("ScheduleFire")
                    .required(instant("fireAt").doc("Time at which the fire was due."))
                    .required(oneOf("result", Fire.Result.words()))
                    .required(bool("manual").doc("Whether the fire was requested rather than due."))
                    .required(bool("late").doc("Whether the fire made up for a missed time."))
                    .required(
                            integer("count")
                                    .doc(
                                            "Number of fire times in this entry; more than one if"
                                                    + " they were missed."))
                    .required(text("taskId").nullable())
                    .required(text("detail").nullable())
                    .required(instant("at").doc("When it happened."));

    static final ObjectSpec SCHEDULE_ANSWER =
            ObjectSpec.answer("ScheduleAnswer")
                    .required(object("schedule", SCHEDULE))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec RUN_ANSWER =
            ObjectSpec.answer("ScheduleRun")
                    .required(text("taskId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(object("schedule", SCHEDULE))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("ScheduleList")
                    .required(objects("schedules", SCHEDULE))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec FIRES_ANSWER =
            ObjectSpec.answer("ScheduleFires")
                    .required(objects("fires", FIRE))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));
}
