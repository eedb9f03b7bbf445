package io.orchestrion.sdk.definition;

import java.net.URI;

/// Who does the work of a step, guards it or undoes it.
///
/// ```java
/// TaskStep charge = Step.task("charge", "charge-card").compensatedBy(Handler.task("refund-card"));
/// ```
///
/// @param text as a definition has it
public record Handler(String text) {
    /// Workers that claim tasks of this type.
    public static Handler task(String type) {
        return new Handler("task:" + type);
    }

    /// One HTTP request, made by the server.
    public static Handler http(URI url) {
        return new Handler("http:" + url);
    }

    /// A function of the server.
    public static Handler builtin(String name) {
        return new Handler("builtin:" + name);
    }
}
