package io.orchestrion.orchestrations.expression;

/// What is wrong with the text of an expression.
///
/// @param pointer where, as a JSON Pointer into the document
/// @param message a whole sentence
/// @param hint what to do, as a whole sentence
public record ExpressionFault(String pointer, Kind kind, String message, String hint) {
    public enum Kind {
        MAPPING,
        REFERENCE,
        CONDITION,
        CEL
    }
}
