package io.orchestrion.server.schedules;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints for schedules. A new one needs no idempotency key: its name is one.
public final class ScheduleEndpoints {
    private ScheduleEndpoints() {}

    private static final String PATH = "/v1/schedules";
    private static final String ONE = PATH + "/{id}";

    static final Endpoint CREATE =
            changing(Endpoint.post("createSchedule", PATH), "schedule_exists", "type_draining")
                    .summary("Create schedule of recurring tasks")
                    .request(ScheduleSpecs.DEFINITION)
                    .answerHeader("Location", "The path of the new schedule.")
                    .response(201, ScheduleSpecs.SCHEDULE_ANSWER)
                    .build();

    static final Endpoint LIST =
            paged(any(Endpoint.get("listSchedules", PATH)))
                    .summary("List schedules, newest first")
                    .response(200, ScheduleSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint GET =
            any(Endpoint.get("getSchedule", ONE), "schedule_not_found")
                    .summary("Get single schedule with its next times")
                    .response(200, ScheduleSpecs.SCHEDULE_ANSWER)
                    .build();

    static final Endpoint REPLACE =
            changing(
                            Endpoint.put("replaceSchedule", ONE),
                            "schedule_not_found",
                            "schedule_exists",
                            "type_draining")
                    .summary("Replace schedule's definition, keeping its counts and history")
                    .request(ScheduleSpecs.DEFINITION)
                    .response(200, ScheduleSpecs.SCHEDULE_ANSWER)
                    .build();

    static final Endpoint DELETE =
            changing(Endpoint.delete("deleteSchedule", ONE), "schedule_not_found")
                    .summary("Delete schedule; its tasks stay")
                    .response(200, ScheduleSpecs.SCHEDULE_ANSWER)
                    .destructive()
                    .build();

    static final Endpoint PAUSE =
            verb("pauseSchedule", "pause")
                    .summary("Pause schedule")
                    .response(200, ScheduleSpecs.SCHEDULE_ANSWER)
                    .build();

    static final Endpoint RESUME =
            verb("resumeSchedule", "resume")
                    .summary("Resume schedule from now on")
                    .response(200, ScheduleSpecs.SCHEDULE_ANSWER)
                    .build();

    static final Endpoint RUN =
            changing(
                            Endpoint.post("runSchedule", ONE + "/run"),
                            "schedule_not_found",
                            "quota_exceeded",
                            "plan_expired",
                            "type_draining")
                    .summary("Create one task of the schedule at once")
                    .request(TaskDoorSpecs.NOTHING)
                    .answerHeader("Location", "The path of the new task.")
                    .response(201, ScheduleSpecs.RUN_ANSWER)
                    .build();

    static final Endpoint FIRES =
            paged(any(Endpoint.get("listScheduleFires", ONE + "/fires"), "schedule_not_found"))
                    .summary("List what the schedule has done, newest first")
                    .response(200, ScheduleSpecs.FIRES_ANSWER)
                    .build();

    private static Endpoint.Builder any(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(TasksDoor.NAME).limit(RateLimits.SCHEDULES).errors(errors);
    }

    private static Endpoint.Builder changing(Endpoint.Builder endpoint, String... errors) {
        return any(endpoint, errors).scopes("producer", "operator", "admin");
    }

    private static Endpoint.Builder verb(String name, String verb) {
        return changing(Endpoint.post(name, ONE + "/" + verb), "schedule_not_found")
                .request(TaskDoorSpecs.NOTHING);
    }

    private static Endpoint.Builder paged(Endpoint.Builder endpoint) {
        return endpoint.query(
                integer("limit")
                        .range(1, ScheduleSpecs.LIST_MAX)
                        .orElse(ScheduleSpecs.LIST_DEFAULT)
                        .doc("Largest number of entries in the answer."),
                text("cursor").length(1, 200).doc("nextCursor of the previous page."));
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(CREATE, LIST, GET, REPLACE, DELETE, PAUSE, RESUME, RUN, FIRES));
}
