package io.orchestrion.kernel.events;

import java.util.UUID;

/// One event of an engine's subject in the log of an account.
public record SubjectLine(long position, long atMs, SubjectEvent event) implements LogEvent {
    @Override
    public UUID subjectId() {
        return event.id();
    }

    @Override
    public int seq() {
        return event.seq();
    }
}
