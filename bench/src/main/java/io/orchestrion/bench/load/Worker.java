package io.orchestrion.bench.load;

/// What one connection does, step by step: each step begins with a request, and each whole answer
/// says what follows. It never waits; the loop that drives it calls it from one thread.
public interface Worker {
    /// Of the server that it talks to.
    int port();

    /// The first request of a step.
    Request begin();

    /// @param answer to the last request, as that expected it; gone when the next is sent
    Next answered(Answer answer);
}
