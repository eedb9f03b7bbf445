package io.orchestrion.cli;

import java.util.List;
import java.util.UUID;

/// The columns that tables of tasks and of jobs have in common.
final class WorkTable {
    static final List<String> HEAD =
            List.of("STATUS", "TYPE", "ID", "PRIORITY", "ATTEMPTS", "CREATED", "NOTE");
    private static final int NOTE_MAX = 60;

    private WorkTable() {}

    /// How many attempts were made, and how many there may be.
    record Attempts(int made, int most) {}

    /// @param note what matters most about it in its status
    static List<String> row(
            String status,
            String type,
            UUID id,
            int priority,
            Attempts attempts,
            String created,
            String note) {
        return List.of(
                status,
                Screen.clean(type),
                id.toString(),
                String.valueOf(priority),
                attempts.made() + "/" + attempts.most(),
                created,
                Screen.shortened(Screen.clean(note), NOTE_MAX));
    }
}
