package io.orchestrion.server.types;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoint that shows who waits in a type with limits, and for what.
public final class FlowEndpoints {
    private FlowEndpoints() {}

    static final Endpoint FLOW =
            Endpoint.get("getTypeFlow", "/v1/types/{type}/flow")
                    .door(TasksDoor.NAME)
                    .summary("Show which keys of a type have tasks waiting, and what for")
                    .limit(RateLimits.LIST)
                    .query(
                            integer("limit")
                                    .range(1, FlowSpecs.LIST_MAX)
                                    .orElse(FlowSpecs.LIST_DEFAULT)
                                    .doc("How many keys at the most."),
                            text("cursor")
                                    .length(1, FlowSpecs.CURSOR_MAX)
                                    .doc("nextCursor of the previous page."))
                    .response(200, FlowSpecs.FLOW_ANSWER)
                    .build();

    public static final Catalogue CATALOGUE = new Catalogue(List.of(FLOW));
}
