package io.orchestrion.server.limits;

/// How often a caller may do something for as long as it likes.
@FunctionalInterface
public interface Pace {
    /// The pace of a caller without limits.
    Pace ANY = (_, _) -> 0;

    /// The seconds from one such call to the next that stay within every limit it counts against; 0
    /// where there is none.
    ///
    /// @param path as it is called, with or without a query
    long seconds(String method, String path);
}
