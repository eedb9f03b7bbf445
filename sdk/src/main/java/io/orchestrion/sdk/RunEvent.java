package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// Something that happened to a run, as webhooks tell it; from [Runs#events].
///
/// ```java
/// for (RunEvent event : client.runs().events("run_7", null, null).items()) {
///     System.out.println(event.at() + " " + event.name());
/// }
/// ```
///
/// @param sequence grows with each event of the run
/// @param name such as `run.started`
/// @param json everything that the server says of it
public record RunEvent(long sequence, String name, Instant at, JsonNode json) {
    /// What the event tells beside its name.
    public JsonNode data() {
        return json.path("data");
    }
}
