package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Whether a part of all rows of runs and credits is as it must be; from [RunAdmin#invariants].
///
/// ```java
/// InvariantCheck check = client.runs().admin().invariants(null);
/// while (check.violations().isEmpty() && !check.complete()) {
///     check = client.runs().admin().invariants(check.nextCursor());
/// }
/// ```
///
/// @param complete whether all rows were looked at, by this call and those before it
/// @param nextCursor where to go on; null when it is complete
public record InvariantCheck(
        List<Violation> violations, boolean complete, @Nullable String nextCursor) {
    public InvariantCheck {
        violations = List.copyOf(violations);
    }

    /// What is not as it must be.
    ///
    /// ```java
    /// client.runs().admin().invariants(null).violations()
    ///         .forEach(each -> System.out.println(each.rule() + ": " + each.ids()));
    /// ```
    ///
    /// @param invariant 1 to 8
    /// @param subject what the ids are of, such as `run`
    /// @param orgId the account; null for what belongs to none
    public record Violation(
            int invariant, String rule, String subject, @Nullable String orgId, List<String> ids) {
        public Violation {
            ids = List.copyOf(ids);
        }
    }
}
