package io.orchestrion.server.doors;

import org.jspecify.annotations.Nullable;

/// A door that was opened on one server.
public interface OpenDoor extends AutoCloseable {
    /// A door that runs nothing of its own.
    OpenDoor PLAIN = new OpenDoor() {};

    /// Why the server is not ready because of this door, as a word of `/ready`; null when nothing
    /// is wrong.
    default @Nullable String fault() {
        return null;
    }

    /// Ends what the door has running, before the kernel is closed.
    @Override
    default void close() {}
}
