package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A run with a page of what it consists of; from [Runs#tree].
///
/// ```java
/// RunTree tree = client.runs().tree("run_0195f2b4-0000-7000-8000-000000000001", RunTree.FIRST);
/// while (tree.nextCursor() != null) {
///     tree = client.runs().tree(tree.run().id(), RunTree.FIRST.after(tree.nextCursor()));
/// }
/// ```
///
/// @param nodes each agent, followed by its tasks, each followed by its steps
/// @param nextCursor null on the last page
public record RunTree(Run run, List<RunNode> nodes, @Nullable String nextCursor) {
    /// The first page of the present attempt.
    public static final Part FIRST = new Part(null, null, null);

    public RunTree {
        nodes = List.copyOf(nodes);
    }

    /// Which part of the tree to read. Each method returns a changed copy.
    ///
    /// ```java
    /// RunTree.Part first = RunTree.FIRST.ofAttempt(1).withLimit(500);
    /// ```
    ///
    /// @param attemptNumber of the run; null for the present one
    /// @param limit 1 to 500; null for the server's default of 100
    /// @param cursor the cursor of the page before; null for the first page
    public record Part(
            @Nullable Integer attemptNumber, @Nullable Integer limit, @Nullable String cursor) {
        public Part ofAttempt(@Nullable Integer number) {
            return new Part(number, limit, cursor);
        }

        public Part withLimit(@Nullable Integer limit) {
            return new Part(attemptNumber, limit, cursor);
        }

        public Part after(@Nullable String cursor) {
            return new Part(attemptNumber, limit, cursor);
        }

        Parameters parameters() {
            return new Parameters()
                    .with("expand", "tree")
                    .with("attempt_number", attemptNumber)
                    .with("limit", limit)
                    .with("cursor", cursor);
        }
    }
}
