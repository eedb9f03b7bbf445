package io.orchestrion.kernel.identity;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// Something that a key may be used for within its account. The first four are for everything of
/// their kind, and include finer ones, which a key may also have alone.
public enum Scope {
    PRODUCER,
    WORKER,
    OPERATOR,
    ADMIN,
    /// Only what any key may look at.
    READ,
    /// Definitions, and starting executions of them.
    ORCHESTRATION_WRITE,
    /// Pausing, resuming, cancelling and retrying executions.
    ORCHESTRATION_OPERATE,
    /// Saying whether a step may go on.
    ORCHESTRATION_APPROVE,
    /// Dead letters, and what is to be undone.
    ORCHESTRATION_REVIEW,
    /// Making runs, and everything that is done with one's own.
    RUNS_WRITE;

    /// Those of a key that may do everything.
    public static final Set<Scope> BUNDLES =
            Collections.unmodifiableSet(EnumSet.of(PRODUCER, WORKER, OPERATOR, ADMIN));

    // No other word has a line below.
    private final String word = name().toLowerCase(Locale.ROOT).replace('_', ':');

    public String word() {
        return word;
    }

    public static Scope of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scope " + word));
    }

    /// The finer scopes that are part of this one.
    public Set<Scope> includes() {
        return switch (this) {
            case PRODUCER -> EnumSet.of(READ, ORCHESTRATION_WRITE, RUNS_WRITE);
            case WORKER -> EnumSet.of(READ);
            case OPERATOR ->
                    EnumSet.of(
                            READ,
                            ORCHESTRATION_OPERATE,
                            ORCHESTRATION_APPROVE,
                            ORCHESTRATION_REVIEW);
            case ADMIN -> EnumSet.complementOf(EnumSet.copyOf(BUNDLES));
            case READ,
                    ORCHESTRATION_WRITE,
                    ORCHESTRATION_OPERATE,
                    ORCHESTRATION_APPROVE,
                    ORCHESTRATION_REVIEW,
                    RUNS_WRITE ->
                    EnumSet.noneOf(Scope.class);
        };
    }

    /// These, and the finer ones that are part of them.
    static Set<Scope> withIncluded(Set<Scope> scopes) {
        Set<Scope> all = EnumSet.noneOf(Scope.class);
        for (Scope scope : scopes) {
            all.add(scope);
            all.addAll(scope.includes());
        }
        return all;
    }
}
