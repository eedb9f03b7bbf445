package io.orchestrion.kernel.document;

import io.orchestrion.kernel.document.Finding.Level;
import io.orchestrion.kernel.document.Finding.Severity;

import java.util.Locale;

/// What may be wrong with the shape of a document of any kind. Each refuses it.
public enum DocumentCode implements FindingCode {
    DOCUMENT_TOO_LARGE,
    DOCUMENT_TOO_DEEP,
    INVALID_JSON,
    DUPLICATE_FIELD,
    UNSTORABLE_TEXT,
    NUMBER_TOO_LONG,
    UNKNOWN_FIELD,
    MISSING_FIELD,
    WRONG_TYPE,
    OUT_OF_BOUNDS,
    INVALID_VALUE,
    INVALID_SCHEMA,

    /// There are more, which are not listed.
    TOO_MANY_FINDINGS;

    private final String word = name().toLowerCase(Locale.ROOT);

    @Override
    public String word() {
        return word;
    }

    @Override
    public Severity severity() {
        return Severity.ERROR;
    }

    @Override
    public Level level() {
        return Level.DOCUMENT;
    }
}
