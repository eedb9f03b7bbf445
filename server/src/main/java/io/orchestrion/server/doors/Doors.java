package io.orchestrion.server.doors;

import io.orchestrion.kernel.db.Schema;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.work.WorkOwner;
import io.orchestrion.server.http.Catalogue;

import java.util.List;

/// All doors. The first is the default: it words the answers to paths that no door owns.
public final class Doors {
    public static final List<DoorPlug> ALL =
            List.of(new TasksPlug(), new QueuePlug(), new JobsPlug());

    /// Every endpoint of every door.
    public static final Catalogue CATALOGUE =
            Catalogue.of(ALL.stream().map(DoorPlug::catalogue).toList());

    /// The owners of all engines.
    public static final List<WorkOwner> OWNERS =
            ALL.stream().flatMap(door -> door.owners().stream()).toList();

    /// What all engines tell of.
    public static final List<SubjectKind> SUBJECTS =
            ALL.stream().flatMap(door -> door.subjects().stream()).toList();

    /// The tables of the kernel and of all engines, in the order of the doors.
    public static final Schema SCHEMA =
            Schema.KERNEL.plus(ALL.stream().flatMap(door -> door.schema().stream()).toList());

    private Doors() {}
}
