package io.orchestrion.orchestrations.definition;

import io.orchestrion.orchestrations.definition.Finding.Level;
import io.orchestrion.orchestrations.definition.Finding.Severity;

import java.util.Locale;

/// The kinds of findings. A code is never removed or renamed.
public enum FindingCode {
    DOCUMENT_TOO_LARGE(Level.DOCUMENT),
    DOCUMENT_TOO_DEEP(Level.DOCUMENT),
    INVALID_JSON(Level.DOCUMENT),
    DUPLICATE_FIELD(Level.DOCUMENT),
    UNSTORABLE_TEXT(Level.DOCUMENT),
    NUMBER_TOO_LONG(Level.DOCUMENT),
    UNKNOWN_FIELD(Level.DOCUMENT),
    MISSING_FIELD(Level.DOCUMENT),
    WRONG_TYPE(Level.DOCUMENT),
    OUT_OF_BOUNDS(Level.DOCUMENT),
    INVALID_VALUE(Level.DOCUMENT),
    /// A field that steps of another type have.
    FIELD_OF_OTHER_TYPE(Level.DOCUMENT),
    /// Two fields that exclude each other, or contradict each other.
    CONFLICTING_FIELDS(Level.DOCUMENT),
    INVALID_HANDLER(Level.DOCUMENT),
    UNKNOWN_BUILTIN(Level.DOCUMENT),
    HEADER_NOT_ALLOWED(Level.DOCUMENT),
    MISSING_RETRY_POLICY(Level.DOCUMENT),
    INVALID_SCHEMA(Level.DOCUMENT),
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
    TIMEOUT_TOO_SHORT(Severity.WARNING),

    /// There are more, which are not listed.
    TOO_MANY_FINDINGS(Level.DOCUMENT);

    private final Severity severity;
    private final Level level;
    private final String word = name().toLowerCase(Locale.ROOT);

    FindingCode(Level level) {
        this.severity = Severity.ERROR;
        this.level = level;
    }

    FindingCode(Severity severity) {
        this.severity = severity;
        this.level = Level.PUBLISH;
    }

    public String word() {
        return word;
    }

    Severity severity() {
        return severity;
    }

    Level level() {
        return level;
    }
}
