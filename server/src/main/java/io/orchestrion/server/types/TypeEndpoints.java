package io.orchestrion.server.types;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints for what an account says about its types of tasks. Any key may look; to change
/// them is an operator's work.
public final class TypeEndpoints {
    private TypeEndpoints() {}

    static final Endpoint PUT =
            changing(Endpoint.put("putType", "/v1/types/{type}"))
                    .summary("Register type, or replace what is registered")
                    .request(TypeSpecs.PUT)
                    .response(201, TypeSpecs.TYPE_ANSWER)
                    .response(200, TypeSpecs.TYPE_ANSWER)
                    .build();

    static final Endpoint LIST =
            looking(Endpoint.get("listTypes", "/v1/types"))
                    .summary("List registered types by name")
                    .query(
                            integer("limit")
                                    .range(1, TaskDoorSpecs.LIST_MAX)
                                    .orElse(TaskDoorSpecs.LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."),
                            text("cursor").length(1, 200).doc("nextCursor of the previous page."))
                    .response(200, TypeSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint GET =
            looking(Endpoint.get("getType", "/v1/types/{type}"))
                    .summary("Get registered type")
                    .response(200, TypeSpecs.TYPE_ANSWER)
                    .errors("type_not_found")
                    .build();

    static final Endpoint DELETE =
            changing(Endpoint.delete("deleteType", "/v1/types/{type}"))
                    .summary("Delete a type's registration; its tasks stay")
                    .response(200, TypeSpecs.DELETE_ANSWER)
                    .errors("type_not_found")
                    .destructive()
                    .build();

    static final Endpoint PAUSE =
            moving("pauseType", "pause", "Pause type: its tasks are not handed out");

    static final Endpoint RESUME =
            moving("resumeType", "resume", "Resume type after a pause or a drain");

    static final Endpoint DRAIN =
            moving("drainType", "drain", "Drain type: no new tasks of it are accepted");

    static final Endpoint SETTINGS =
            looking(Endpoint.get("getSettings", "/v1/settings"))
                    .summary("Get the account's settings")
                    .response(200, TypeSpecs.SETTINGS_ANSWER)
                    .build();

    static final Endpoint CHANGE_SETTINGS =
            changing(Endpoint.patch("changeSettings", "/v1/settings"))
                    .summary("Change the account's settings")
                    .request(TypeSpecs.SETTINGS_PATCH)
                    .response(200, TypeSpecs.SETTINGS_ANSWER)
                    .build();

    private static Endpoint moving(String name, String verb, String summary) {
        return changing(Endpoint.post(name, "/v1/types/{type}/" + verb))
                .summary(summary)
                .request(TaskDoorSpecs.NOTHING)
                .response(200, TypeSpecs.TYPE_ANSWER)
                .errors("type_not_found")
                .build();
    }

    private static Endpoint.Builder looking(Endpoint.Builder endpoint) {
        return endpoint.door(TasksDoor.NAME).limit(RateLimits.TYPES);
    }

    private static Endpoint.Builder changing(Endpoint.Builder endpoint) {
        return looking(endpoint).scopes("operator", "admin");
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            PUT,
                            LIST,
                            GET,
                            DELETE,
                            PAUSE,
                            RESUME,
                            DRAIN,
                            SETTINGS,
                            CHANGE_SETTINGS));
}
