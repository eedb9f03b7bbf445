package io.orchestrion.sdk.definition;

import java.time.Duration;

/// A step that lets time pass; from [Step#waitFor] and [Step#waitUntil]. It survives restarts of
/// the server.
///
/// ```java
/// WaitStep coolDown = Step.waitFor("cool_down", Duration.ofDays(14)).onSuccess("close");
/// ```
public final class WaitStep extends LeadingStep<WaitStep> {
    WaitStep(String id, Duration duration) {
        super("wait", id);
        node.put("duration_ms", duration.toMillis());
    }

    WaitStep(String id, Value moment) {
        super("wait", id);
        node.set("until", moment.node());
    }

    @Override
    WaitStep self() {
        return this;
    }
}
