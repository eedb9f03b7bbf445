package io.orchestrion.jobs;

/// What the engine answers to a client's verb on a job.
public sealed interface JobAck {
    record Done(Job job) implements JobAck {}

    /// Nothing was to be done: the job as it is.
    record Unchanged(Job job) implements JobAck {}

    record NotFound() implements JobAck {}

    /// It is another account's.
    record Foreign() implements JobAck {}

    record RetriesUsedUp(Job job) implements JobAck {}

    /// A retry would be one more that waits than may.
    record QueueFull(long waiting, long max) implements JobAck {}

    /// Only what is over is deleted.
    record NotFinal(Job job) implements JobAck {}

    /// Others changed the job meanwhile, again and again.
    record Raced() implements JobAck {}
}
