package io.orchestrion.sdk;

/// One attempt at a step of a run, for its handler: as a [TaskContext], with what runs have beside
/// it.
///
/// ```java
/// RunStepHandler answer = (step, run) -> {
///     for (String word : List.of("durable ", "execution ", "is …")) {
///         run.write(word); // Whoever watches the run sees it at once.
///     }
///     run.tokens(640);
///     return "{\"answer\":\"durable execution is …\"}";
/// };
/// ```
public interface RunStepContext extends TaskContext {
    /// Reports how many tokens the attempt has used so far. It is sent with the outcome, and the
    /// run pays for it also if the attempt fails. A later call replaces it.
    ///
    /// @throws IllegalArgumentException if there are fewer than none
    /// @throws IllegalStateException once the handler has ended
    void tokens(long tokens);

    /// Writes text to the output of the step, which people can follow while it is under way. It
    /// waits for the server. Long text is sent in pieces.
    ///
    /// @throws OrchestrionException if the attempt no longer has the step (`lease_lost`), or the
    ///     step has written too much (`output_limit`)
    void write(String text);

    /// The same on the channel for what goes wrong.
    void writeError(String text);
}
