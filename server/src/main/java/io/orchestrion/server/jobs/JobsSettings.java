package io.orchestrion.server.jobs;

import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.catalogue.DefinitionSource;
import io.orchestrion.jobs.catalogue.Definitions;
import io.orchestrion.jobs.catalogue.GeneratorOptions;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.jobs.catalogue.WorkKind;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// What an operator sets of this door.
///
/// @param engine what the engine is told
/// @param requestTime how long a request may take
/// @param keyLife how long a client's key works before it must be renewed
/// @param fault what is wrong with the settings, in words for the operator; null when nothing is.
///     With one the door refuses all work, and the other doors go on
public record JobsSettings(
        JobsOptions engine, Duration requestTime, Duration keyLife, @Nullable String fault) {
    public static final Duration REQUEST_TIME = Duration.ofSeconds(30);
    public static final Duration KEY_LIFE = Duration.ofDays(90);

    public static final JobsSettings DEFAULT =
            new JobsSettings(JobsOptions.DEFAULT, REQUEST_TIME, KEY_LIFE, null);

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
        return new JobsSettings(engine, requestTime, keyLife, why);
    }

    public JobsSettings withEngine(JobsOptions other) {
        return new JobsSettings(other, requestTime, keyLife, fault);
    }

    public JobsSettings withRequestTime(Duration other) {
        return new JobsSettings(engine, other, keyLife, fault);
    }

    public JobsSettings withKeyLife(Duration other) {
        return new JobsSettings(engine, requestTime, other, fault);
    }
}
