package io.orchestrion.kernel.action;

import io.orchestrion.kernel.pool.Outcome;

/// A function of an engine that a step of another engine may call. It goes through the verb that a
/// person's call goes through, so that the same rules hold.
@FunctionalInterface
public interface Action {
    /// Runs outside of any transaction. A step may be tried again after its answer got lost, so the
    /// same call twice must change nothing more than the call once.
    ///
    /// @throws BadActionInput if the input does not fit the function
    Outcome run(ActionCall call);
}
