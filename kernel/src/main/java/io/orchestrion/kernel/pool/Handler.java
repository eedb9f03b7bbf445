package io.orchestrion.kernel.pool;

/// Does the work of one kind of items, on a virtual thread and outside of any transaction.
@FunctionalInterface
public interface Handler {
    /// Runs one attempt. The thread is interrupted when the lease has ended or was taken away, or
    /// when the server stops. After the lease is lost, what it returns or throws is ignored.
    /// Otherwise, what it throws fails the item.
    Outcome run(Charge charge) throws Exception;
}
