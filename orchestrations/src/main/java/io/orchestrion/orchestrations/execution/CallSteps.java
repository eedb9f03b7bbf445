package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Makes the HTTP request of a step: under the step's key, and with as much of the answer as a
/// result may have.
final class CallSteps implements Handler {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /// An answer is stored inside of a result, which has more than the answer's body in it.
    private static final int ANSWER_MAX_BYTES = 48 * 1024;

    /// As the results of workers.
    static final int RESULT_MAX_BYTES = 64 * 1024;

    private static final int OK = 200;
    private static final int NOT_OK = 300;

    private final Egress egress;
    private final LongSupplier nowMs;

    /// @param nowMs the database's time
    CallSteps(Egress egress, LongSupplier nowMs) {
        this.egress = egress;
        this.nowMs = nowMs;
    }

    @Override
    public Outcome run(Charge charge) throws InterruptedException {
        JsonNode envelope = StoredJson.read(charge.payload());
        Call call;
        try {
            call = call(envelope, charge.traceparent());
        } catch (IllegalArgumentException e) {
            return failed(
                    "validation_failed", null, "the request cannot be made: " + e.getMessage());
        }
        return switch (egress.call(charge.item().accountId(), call)) {
            case CallOutcome.Answered answered -> answered(answered);
            case CallOutcome.Failed failed -> noAnswer(failed);
        };
    }

    static Call call(JsonNode envelope, @Nullable String traceparent) {
        JsonNode request = envelope.get("request");
        Call call = Call.of(request.get("method").asString(), request.get("url").asString());
        for (var header : request.get("headers").properties()) {
            call = call.header(header.getKey(), header.getValue().asString());
        }
        if (request.get("has_body").asBoolean()) {
            call = call.json(body(envelope).getBytes(StandardCharsets.UTF_8));
        }
        if (traceparent != null) {
            call = call.header("traceparent", traceparent);
        }
        return call.header("Idempotency-Key", envelope.get("idempotency_key").asString())
                .header("X-Correlation-Id", printable(envelope.get("correlation_id").asString()))
                .within(CONNECT, Duration.ofMillis(envelope.get("timeout_ms").asLong()))
                .answerAtMost(ANSWER_MAX_BYTES);
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    /// What the definition says, else the envelope without the request itself.
    private static String body(JsonNode envelope) {
        JsonNode body = envelope.get("request").get("body");
        if (body != null) {
            return body.toString();
        }
        ObjectNode whole = ((ObjectNode) envelope).deepCopy();
        whole.remove("request");
        return whole.toString();
    }

    private Outcome answered(CallOutcome.Answered answer) {
        if (answer.status() >= OK && answer.status() < NOT_OK) {
            ObjectNode result = JSON.createObjectNode();
            result.put("status", answer.status());
            result.set("body", body(answer));
            String text = result.toString();
            // Written as JSON, a text can be several times as long.
            return text.getBytes(StandardCharsets.UTF_8).length <= RESULT_MAX_BYTES
                    ? new Outcome.Completed(text)
                    : failed(
                            "answer_too_large",
                            answer.status(),
                            "the answer as a result has more than " + RESULT_MAX_BYTES + " bytes");
        }
        return new Outcome.Failed(Report.of(AnswerErrors.of(answer, nowMs)), false, null);
    }

    /// JSON as JSON, and anything else as text. No text of the database holds a zero.
    private static JsonNode body(CallOutcome.Answered answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        if (text.isEmpty()) {
            return JSON.nullNode();
        }
        String type = answer.header("Content-Type");
        JsonNode said = type != null && type.contains("json") ? StoredJson.ofStranger(text) : null;
        return said == null ? JSON.getNodeFactory().stringNode(text.replace("\0", "")) : said;
    }

    private static Outcome noAnswer(CallOutcome.Failed failed) {
        String code =
                switch (failed.reason()) {
                    case ADDRESS_REFUSED -> "egress_refused";
                    case UNKNOWN_HOST, CONNECT_FAILED -> "connect_failed";
                    case TLS_FAILED -> "tls_failed";
                    case TIMED_OUT -> failed.sent() ? "read_timeout" : "connect_failed";
                    case BROKEN -> failed.sent() ? "connection_broken" : "connect_failed";
                    case TOO_LARGE -> "answer_too_large";
                };
        return failed(code, null, failed.detail());
    }

    private static Outcome failed(String code, @Nullable Integer status, String message) {
        String bounded =
                message.length() <= WorkError.MESSAGE_MAX
                        ? message
                        : message.substring(0, WorkError.MESSAGE_MAX);
        return new Outcome.Failed(new WorkError(code, status, bounded, null, null));
    }
}
