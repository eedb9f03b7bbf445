package io.orchestrion.jobs.handler;

import io.orchestrion.jobs.catalogue.JobDefinition;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// What a handler knows of the attempt it runs.
public interface JobContext {
    UUID account();

    UUID jobId();

    /// 1 for the first one, and one more for each retry.
    int attempt();

    /// JSON text as the client gave it.
    String payload();

    /// What the catalogue says of the job; a real handler may ignore it.
    JobDefinition definition();

    /// How long the attempt may still run; zero when its time is over. It is interrupted then, and
    /// the job is failed as timed out.
    Duration remaining();

    /// Whether the attempt no longer counts: canceled, out of time, or its lease lost. The thread
    /// is interrupted at the same moment.
    boolean cancelled();

    /// Waits, and ends early by [InterruptedException] when the attempt is cancelled.
    void pause(Duration time) throws InterruptedException;

    /// The trace that the attempt belongs to, as a W3C traceparent for calls to elsewhere; null
    /// when nobody traces.
    @Nullable String traceparent();
}
