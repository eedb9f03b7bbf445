package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Finding.Level;
import io.orchestrion.kernel.document.Finding.Severity;
import io.orchestrion.kernel.document.FindingCode;

import java.util.Locale;

/// What may be wrong with a definition beside its shape, which has codes of its own
/// ([io.orchestrion.kernel.document.DocumentCode]). A code is never removed or renamed.
public enum DefinitionCode implements FindingCode {
    /// A field that steps of another type have.
    FIELD_OF_OTHER_TYPE(Level.DOCUMENT),
    /// Two fields that exclude each other, or contradict each other.
    CONFLICTING_FIELDS(Level.DOCUMENT),
    INVALID_HANDLER(Level.DOCUMENT),
    UNKNOWN_BUILTIN(Level.DOCUMENT),
    HEADER_NOT_ALLOWED(Level.DOCUMENT),
    MISSING_RETRY_POLICY(Level.DOCUMENT),
    INVALID_MAPPING(Level.DOCUMENT),
    INVALID_REFERENCE(Level.DOCUMENT),
    INVALID_CONDITION(Level.DOCUMENT),

    DUPLICATE_STEP_ID(Level.PUBLISH),
    UNKNOWN_STEP(Level.PUBLISH),
    CYCLE(Level.PUBLISH),
    UNREACHABLE_STEP(Level.PUBLISH),
    MISSING_DECLARATION(Level.PUBLISH),
    MISSING_GUARD(Level.PUBLISH),
    CLASS_NEVER_RETRIED(Level.PUBLISH),
    /// A result is used before its step can have run.
    RESULT_NOT_BEFORE(Level.PUBLISH),
    INVALID_CEL(Level.PUBLISH),

    /// A result is used that is missing on some of the ways there.
    RESULT_NOT_ALWAYS(Severity.WARNING),
    MISSING_COMPENSATION(Severity.WARNING),
    /// A field that has no effect beside the others.
    UNUSED_FIELD(Severity.WARNING),
    NO_DEFAULT(Severity.WARNING),
    TIMEOUT_TOO_SHORT(Severity.WARNING);

    private final Severity severity;
    private final Level level;
    private final String word = name().toLowerCase(Locale.ROOT);

    DefinitionCode(Level level) {
        this.severity = Severity.ERROR;
        this.level = level;
    }

    DefinitionCode(Severity severity) {
        this.severity = severity;
        this.level = Level.PUBLISH;
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public Severity severity() {
        return severity;
    }

    @Override
    public Level level() {
        return level;
    }
}
