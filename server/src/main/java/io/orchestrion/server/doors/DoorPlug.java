package io.orchestrion.server.doors;

import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.work.WorkOwner;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.http.Handler;

import java.util.List;
import java.util.function.UnaryOperator;

/// A door with all that makes it work. [Doors] lists them, and whoever adds one adds it there.
public interface DoorPlug extends DoorDescription {
    /// The engines behind the door that own work items, given to the kernel before it starts.
    default List<WorkOwner> owners() {
        return List.of();
    }

    /// What those engines tell of their own in the account's log.
    default List<SubjectKind> subjects() {
        return List.of();
    }

    /// Adds the door, its gates and its handlers to the router.
    OpenDoor open(Opening opening);

    /// What is put around every handler of every door. A door that means only its own calls looks
    /// at the call's endpoint.
    default UnaryOperator<Handler> around(Opening opening) {
        return UnaryOperator.identity();
    }
}
