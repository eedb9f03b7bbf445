package io.orchestrion.kernel.document;

/// How large a document of one kind may be.
///
/// @param bytes of the document as UTF-8
/// @param tooLarge what to do about one with more, as a whole sentence
public record DocumentBounds(int bytes, String tooLarge) {
    /// Levels of objects and lists.
    public static final int DEPTH = 64;

    /// Characters of the name of a field.
    public static final int FIELD_CHARACTERS = 500;

    /// Characters of a number.
    public static final int NUMBER_CHARACTERS = 100;

    /// As far as a double goes.
    public static final int EXPONENT = 308;

    /// Findings of one reading; one more says that there are others.
    public static final int FINDINGS = 200;

    /// Bytes of one JSON Schema.
    public static final int SCHEMA_BYTES = 65_536;
}
