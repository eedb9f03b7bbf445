package io.orchestrion.jobs;

/// What became of a job that was handed in. Whatever is not accepted has left nothing behind.
public sealed interface JobSubmitted {
    /// @param replayed whether it had been there before under the same key
    record Accepted(Job job, boolean replayed) implements JobSubmitted {}

    /// The key had been used for another request.
    record KeyConflict() implements JobSubmitted {}

    /// The first request with this key is still under way.
    record KeyInFlight() implements JobSubmitted {}

    /// No room: so many wait, and so many may.
    record QueueFull(long waiting, long max) implements JobSubmitted {}

    /// Nobody would run it, and the server is told to refuse it then.
    record NoRunners() implements JobSubmitted {}

    /// Its time lies more than a second behind the database's, or absurdly far ahead.
    record ScheduleRefused(long nowMs) implements JobSubmitted {}
}
