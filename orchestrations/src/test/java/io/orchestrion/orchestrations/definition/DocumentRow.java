package io.orchestrion.orchestrations.definition;

import java.util.Arrays;

/// A document that differs from a good one in some places, and what is found in it.
///
/// @param changes to the usual document
/// @param found as `code pointer`; empty for a good document
/// @param shape whether the published schema can say the same
record DocumentRow(String[] changes, String found, boolean shape) {
    static final String CALL = "/steps/3";
    static final String POLICY = "/steps/3/retry_policy";

    @Override
    public String toString() {
        return found + " " + Arrays.toString(changes).lines().findFirst().orElse("");
    }

    static DocumentRow good(String... changes) {
        return new DocumentRow(changes, "", true);
    }

    static DocumentRow bad(String found, String... changes) {
        return new DocumentRow(changes, found, true);
    }

    /// What a schema of the document cannot express.
    static DocumentRow beyond(String found, String... changes) {
        return new DocumentRow(changes, found, false);
    }

    static String quoted(String text) {
        return '"' + text + '"';
    }
}
