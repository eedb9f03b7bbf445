package io.orchestrion.orchestrations.definition;

/// Who does a step, checks it before a repetition, or undoes it.
public sealed interface Handler {
    String TASK = "task:";
    String HTTP = "http:";
    String BUILTIN = "builtin:";

    /// A worker that claims work of that type.
    record TaskHandler(String type) implements Handler {
        @Override
        public String text() {
            return TASK + type;
        }
    }

    /// A service that the server calls.
    record HttpHandler(String url) implements Handler {
        @Override
        public String text() {
            return HTTP + url;
        }
    }

    /// A function of the server.
    record BuiltinHandler(String name) implements Handler {
        @Override
        public String text() {
            return BUILTIN + name;
        }
    }

    /// As a definition says it.
    String text();
}
