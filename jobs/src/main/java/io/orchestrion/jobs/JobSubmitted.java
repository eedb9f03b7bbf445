package io.orchestrion.jobs;

/// The outcome of handing in a job. Every outcome but acceptance has left nothing in the database.
public sealed interface JobSubmitted {
    /// @param replayed whether it had been there before under the same key
    record Accepted(Job job, boolean replayed) implements JobSubmitted {}

    /// The key had been used for another request.
    record KeyConflict() implements JobSubmitted {}

    /// The first request with this key is still under way.
    record KeyInFlight() implements JobSubmitted {}

    /// No room: so many jobs wait, and no more are allowed.
    record QueueFull(long waiting, long max) implements JobSubmitted {}

    /// No runner is there, and the server is set to refuse jobs then.
    record NoRunners() implements JobSubmitted {}

    /// Its time lies more than a second behind the database's, or absurdly far ahead.
    record ScheduleRefused(long nowMs) implements JobSubmitted {}
}
