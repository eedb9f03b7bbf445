package io.orchestrion.kernel.events;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// What an engine tells of one of its subjects.
///
/// @param kind a [SubjectKind#word]
/// @param id of the subject, which no subject of another kind has
/// @param seq 1 for the first of the subject, and then the next number. The engine counts under the
///     lock of its subject, which it has until it commits; so the log has them in this order
/// @param from the state that ended, null where none did
/// @param lastedMs how long that state had lasted, for the counts; null where nobody measured
/// @param to the state that it led to, null where there is none
public record SubjectEvent(
        String kind,
        UUID id,
        int seq,
        String event,
        @Nullable String from,
        @Nullable Long lastedMs,
        @Nullable String to,
        Told told) {
    public static final int DATA_MAX_BYTES = 8 * 1024;
    public static final int CORRELATION_MAX = 200;

    /// What is told beside the change.
    ///
    /// @param data a JSON object, null where there is nothing to tell
    /// @param correlationId what belongs together, in the caller's words
    /// @param auditedUnder what the audit shows it under; null where the audit does not
    /// @param counted what it is counted under beside its kind; null for nothing
    /// @param trace the traceparent that observers show it under; null for none. It is not stored
    /// @param amount what it moved, which the counts add up; null where it moved nothing
    public record Told(
            @Nullable String data,
            @Nullable String correlationId,
            @Nullable UUID auditedUnder,
            @Nullable Counted counted,
            @Nullable String trace,
            @Nullable Long amount) {
        static final Told NOTHING = new Told(null, null, null, null, null, null);
    }

    /// What counts tell apart among the subjects of a kind: a word of a list that is not long.
    ///
    /// @param before what the subject was counted under until now
    public record Counted(String before, String now) {}

    public SubjectEvent {
        if (seq < 1) {
            throw new IllegalArgumentException("the first event of a subject is 1, not " + seq);
        }
        String data = told.data();
        String correlationId = told.correlationId();
        if (data != null && data.getBytes(StandardCharsets.UTF_8).length > DATA_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "data of an event may have " + DATA_MAX_BYTES + " bytes");
        }
        if (correlationId != null && correlationId.length() > CORRELATION_MAX) {
            throw new IllegalArgumentException(
                    "a correlation id may have " + CORRELATION_MAX + " characters");
        }
    }

    /// A change of state, or with null for both states something that changes none.
    public static SubjectEvent of(
            String kind,
            UUID id,
            int seq,
            String event,
            @Nullable String from,
            @Nullable String to) {
        return new SubjectEvent(kind, id, seq, event, from, null, to, Told.NOTHING);
    }

    /// The same with more to tell.
    public SubjectEvent with(@Nullable String json, @Nullable String correlation) {
        return told(
                new Told(
                        json,
                        correlation,
                        told.auditedUnder(),
                        told.counted(),
                        told.trace(),
                        told.amount()));
    }

    /// The same with how long the state that ended had lasted.
    public SubjectEvent after(long millis) {
        return new SubjectEvent(kind, id, seq, event, from, millis, to, told);
    }

    /// The same, shown in the audit of the account under that id: of the subject, or of what it is
    /// a part of.
    public SubjectEvent auditedUnder(UUID whole) {
        return told(
                new Told(
                        told.data(),
                        told.correlationId(),
                        whole,
                        told.counted(),
                        told.trace(),
                        told.amount()));
    }

    /// The same, counted under a word beside its kind.
    public SubjectEvent counted(String word) {
        return counted(word, word);
    }

    /// The same for a subject that was counted under another word.
    public SubjectEvent counted(String before, String now) {
        return told(
                new Told(
                        told.data(),
                        told.correlationId(),
                        told.auditedUnder(),
                        new Counted(before, now),
                        told.trace(),
                        told.amount()));
    }

    /// The same, to be a span of that trace.
    public SubjectEvent traced(@Nullable String traceparent) {
        return told(
                new Told(
                        told.data(),
                        told.correlationId(),
                        told.auditedUnder(),
                        told.counted(),
                        traceparent,
                        told.amount()));
    }

    /// The same, which moved so much. The counts have the sum of the amounts in the place of how
    /// long states had lasted, so it is for events that end no state.
    public SubjectEvent moving(long amount) {
        if (amount < 0 || from != null) {
            throw new IllegalArgumentException("no amount of an event that ends no state");
        }
        return told(
                new Told(
                        told.data(),
                        told.correlationId(),
                        told.auditedUnder(),
                        told.counted(),
                        told.trace(),
                        amount));
    }

    private SubjectEvent told(Told other) {
        return new SubjectEvent(kind, id, seq, event, from, lastedMs, to, other);
    }

    public @Nullable String data() {
        return told.data();
    }

    public @Nullable String correlationId() {
        return told.correlationId();
    }

    @Nullable Counted counted() {
        return told.counted();
    }

    @Nullable UUID auditedUnder() {
        return told.auditedUnder();
    }
}
