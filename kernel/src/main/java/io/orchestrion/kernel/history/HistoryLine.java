package io.orchestrion.kernel.history;

import io.orchestrion.kernel.db.JsonText;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkState;

/// How an event is stored in its item's history: as a line of JSON, see the migration that made the
/// column. Statements that change many rows at once build their lines in the same form.
public final class HistoryLine {
    private HistoryLine() {}

    /// The whole line but the number of its transaction, from the comma after that on.
    public static String rest(EventRow event) {
        WorkState from = event.from();
        var line = new StringBuilder(96);
        line.append(',')
                .append(event.atMs())
                .append(",\"")
                .append(event.event().word())
                .append("\",");
        if (from == null) {
            line.append("null");
        } else {
            line.append('"').append(from.word()).append('"');
        }
        line.append(",\"")
                .append(event.to().word())
                .append("\",")
                .append(event.attempt())
                .append(',')
                .append(event.leaseNumber())
                .append(',');
        JsonText.append(line, event.holder());
        line.append(',');
        JsonText.append(line, event.detail());
        WorkError error = event.error();
        if (error != null) {
            // As a JSON string, so that readers get it back unchanged.
            JsonText.append(line.append(','), error.json());
        }
        return line.append("]\n").toString();
    }

    public static String whole(Tx tx, EventRow event) {
        return "[" + tx.id() + rest(event);
    }
}
