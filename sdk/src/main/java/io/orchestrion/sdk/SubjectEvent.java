package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// Something that happened to a subject of an engine: an execution, a run, an approval.
///
/// @param id the event's place in the account's log: a cursor to go on from
/// @param kind of the subject, such as `execution`
/// @param event a word of that kind, such as `started`
/// @param sequence from 1 on within the subject, without gaps
/// @param status what it led to, or null
/// @param correlationId what belongs together, or null
/// @param json the whole event as the server sent it
public record SubjectEvent(
        String id,
        String kind,
        UUID subjectId,
        String event,
        int sequence,
        @Nullable String status,
        @Nullable String correlationId,
        Instant at,
        JsonNode json) {}
