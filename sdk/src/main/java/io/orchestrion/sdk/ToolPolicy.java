package io.orchestrion.sdk;

import java.util.Locale;

/// Whether the steps of a run may call a tool.
///
/// ```java
/// NewRun careful = NewRun.of("Mail", "Write to all customers")
///         .toolPolicy("send-mail", ToolPolicy.CONFIRM)
///         .toolPolicy("delete-customer", ToolPolicy.BLOCK)
///         .build();
/// ```
public enum ToolPolicy {
    ALLOW,
    /// After a person has said yes to exactly this call; see [RunApprovals].
    CONFIRM,
    /// A plan that names it is refused.
    BLOCK;

    /// As the HTTP interface says it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
