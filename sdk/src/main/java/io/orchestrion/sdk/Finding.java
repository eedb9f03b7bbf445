package io.orchestrion.sdk;

/// One thing about a definition that its author should know.
///
/// ```java
/// for (Finding finding : client.orchestrations().definitions().validate(document).findings()) {
///     System.out.println(finding.pointer() + ": " + finding.message() + " " + finding.hint());
/// }
/// ```
///
/// @param severity `error` or `warning`
/// @param level `document` for what refuses the document, `publish` for what refuses publishing it
/// @param pointer where, as a JSON Pointer; empty for the whole document
/// @param hint what to do about it
public record Finding(
        String severity, String level, String pointer, String code, String message, String hint) {
    /// Whether it keeps the definition from being published.
    public boolean isError() {
        return severity.equals("error");
    }
}
