package io.orchestrion.app.docs;

import io.orchestrion.kernel.lifecycle.TransitionTable;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;

/// The states of a work item, for each profile, as pictures and rows.
final class LifecyclePage {
    private LifecyclePage() {}

    static String text() {
        var out = new StringBuilder();
        out.append(
                """
                # Lifecycles

                Made from the transition tables in the code; do not edit. A work item is in one of eight states, and a
                profile says which changes its items may make. The database refuses every other change itself.

                """);
        for (Profile profile : Profiles.ALL) {
            page(out, profile);
        }
        return out.toString();
    }

    private static void page(StringBuilder out, Profile profile) {
        out.append("## ").append(profile.name()).append("\n\n```mermaid\nstateDiagram-v2\n");
        out.append("    [*] --> waiting: submit\n    [*] --> ready: submit\n");
        for (TransitionTable.Row<WorkState, WorkEvent> row : profile.lifecycle().rowsInOrder()) {
            out.append("    ")
                    .append(row.from().word())
                    .append(" --> ")
                    .append(row.to().word())
                    .append(": ")
                    .append(row.event().word())
                    .append('\n');
        }
        out.append("```\n\n| from | event | to |\n|---|---|---|\n");
        for (TransitionTable.Row<WorkState, WorkEvent> row : profile.lifecycle().rowsInOrder()) {
            out.append("| ")
                    .append(row.from().word())
                    .append(" | ")
                    .append(row.event().word())
                    .append(" | ")
                    .append(row.to().word())
                    .append(" |\n");
        }
        out.append('\n');
    }
}
