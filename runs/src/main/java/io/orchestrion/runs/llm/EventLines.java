package io.orchestrion.runs.llm;

import java.util.ArrayList;
import java.util.List;

/// The data of the events of a stream of server-sent events.
final class EventLines {
    private static final String DATA = "data:";

    private EventLines() {}

    /// An event that broke off, without the empty line at its end, counts: some services leave the
    /// last one out.
    static List<String> of(String stream) {
        var events = new ArrayList<String>();
        var data = new StringBuilder();
        stream.lines()
                .forEach(
                        line -> {
                            if (line.startsWith(DATA)) {
                                data.append(data.isEmpty() ? "" : "\n")
                                        .append(line.substring(DATA.length()).strip());
                            } else if (line.isEmpty()) {
                                flush(data, events);
                            }
                        });
        flush(data, events);
        return events;
    }

    private static void flush(StringBuilder data, List<String> events) {
        if (!data.isEmpty()) {
            events.add(data.toString());
            data.setLength(0);
        }
    }
}
