package io.orchestrion.server.jobs;

import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Handler;

import java.time.Duration;

/// Holds every request of the door to the time that one may take. What is not done by then is not
/// done at all, and the door says so.
public final class JobsDeadline {
    private JobsDeadline() {}

    public static Handler during(Handler handler, Duration time) {
        return call -> {
            Endpoint endpoint = call.endpoint();
            return endpoint != null && endpoint.door().equals(JobsDoor.NAME)
                    ? Deadline.within(time, () -> handler.handle(call))
                    : handler.handle(call);
        };
    }
}
