package io.orchestrion.runs.run;

import io.orchestrion.kernel.audit.Actor;

import java.util.UUID;

/// Who asks for a change of a run, or made it.
///
/// @param actor as the audit log names it
/// @param word as it is stored beside what was done
public record Requester(Actor actor, String word) {
    /// What follows by itself.
    public static final Requester ENGINE = new Requester(Actor.server(), "engine");

    /// Somebody with a key of the account.
    public static Requester key(UUID key) {
        return new Requester(Actor.key(key), "key:" + key);
    }

    /// A step of another engine.
    ///
    /// @param word which step of what
    public static Requester step(String word) {
        return new Requester(Actor.server(), word);
    }

    /// Whoever runs the server.
    public static Requester operator(UUID key) {
        return new Requester(Actor.key(key), "operator:" + key);
    }
}
