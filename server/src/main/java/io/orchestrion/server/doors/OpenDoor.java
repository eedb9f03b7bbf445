package io.orchestrion.server.doors;

import io.orchestrion.server.exit.StartFailure;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// A door that was opened on one server.
public interface OpenDoor extends AutoCloseable {
    /// A door that runs nothing of its own.
    OpenDoor PLAIN = new OpenDoor() {};

    /// Why the server is not ready because of this door, as a word of `/ready`; null when nothing
    /// is wrong.
    default @Nullable String fault() {
        return null;
    }

    /// Starts what the door runs beside its requests. Called before the kernel's own loops start.
    default void start() throws StartFailure {}

    /// Lets that end within the given time, while requests do.
    default void drain(Duration atMost) {}

    /// Ends what the door has running, before the kernel is closed.
    @Override
    default void close() {}
}
