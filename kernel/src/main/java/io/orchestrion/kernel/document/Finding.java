package io.orchestrion.kernel.document;

/// One thing about a document that its author should know.
///
/// @param pointer where, as a JSON Pointer (RFC 6901); empty for the whole document
/// @param message what is wrong, as a whole sentence
/// @param hint what to do about it, as a whole sentence
public record Finding(
        Severity severity,
        Level level,
        String pointer,
        FindingCode code,
        String message,
        String hint) {
    public enum Severity {
        /// Refuses, at its level.
        ERROR,
        /// Refuses nothing.
        WARNING
    }

    public enum Level {
        /// The shape of the document: a document with an error is refused.
        DOCUMENT,
        /// The meaning of the whole: a document with an error may be kept, and not be used.
        PUBLISH
    }

    public boolean refusesDocument() {
        return severity == Severity.ERROR && level == Level.DOCUMENT;
    }

    public boolean refusesPublishing() {
        return severity == Severity.ERROR;
    }
}
