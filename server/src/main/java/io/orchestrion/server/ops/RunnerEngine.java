package io.orchestrion.server.ops;

import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Settings;

import java.time.Duration;

/// What `runner` starts on an open database.
public interface RunnerEngine {
    /// Answers when it takes jobs.
    Running start(OpenDatabase database, Settings settings, String name, int concurrency)
            throws StartFailure;

    /// What a runner is called whom nobody has given a name.
    String defaultName();

    /// How jobs ended in a runner.
    ///
    /// @param letGo stopped because they were not its own any more, as after a cancellation
    record Ended(long succeeded, long failed, long letGo) {
        Ended plus(Ended more) {
            return new Ended(succeeded + more.succeeded, failed + more.failed, letGo + more.letGo);
        }
    }

    /// A runner that runs.
    interface Running {
        /// Takes no more jobs and lets those that run end, within the given time; false when some
        /// had to be stopped.
        boolean stop(Duration atMost);

        Ended ended();

        /// Stops what still runs, and lets go of the database.
        void close();
    }
}
