package io.orchestrion.server;

import io.orchestrion.kernel.db.Room;
import io.orchestrion.postgres.DataVolume;
import io.orchestrion.postgres.Outage;
import io.orchestrion.postgres.PostgresHost;
import io.orchestrion.postgres.PostgresStartException.Reason;

import java.time.Duration;
import java.util.Optional;

/// The machine below a database, as a test wants it.
public final class FakeHost implements PostgresHost, Room {
    /// What only those may see who can read the log.
    public static final String WORDS = "/secret/folder cannot be written";

    private volatile Optional<Outage> outage = Optional.empty();
    private volatile Optional<DataVolume.Reading> room =
            Optional.of(new DataVolume.Reading(1L << 39, 1L << 40));
    private volatile boolean full;
    private volatile int made;

    public void free(long freeBytes, long totalBytes) {
        room = Optional.of(new DataVolume.Reading(freeBytes, totalBytes));
    }

    public void unreadable() {
        room = Optional.empty();
    }

    public void fill(boolean yes) {
        full = yes;
    }

    public void fails(Reason reason, int tries, Duration lasted) {
        outage = Optional.of(new Outage(reason, WORDS, tries, lasted));
    }

    public void works() {
        outage = Optional.empty();
    }

    /// How often room was asked for.
    public int made() {
        return made;
    }

    @Override
    public Optional<Outage> outage() {
        return outage;
    }

    @Override
    public Optional<DataVolume.Reading> room() {
        return room;
    }

    @Override
    public boolean full() {
        return full;
    }

    @Override
    public synchronized void makeRoom() {
        made++;
    }

    @Override
    public void make() {
        makeRoom();
    }
}
