package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.work.WorkItem;

import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;

/// Remembers which of the items that this node gave out lately have an owner. A completion of one
/// of these goes to the lane that locks owners at once, and not first to the statement that passes
/// over it. Nothing rests on this: a completion that takes the wrong way finds the right one.
///
/// Each id has one place, which a later id may take. So it needs no care and no more memory than
/// this, and what is forgotten costs one look.
final class OwnedLeases {
    private static final int PLACES = 1 << 16;

    private final AtomicLongArray places = new AtomicLongArray(PLACES);

    void note(Collection<WorkItem> given) {
        for (WorkItem item : given) {
            if (item.owner() != null) {
                places.setOpaque(place(item.id()), mark(item.id()));
            }
        }
    }

    boolean likely(UUID id) {
        return places.getOpaque(place(id)) == mark(id);
    }

    private static int place(UUID id) {
        return id.hashCode() & (PLACES - 1);
    }

    /// Most of the bits of an id are random, so two hardly ever have the same mark.
    private static long mark(UUID id) {
        return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    }
}
