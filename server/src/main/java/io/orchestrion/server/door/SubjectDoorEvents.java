package io.orchestrion.server.door;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.events.Subjects;
import io.orchestrion.kernel.json.JsonWriter;

import java.util.List;
import java.util.UUID;

/// How the events of an engine's subjects are told to receivers: by the names of the engine's own
/// catalogue.
public final class SubjectDoorEvents implements DoorEvents {
    private final String log;
    private final List<SubjectKind> kinds;

    private SubjectDoorEvents(String log, List<SubjectKind> kinds) {
        this.log = log;
        this.kinds = kinds;
    }

    /// One for each log of subjects.
    public static List<DoorEvents> all(Subjects subjects) {
        return subjects.logs().stream()
                .<DoorEvents>map(log -> new SubjectDoorEvents(log, subjects.of(log)))
                .toList();
    }

    @Override
    public String queue() {
        return log;
    }

    @Override
    public boolean ofSubjects() {
        return true;
    }

    @Override
    public List<String> names() {
        return kinds.stream().flatMap(kind -> kind.names().stream()).toList();
    }

    @Override
    public List<Told> told(Tx tx, UUID account, List<LogEvent> events) {
        return LogEvent.subjects(events).stream().map(line -> told(account, line)).toList();
    }

    private static Told told(UUID account, SubjectLine line) {
        UUID id = DoorEvents.idOf(account, line);
        SubjectEvent event = line.event();
        String name = event.kind() + "." + event.event();
        String body =
                JsonWriter.objectText(
                        out -> {
                            out.text("event_id", id.toString())
                                    .text("event_name", name)
                                    .instant("timestamp", line.atMs())
                                    .text("subject_id", event.id().toString())
                                    .text("subject_type", event.kind())
                                    .integer("sequence", event.seq())
                                    .text("prev_state", event.from())
                                    .text("next_state", event.to())
                                    .text("correlation_id", event.correlationId())
                                    .raw("data", event.data());
                        });
        return new Told(line, id, name, body, null);
    }
}
