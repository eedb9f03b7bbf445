package io.orchestrion.kernel.db;

import io.orchestrion.kernel.db.Tables.Place;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/// All parts of a schema in the order in which they are made: the kernel's first, then those of the
/// engines, as they were added.
///
/// A new database runs all of the kernel's migrations before the first of an engine. So one of the
/// kernel names no table of an engine, and leaves to engines what their older migrations rest on.
public final class Schema {
    /// The schema without any engine.
    public static final Schema KERNEL = new Schema(List.of(KernelSchema.PART));

    private final List<SchemaPart> parts;

    private Schema(List<SchemaPart> parts) {
        this.parts = List.copyOf(parts);
        unique("part", parts.stream().map(SchemaPart::name).toList());
        unique("table", Stream.of(Place.values()).flatMap(place -> at(place).stream()).toList());
    }

    private static void unique(String what, List<String> names) {
        var seen = new HashSet<String>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException("two modules have a " + what + " " + name);
            }
        }
    }

    /// The same with parts of engines after those that it has.
    public Schema plus(List<SchemaPart> engines) {
        var all = new ArrayList<>(parts);
        all.addAll(engines);
        return new Schema(all);
    }

    public List<SchemaPart> parts() {
        return parts;
    }

    /// The tables of the place, in the order in which they can be put there.
    public List<String> at(Place place) {
        return parts.stream().flatMap(part -> part.at(place).stream()).toList();
    }

    /// How many migrations make it.
    public int size() {
        return parts.stream().mapToInt(part -> part.files().size()).sum();
    }
}
