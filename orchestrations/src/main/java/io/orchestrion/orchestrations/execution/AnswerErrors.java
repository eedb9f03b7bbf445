package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/// What a service means that answers with an error. A service that knows steps says it in the words
/// in which workers report: `code`, `message`, `retry_after_seconds` and `partial_side_effect` of a
/// JSON object. Of any other, the status counts.
final class AnswerErrors {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern CODE =
            Pattern.compile("[A-Za-z0-9_.:-]{1," + WorkError.CODE_MAX + "}");

    private AnswerErrors() {}

    /// @param nowMs the database's time, for a service that names a time and not its own
    static WorkError of(CallOutcome.Answered answer, LongSupplier nowMs) {
        JsonNode said = said(answer);
        JsonNode code = said.path("code");
        String sentence = "the service answered " + answer.status();
        String message = said.path("message").asString("");
        return new WorkError(
                code.isString() && CODE.matcher(code.asString()).matches()
                        ? code.asString()
                        : "http_" + answer.status(),
                answer.status(),
                cut(message.isEmpty() ? sentence : sentence + ": " + message),
                retryAfter(answer, said, nowMs),
                said.path("partial_side_effect").asBoolean(false) ? Boolean.TRUE : null);
    }

    private static String cut(String text) {
        String clean = text.replace("\0", "");
        int length = Math.min(clean.codePointCount(0, clean.length()), WorkError.MESSAGE_MAX);
        return clean.substring(0, clean.offsetByCodePoints(0, length));
    }

    private static JsonNode said(CallOutcome.Answered answer) {
        String type = answer.header("Content-Type");
        if (type == null || !type.contains("json")) {
            return JSON.missingNode();
        }
        // What says that it is JSON and is not: the status counts.
        JsonNode read = StoredJson.ofStranger(new String(answer.body(), StandardCharsets.UTF_8));
        return read == null ? JSON.missingNode() : read;
    }

    /// In seconds, also where the service names a time; null where it asks for nothing.
    private static @Nullable Integer retryAfter(
            CallOutcome.Answered answer, JsonNode said, LongSupplier nowMs) {
        Long seconds = answer.retryAfterSeconds();
        String text = answer.header("Retry-After");
        if (seconds == null && text != null) {
            seconds = secondsUntil(text, answer.header("Date"), nowMs);
        }
        JsonNode inBody = said.path("retry_after_seconds");
        if (seconds == null && inBody.isIntegralNumber() && inBody.canConvertToLong()) {
            seconds = inBody.asLong();
        }
        return seconds == null
                ? null
                : Math.toIntExact(Math.clamp(seconds, 0, WorkError.RETRY_AFTER_MAX_SECONDS));
    }

    /// By the service's own clock, which is the one that it named the time by. One that does not
    /// say what its clock shows is taken to have the right time.
    private static @Nullable Long secondsUntil(
            String date, @Nullable String now, LongSupplier nowMs) {
        Instant wanted = time(date);
        if (wanted == null) {
            return null;
        }
        Instant itsNow = now == null ? null : time(now);
        Duration left =
                Duration.between(
                        Objects.requireNonNullElseGet(
                                itsNow, () -> Instant.ofEpochMilli(nowMs.getAsLong())),
                        wanted);
        // Rounded up, so that nobody comes too early.
        return left.plusMillis(999).toSeconds();
    }

    private static @Nullable Instant time(String date) {
        try {
            return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
