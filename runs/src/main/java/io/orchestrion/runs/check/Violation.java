package io.orchestrion.runs.check;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A row that breaks an invariant, or a guard of the database that is missing.
///
/// @param invariant its number in the contract, from 1 to 8
/// @param rule what of it is broken
/// @param of what kind of row it is; for a guard, the guard itself
/// @param account null for a guard
/// @param id of the row, null for a guard
public record Violation(
        int invariant, String rule, Of of, @Nullable UUID account, @Nullable UUID id) {

    /// What the id is the id of.
    public enum Of {
        RUN,
        AGENT,
        TASK,
        ARTIFACT,
        ENTRY,
        ACCOUNT,
        GUARD
    }

    /// @param text the number of the invariant, a space and the rule, as the statements give it
    static Violation read(String text, Of of, @Nullable UUID account, @Nullable UUID id) {
        int space = text.indexOf(' ');
        return new Violation(
                Integer.parseInt(text.substring(0, space)),
                text.substring(space + 1),
                of,
                account,
                id);
    }
}
