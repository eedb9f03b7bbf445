package io.orchestrion.server.events;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.door.EventFollow;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints that tell what happened to tasks.
public final class EventEndpoints {
    private EventEndpoints() {}

    static final Endpoint LIST =
            reading(Endpoint.get("listEvents", "/v1/events"))
                    .summary("List events of the account's tasks, oldest first")
                    .query(EventSpecs.after())
                    .query(EventSpecs.limit())
                    .query(EventSpecs.filters())
                    .query(
                            integer("waitSeconds")
                                    .range(0, EventSpecs.WAIT_SECONDS_MAX)
                                    .orElse(0)
                                    .doc("How long to wait for an event when there is none."))
                    .response(200, EventSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint STREAM =
            reading(Endpoint.get("streamEvents", "/v1/events/stream"))
                    .summary("Follow events of the account's tasks (server-sent events)")
                    .query(EventSpecs.after())
                    .query(EventSpecs.filters())
                    .query(
                            integer("seconds")
                                    .range(0, EventSpecs.STREAM_SECONDS_MAX)
                                    .orElse(EventSpecs.STREAM_SECONDS_MAX)
                                    .doc(
                                            "Time after which the stream ends. 0 sends the existing"
                                                    + " events and ends."))
                    .requestHeader(
                            text(EventFollow.LAST_ID)
                                    .length(1, 100)
                                    .doc("The last id received. It takes precedence over after."))
                    .answers(200, EventFollow.MEDIA_TYPE)
                    .build();

    static final Endpoint OF_TASK =
            reading(Endpoint.get("listTaskEvents", "/v1/tasks/{id}/events"))
                    .summary("List events of one task, oldest first")
                    .query(EventSpecs.after())
                    .query(EventSpecs.limit())
                    .response(200, EventSpecs.LIST_ANSWER)
                    .errors("task_not_found")
                    .build();

    private static Endpoint.Builder reading(Endpoint.Builder endpoint) {
        return endpoint.door(TasksDoor.NAME).limit(RateLimits.EVENTS);
    }

    public static final Catalogue CATALOGUE = new Catalogue(List.of(LIST, STREAM, OF_TASK));
}
