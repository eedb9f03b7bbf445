package io.orchestrion.server.ops;

import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Settings;

/// What `serve` starts on an open database: migrations, kernel, sweepers and the HTTP server.
///
/// A core loop that meets an error it cannot go on from ends the process with
/// `System.exit(ExitCode.INTERNAL.number())`: the hook of [ServeCommand] then closes engine and
/// database, and a supervisor starts anew. There is no half-dead server.
public interface Engine {
    /// Answers when the first request would be served.
    Running start(OpenDatabase database, Settings settings) throws StartFailure;

    /// A server that serves.
    interface Running {
        /// The port it listens on, which for `--port 0` only the system knew.
        int port();

        /// The file with the key of the `local` account.
        String keyFile();

        /// Takes no new claims, lets requests in flight end and flushes. Answers when that is done;
        /// is interrupted when `drain-seconds` are over or a second signal comes.
        void drain();

        /// Closes sockets, loops and connections at once. Called after [#drain], or alone in a
        /// hurry.
        void close();
    }
}
