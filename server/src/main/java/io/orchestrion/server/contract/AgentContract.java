package io.orchestrion.server.contract;

import io.orchestrion.kernel.json.JsonWriter;

import java.util.List;

/// The guidance on every answer: what an agent can do next, computed from the present state.
///
/// @param retryable whether the same request may be sent again
/// @param details what a door adds about the subject of the answer
public record AgentContract(boolean retryable, List<NextAction> actions, Details details) {

    public static final String VERSION = "1";

    /// Writes further fields after those of every contract.
    @FunctionalInterface
    public interface Details {
        Details NONE = _ -> {};

        void write(JsonWriter out);
    }

    public static AgentContract of(boolean retryable, NextAction... actions) {
        return new AgentContract(retryable, List.of(actions), Details.NONE);
    }

    public void write(JsonWriter out) {
        out.text("version", VERSION)
                .bool("retryable", retryable)
                .objects(
                        "next_actions",
                        CallerScopes.seen(actions),
                        (each, action) -> action.write(each));
        details.write(out);
    }
}
