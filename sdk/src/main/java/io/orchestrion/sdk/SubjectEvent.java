package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// An event of an engine's subject, such as an execution, a run or an approval.
///
/// @param id the event's place in the account's log, to continue after it
/// @param kind the kind of the subject, such as `execution`
/// @param event what happened, in a word of that kind such as `started`
/// @param sequence counts from 1 within the subject, without gaps
/// @param status the subject's status afterwards, or null
/// @param correlationId what the subject is a part of, or null
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
