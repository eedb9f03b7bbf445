package io.orchestrion.bench.load;

/// A worker that waits for what it does, such as one over JDBC. It belongs to one thread.
public interface BlockingWorker extends AutoCloseable {
    /// Does one step.
    ///
    /// @return how many life cycles, or whatever is counted, came to their end
    int step(Latencies into) throws Exception;

    @Override
    default void close() {}

    /// Called in the thread that the worker belongs to.
    interface Maker {
        BlockingWorker worker() throws Exception;
    }
}
