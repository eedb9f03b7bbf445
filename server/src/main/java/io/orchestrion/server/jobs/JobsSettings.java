package io.orchestrion.server.jobs;

import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.catalogue.DefinitionSource;
import io.orchestrion.jobs.catalogue.Definitions;
import io.orchestrion.jobs.catalogue.GeneratorOptions;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.jobs.catalogue.WorkKind;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;

/// What an operator sets for this door.
///
/// @param engine the engine's own settings
/// @param requestTime how long a request may take
/// @param keyLife how long a client's key works before it must be renewed
/// @param runner the one in the server's own process
/// @param fault what is wrong with the settings, in words for the operator; null when nothing is.
///     With a fault the door refuses all work, and the other doors go on
public record JobsSettings(
        JobsOptions engine,
        Duration requestTime,
        Duration keyLife,
        Running runner,
        @Nullable String fault) {
    /// @param places jobs that it does at a time; 0 for no runner
    /// @param handlers folder of handlers for real work; null for none
    public record Running(int places, @Nullable Path handlers) {
        static final Running ONE = new Running(1, null);
    }

    public static final Duration REQUEST_TIME = Duration.ofSeconds(30);
    public static final Duration KEY_LIFE = Duration.ofDays(90);

    public static final JobsSettings DEFAULT =
            new JobsSettings(JobsOptions.DEFAULT, REQUEST_TIME, KEY_LIFE, Running.ONE, null);

    /// What jobs are made of, as the settings have it.
    public DefinitionSource definitions() {
        var options = new GeneratorOptions(engine.maxRuntime(), engine.failureProbability());
        return (kind, seedMs, type) ->
                Definitions.of(
                        kind == null ? null : WorkKind.valueOf(kind),
                        seedMs,
                        type == JobType.DEFERRED,
                        options);
    }

    /// The same door, shut.
    public JobsSettings broken(String why) {
        return new JobsSettings(engine, requestTime, keyLife, runner, why);
    }

    public JobsSettings withEngine(JobsOptions other) {
        return new JobsSettings(other, requestTime, keyLife, runner, fault);
    }

    public JobsSettings withRequestTime(Duration other) {
        return new JobsSettings(engine, other, keyLife, runner, fault);
    }

    public JobsSettings withKeyLife(Duration other) {
        return new JobsSettings(engine, requestTime, other, runner, fault);
    }
}
