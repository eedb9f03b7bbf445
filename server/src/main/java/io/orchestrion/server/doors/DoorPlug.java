package io.orchestrion.server.doors;

import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.work.WorkOwner;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Handler;

import java.util.List;
import java.util.function.UnaryOperator;

/// A door with all that makes it work. [Doors] lists them, and whoever adds one adds it there.
public abstract class DoorPlug implements DoorDescription {
    private final String name;
    private final ErrorForm errorForm;
    private final DoorEvents events;
    private final Catalogue catalogue;

    /// @param endpoints in the order of the documents
    protected DoorPlug(
            String name, ErrorForm errorForm, DoorEvents events, Catalogue... endpoints) {
        this.name = name;
        this.errorForm = errorForm;
        this.events = events;
        this.catalogue = Catalogue.of(List.of(endpoints));
    }

    /// Adds the door, its gates and its handlers to the router.
    public abstract OpenDoor open(Opening opening);

    /// The engines behind the door that own work items, given to the kernel before it starts.
    public List<WorkOwner> owners() {
        return List.of();
    }

    /// What those engines tell of their own in the account's log.
    public List<SubjectKind> subjects() {
        return List.of();
    }

    /// The tables of those engines, with the migrations that make them.
    public List<SchemaPart> schema() {
        return List.of();
    }

    /// What is put around every handler of every door. A door that means only its own calls looks
    /// at the call's endpoint.
    public UnaryOperator<Handler> around(Opening opening) {
        return UnaryOperator.identity();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Catalogue catalogue() {
        return catalogue;
    }

    @Override
    public final ErrorForm errorForm() {
        return errorForm;
    }

    @Override
    public final DoorEvents events() {
        return events;
    }
}
