package io.orchestrion.kernel.pool;

/// Does the work of one kind of items, on a virtual thread and outside of any transaction.
@FunctionalInterface
public interface Handler {
    /// Is interrupted when the item is not this node's any more, because its lease ended or was
    /// taken away, or when the server stops; what it returns or throws after the first counts for
    /// nothing. What it throws otherwise fails the item.
    Outcome run(Charge charge) throws Exception;
}
