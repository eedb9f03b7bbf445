package io.orchestrion.postgres;

import java.util.Optional;

/// What is known on this machine of a server that runs on it.
public interface PostgresHost {
    /// Empty while the server is up, as far as is known. While it is not, it is started again and
    /// again, with a pause of at most a few seconds, until it comes up or is closed.
    Optional<Outage> outage();

    /// The room left where the data lies; empty when the system does not say.
    Optional<DataVolume.Reading> room();

    /// Whether there is no room for new work; as old as the last look, which is a second.
    boolean full();

    /// The server has met the end of the disk: what was kept for this is given up at once.
    void makeRoom();
}
