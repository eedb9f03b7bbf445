package io.orchestrion.jobs.catalogue;

import io.orchestrion.jobs.catalogue.Expected.Need;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Makes definitions. Pure: the same seed and options give the same definition, on every node and
/// in every version.
public final class Definitions {
    /// Values that are chosen at random stay within these bounds. A kind that was named is taken as
    /// it is defined (decision 86).
    public static final long SHORTEST_MS = 500;

    public static final long LONGEST_MS = 120_000;
    private static final int SMALLEST_BYTES = 1024;
    private static final int LARGEST_BYTES = 256 * 1024;

    private Definitions() {}

    /// As the engine asks for them, by name.
    public static DefinitionSource source(GeneratorOptions options) {
        return (name, seedMs, type) -> {
            WorkKind kind = name == null ? null : WorkKind.named(name);
            if (name != null && kind == null) {
                throw new IllegalArgumentException("no work kind " + name);
            }
            return of(kind, seedMs, type == JobType.DEFERRED, options);
        };
    }

    /// @param named the kind that the request asked for; null leaves the choice to the seed
    /// @param scheduled whether the job was given a time to run at
    public static JobDefinition of(
            @Nullable WorkKind named, long seedMs, boolean scheduled, GeneratorOptions options) {
        WorkKind kind = named == null ? choose(seedMs, scheduled, options) : named;
        return new JobDefinition(
                kind.name(),
                kind.durationMs(options.maxRuntime().toMillis()),
                kind.shouldFail(),
                kind.payloadSizeBytes(),
                seedMs);
    }

    /// First whether it fails, by the probability asked for, then which of those kinds.
    private static WorkKind choose(long seedMs, boolean scheduled, GeneratorOptions options) {
        var random = new Seeded(seedMs);
        boolean failing = random.nextDouble() < options.failureProbability();
        List<WorkKind> candidates = candidates(failing, scheduled, options);
        return candidates.get(random.nextInt(candidates.size()));
    }

    /// The kinds that a random choice may end at: those that need nothing special of the request
    /// and fit both the bounds and the runtime limit. A limit below everything leaves the bounds
    /// alone to decide.
    static List<WorkKind> candidates(boolean failing, boolean scheduled, GeneratorOptions options) {
        long limitMs = options.maxRuntime().toMillis();
        List<WorkKind> fitting = within(failing, scheduled, limitMs, Math.min(LONGEST_MS, limitMs));
        return fitting.isEmpty() ? within(failing, scheduled, limitMs, LONGEST_MS) : fitting;
    }

    private static List<WorkKind> within(
            boolean failing, boolean scheduled, long limitMs, long longestMs) {
        var found = new ArrayList<WorkKind>();
        for (WorkKind kind : WorkKind.values()) {
            Need need = kind.expected().need();
            boolean asked = need == Need.NOTHING || (scheduled && need == Need.SCHEDULE);
            long duration = kind.durationMs(limitMs);
            if (asked
                    && kind.shouldFail() == failing
                    && kind.expected() != Expected.TIMED_OUT
                    && duration >= SHORTEST_MS
                    && duration <= longestMs
                    && kind.payloadSizeBytes() >= SMALLEST_BYTES
                    && kind.payloadSizeBytes() <= LARGEST_BYTES) {
                found.add(kind);
            }
        }
        return found;
    }
}
