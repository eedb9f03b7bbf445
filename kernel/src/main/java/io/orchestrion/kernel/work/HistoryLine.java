package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.JsonText;

/// How an event stands in its item's history: a line of JSON, see the migration that made the
/// column. The statements that change many rows at once put theirs together in the same way.
final class HistoryLine {
    /// In the place of the transaction's number, which only the database knows.
    static final char POSITION = '@';

    private HistoryLine() {}

    /// The whole line but its position, from the comma after it on.
    static String rest(EventRow event) {
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
        return line.append("]\n").toString();
    }

    /// With a sign in the place of the position. Only for lines in which it stands nowhere else.
    static String open(EventRow event) {
        return "[" + POSITION + rest(event);
    }
}
