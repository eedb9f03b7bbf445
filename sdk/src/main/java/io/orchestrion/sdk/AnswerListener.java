package io.orchestrion.sdk;

/// Is told every answer as it came, for logs and measurements.
@FunctionalInterface
public interface AnswerListener {
    /// @param body as received; JSON, from a server of ours
    void answered(String method, String path, int status, String body);
}
