package io.orchestrion.server.observe;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.signals.SubjectSeen;
import io.orchestrion.kernel.signals.TransitionSeen;
import io.orchestrion.server.door.DoorItems;
import io.orchestrion.server.door.KeyOwner;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import java.util.Set;

/// Logs what happens, each line with the same few fields. Never a key: of a request only what the
/// catalogue and the server itself say of it is logged.
final class HappeningLog {
    private static final Logger REQUESTS = LoggerFactory.getLogger("orchestrion.requests");
    private static final Logger TRANSITIONS = LoggerFactory.getLogger("orchestrion.transitions");
    private static final Logger DELIVERIES = LoggerFactory.getLogger("orchestrion.deliveries");
    private static final int TEXT_MAX = 500;

    /// The fields of a line of a subject that data cannot give.
    private static final Set<String> OF_LINE =
            Set.of(
                    "client_id",
                    "door",
                    "subject",
                    "subject_id",
                    "action",
                    "current_state",
                    "next_state",
                    "lasted_ms",
                    "correlation_id",
                    "trace_id");

    private final DoorWords words;

    HappeningLog(DoorWords words) {
        this.words = words;
    }

    void request(Call call, int status, long tookNanos, @Nullable String trace) {
        Endpoint endpoint = call.endpoint();
        LoggingEventBuilder line = REQUESTS.atInfo();
        add(line, "request_id", call.requestId());
        add(line, "client_id", client(call));
        add(line, "job_id", endpoint == null ? null : call.subject());
        words.ids(call).forEach((name, id) -> add(line, name, id));
        add(line, "action", endpoint == null ? "unknown" : words.action(endpoint));
        add(line, "door", door(call));
        add(line, "status", status);
        add(line, "duration_ms", tookNanos / 1_000_000);
        error(line, call);
        add(line, "trace_id", traceId(trace));
        line.log("request");
    }

    /// Somebody was not let in.
    void stranger(Call call, int status, String reason) {
        Endpoint endpoint = call.endpoint();
        LoggingEventBuilder line = REQUESTS.atWarn();
        add(line, "request_id", call.requestId());
        add(line, "client_id", client(call));
        add(line, "job_id", endpoint == null ? null : call.subject());
        words.ids(call).forEach((name, id) -> add(line, name, id));
        add(line, "action", endpoint == null ? "unknown" : words.action(endpoint));
        add(line, "door", door(call));
        add(line, "status", status);
        add(line, "reason", reason);
        error(line, call);
        line.log("not let in");
    }

    private static void error(LoggingEventBuilder line, Call call) {
        Call.Fault fault = call.fault();
        if (fault != null) {
            add(line, "error_code", fault.code());
            add(line, "error_message", Redaction.summary(fault.message()));
        }
    }

    static String door(Call call) {
        return call.door() == null ? "none" : call.door();
    }

    private static @Nullable Object client(Call call) {
        return call.attached(Principal.class)
                .map(Principal::accountId)
                .or(() -> call.attached(KeyOwner.class).map(KeyOwner::accountId))
                .orElse(null);
    }

    void transition(TransitionSeen seen) {
        DoorItems items = words.items(seen.queue());
        boolean failed =
                switch (seen.event()) {
                    case "fail", "expire", "time_out" -> true;
                    default -> false;
                };
        LoggingEventBuilder line = failed ? TRANSITIONS.atWarn() : TRANSITIONS.atInfo();
        add(line, "job_id", seen.workId());
        TransitionSeen.Owner owner = seen.owner();
        if (owner != null) {
            add(line, DoorWords.field(owner), words.id(owner));
        }
        add(line, "client_id", seen.accountId());
        add(line, "door", seen.queue());
        add(line, "action", seen.event());
        add(line, "current_state", words.state(seen.queue(), seen.from(), "", seen.attempt()));
        add(line, "next_state", words.state(seen.queue(), seen.to(), seen.event(), seen.attempt()));
        add(line, "attempt", seen.attempt());
        add(line, items == null ? "type" : items.kindField(), seen.kind());
        add(
                line,
                "lasted_ms",
                seen.from() == null ? null : Math.max(0, seen.atMs() - seen.sinceMs()));
        add(line, "holder", seen.holder());
        if (failed) {
            DoorItems.Failure why = items == null ? null : items.failure(seen.detail());
            String code = seen.errorCode() == null ? seen.event() : seen.errorCode();
            add(line, "error_code", why == null ? code : why.code());
            String text = why == null ? seen.detail() : why.text();
            add(line, "error_message", Redaction.summary(text));
        } else {
            add(line, "reason", Redaction.summary(seen.detail()));
        }
        add(line, "correlation_id", seen.correlationId());
        add(line, "trace_id", traceId(seen.trace()));
        line.log(failed ? "failed" : "moved");
    }

    /// What the engine gives as data has fields of its own, such as the ids of what it is a part of
    /// and why it failed.
    static void subject(SubjectSeen seen) {
        SubjectWords said = SubjectWords.of(seen);
        LoggingEventBuilder line = said.failed() ? TRANSITIONS.atWarn() : TRANSITIONS.atInfo();
        add(line, "subject", seen.kind());
        add(line, "subject_id", seen.subjectId());
        add(line, "client_id", seen.accountId());
        add(line, "door", seen.log());
        add(line, "action", seen.event());
        add(line, "current_state", seen.from());
        add(line, "next_state", seen.to());
        add(line, "lasted_ms", seen.lastedMs());
        said.values()
                .forEach(
                        (name, value) -> {
                            if (!OF_LINE.contains(name)) {
                                add(line, name, fromOutside(name) ? hidden(value) : value);
                            }
                        });
        add(line, "correlation_id", seen.correlationId());
        add(line, "trace_id", traceId(seen.trace()));
        line.log(said.failed() ? "failed" : "moved");
    }

    /// Fields with sentences of people, workers and services.
    private static boolean fromOutside(String name) {
        return name.startsWith("error") || name.equals("reason") || name.equals("message");
    }

    private static @Nullable Object hidden(Object value) {
        return value instanceof String text ? Redaction.summary(text) : value;
    }

    static void delivery(DeliverySeen seen) {
        boolean delivered = seen.outcome().equals("delivered");
        LoggingEventBuilder line = delivered ? DELIVERIES.atInfo() : DELIVERIES.atWarn();
        add(line, "job_id", seen.workId());
        add(line, "client_id", seen.accountId());
        add(line, "action", "deliver");
        add(line, "webhook_id", seen.webhookId());
        add(line, "delivery_id", seen.deliveryId());
        add(line, "event", seen.event());
        add(line, "attempt", seen.attempt());
        add(line, "outcome", seen.outcome());
        add(line, "status", seen.status());
        add(line, "duration_ms", seen.millis());
        add(line, "error_message", seen.reason());
        add(line, "trace_id", traceId(seen.trace()));
        line.log("webhook");
    }

    static @Nullable String traceId(@Nullable String traceparent) {
        return traceparent == null || traceparent.length() < 35
                ? null
                : traceparent.substring(3, 35);
    }

    /// Texts that come from outside are bounded, and cannot begin a line of their own.
    private static void add(LoggingEventBuilder line, String name, @Nullable Object value) {
        if (value instanceof String text) {
            String bounded = text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) + "…" : text;
            var unused = line.addKeyValue(name, bounded.replaceAll("\\p{Cntrl}", " "));
        } else if (value != null) {
            var unused = line.addKeyValue(name, value);
        }
    }

    static boolean tells() {
        return TRANSITIONS.isInfoEnabled();
    }
}
