package io.orchestrion.sdk.plan;

import java.util.Locale;

/// What the failure of a part means for the whole that it belongs to.
///
/// ```java
/// PlannedTask sources = PlannedTask.named("sources").onFailure(FailureMode.CONTINUE);
/// ```
public enum FailureMode {
    /// The whole fails with its first part that fails. So it is unless said otherwise.
    FAIL_FAST,
    /// The part is skipped, and the whole goes on.
    CONTINUE,
    /// The whole is done again after a failure that may pass, while it has attempts left.
    RETRY;

    /// As the HTTP interface says it.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
