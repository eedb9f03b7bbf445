package io.orchestrion.bench.scenario;

/// One kind of load, on databases and servers of its own.
public interface Scenario {
    /// As it is asked for.
    String name();

    String about();

    void run(Bench bench) throws Exception;
}
