package io.orchestrion.server.doors;

import io.orchestrion.kernel.db.Schema;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingsCatalogue;

import java.util.LinkedHashMap;
import java.util.List;

/// All doors. The first is the default: it words the answers to paths that no door owns.
public final class Doors {
    public static final List<DoorPlug> ALL =
            List.of(
                    new TasksPlug(),
                    new QueuePlug(),
                    new JobsPlug(),
                    new OrchestrationsPlug(),
                    new RunsPlug());

    /// Every endpoint of every door.
    public static final Catalogue CATALOGUE = catalogue(ALL);

    /// The published limits of all doors.
    public static final RateLimits LIMITS = limits(ALL);

    /// The settings of the server and of all doors.
    public static final SettingsCatalogue SETTINGS = settings(ALL);

    /// The owners of all engines.
    public static final List<WorkOwner> OWNERS =
            ALL.stream().flatMap(door -> door.owners().stream()).toList();

    /// The kinds of subjects of all engines.
    public static final List<SubjectKind> SUBJECTS =
            ALL.stream().flatMap(door -> door.subjects().stream()).toList();

    /// The tables of the kernel and of all engines, in the order of the doors.
    public static final Schema SCHEMA =
            Schema.KERNEL.plus(ALL.stream().flatMap(door -> door.schema().stream()).toList());

    private Doors() {}

    /// Every endpoint of some doors.
    public static Catalogue catalogue(List<DoorPlug> doors) {
        return Catalogue.of(doors.stream().map(DoorPlug::catalogue).toList());
    }

    /// The settings of a server with some doors.
    public static SettingsCatalogue settings(List<DoorPlug> doors) {
        var ofDoors = new LinkedHashMap<String, List<Setting>>();
        doors.forEach(door -> ofDoors.put(door.name(), door.settings()));
        return new SettingsCatalogue(ofDoors);
    }

    /// The published limits of some doors.
    public static RateLimits limits(List<DoorPlug> doors) {
        return RateLimits.of(doors.stream().flatMap(door -> door.limits().stream()).toList());
    }
}
