package io.orchestrion.runs.llm;

/// One message of a conversation with a model.
record Message(String role, String content) {
    static Message system(String content) {
        return new Message("system", content);
    }

    static Message user(String content) {
        return new Message("user", content);
    }

    static Message assistant(String content) {
        return new Message("assistant", content);
    }
}
