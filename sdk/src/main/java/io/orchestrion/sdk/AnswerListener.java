package io.orchestrion.sdk;

/// Receives every answer as it came, for logs and measurements.
///
/// ```java
/// AnswerListener log = (method, path, status, body) ->
///         System.out.println(method + " " + path + ": " + status);
/// var logged = OrchestrionClient.builder(URI.create("http://127.0.0.1:8080"))
///         .listener(log)
///         .build();
/// ```
@FunctionalInterface
public interface AnswerListener {
    /// @param body as received; JSON if an Orchestrion server sent it
    void answered(String method, String path, int status, String body);
}
