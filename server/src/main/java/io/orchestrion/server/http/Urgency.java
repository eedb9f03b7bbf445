package io.orchestrion.server.http;

/// Which calls a call competes with when the server has more to do than it can. Each kind has
/// places of its own, so that load of one kind takes none from another.
public enum Urgency {
    /// Can be done later, or by another node.
    ORDINARY,

    /// From a holder of a lease: heartbeat, complete, fail. If these are not heard in time, the
    /// holder loses its work, and the work is done twice.
    HOLDER,

    /// Asked by machines every few seconds, most of all when the server is busy.
    PROBE
}
