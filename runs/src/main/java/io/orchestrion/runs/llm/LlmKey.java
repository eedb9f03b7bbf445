package io.orchestrion.runs.llm;

/// What the model's service knows the server by. It is shown in no log and no error.
public record LlmKey(String secret) {
    @Override
    public String toString() {
        return "LlmKey[hidden]";
    }
}
