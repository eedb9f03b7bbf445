package io.orchestrion.server.http;

/// What a call waits behind when the server has more to do than it can. Each has places of its own,
/// so that no load of one kind takes those of another.
public enum Urgency {
    /// Can be done later, or by another node.
    ORDINARY,

    /// From one who holds a lease: heartbeat, complete, fail. Not to hear it in time takes the work
    /// from its holder, and it is done twice.
    HOLDER,

    /// Asked by machines every few seconds, most of all when the server is busy.
    PROBE
}
