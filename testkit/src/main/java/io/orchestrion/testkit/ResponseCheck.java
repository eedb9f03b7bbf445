package io.orchestrion.testkit;

/// Looks at every answer that a test receives, besides what the test itself looks at.
@FunctionalInterface
public interface ResponseCheck {
    ResponseCheck NONE = (_, _, _) -> {};

    void check(String method, String path, Reply reply);
}
