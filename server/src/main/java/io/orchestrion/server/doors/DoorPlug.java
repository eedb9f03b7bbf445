package io.orchestrion.server.doors;

import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.work.RetentionRule;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.UnaryOperator;

/// A door with all its parts. [Doors] lists the plugs; a new one is added there.
public abstract class DoorPlug implements DoorDescription {
    private final String name;
    private final ErrorForm errorForm;
    private final @Nullable DoorEvents events;
    private final Catalogue catalogue;

    /// @param endpoints in the order of the documents
    protected DoorPlug(
            String name, ErrorForm errorForm, @Nullable DoorEvents events, Catalogue... endpoints) {
        this.name = name;
        this.errorForm = errorForm;
        this.events = events;
        this.catalogue = Catalogue.of(List.of(endpoints));
    }

    /// Adds the door, its gates and its handlers to the router.
    public abstract OpenDoor open(Opening opening);

    /// The settings of the door, in the order of the reference. An invalid value shuts this door
    /// and no other; [Settings#faults] says what is wrong.
    public List<Setting> settings() {
        return List.of();
    }

    /// The options of a server with what the settings say of this door.
    public ServerOptions configured(ServerOptions options, Settings settings) {
        return options;
    }

    /// The rule for how long ended items are kept, with what the settings say of this door's.
    public RetentionRule retention(RetentionRule rule, Settings settings) {
        return rule;
    }

    /// Whether the endpoint is for the server's operator alone, so that it can be moved to a
    /// listener of its own.
    public boolean administers(Endpoint endpoint) {
        return false;
    }

    /// Whether everybody may call the door, so that it needs no gates. A server with a door that
    /// has neither gates nor this does not start.
    public boolean openToAll() {
        return false;
    }

    /// The engines behind the door that own work items, given to the kernel before it starts.
    public List<WorkOwner> owners() {
        return List.of();
    }

    /// The kinds of subjects of those engines, whose events are in the account's log.
    public List<SubjectKind> subjects() {
        return List.of();
    }

    /// The tables of those engines, with the migrations that make them.
    public List<SchemaPart> schema() {
        return List.of();
    }

    /// What is put around every handler of every door. A door that means only its own calls checks
    /// the call's endpoint.
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
    public final @Nullable DoorEvents events() {
        return events;
    }
}
