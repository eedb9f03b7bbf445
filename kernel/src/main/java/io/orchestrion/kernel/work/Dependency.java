package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One item that another waits for, as the waiting one knows it.
///
/// @param ended how it ended last; null while it is open
/// @param waived whether somebody decided that its failure does not matter
public record Dependency(UUID parentId, @Nullable WorkState ended, boolean waived) {

    public static Dependency on(WorkItem parent) {
        return new Dependency(parent.id(), parent.state().ended() ? parent.state() : null, false);
    }

    public boolean open() {
        return ended == null;
    }

    /// It ended in another way than succeeded, and nobody has decided that this does not matter.
    public boolean failed() {
        return ended != null && ended != WorkState.SUCCEEDED && !waived;
    }
}
