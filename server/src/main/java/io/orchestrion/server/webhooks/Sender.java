package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome.Answered;
import io.orchestrion.kernel.egress.CallOutcome.Failed;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.server.egress.ReceiverUrl;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/// Calls receivers, and words the outcome for deliveries. Once the answer has begun, the receiver
/// has taken the delivery or refused it; if the rest comes drop by drop, that changes nothing.
public final class Sender {
    /// The word of an attempt that had no answer in time. It is stored and published, and is the
    /// code that the door of the webhooks has for it.
    public static final String TIMED_OUT = "RFA_DEPENDENCY_TIMEOUT";

    static final int ANSWER_BYTES = 1024;

    private final Egress egress;
    private final Duration timeout;

    /// The outcome of a call.
    public sealed interface Outcome {
        /// @param retryAfterSeconds what it asks for; null when it asks for nothing
        record Answered(int status, String start, @Nullable Long retryAfterSeconds)
                implements Outcome {}

        /// @param error one of few words
        record Unanswered(String error, String detail) implements Outcome {}
    }

    Sender(Egress egress, Duration timeout) {
        this.egress = egress;
        this.timeout = timeout;
    }

    /// @param owner the account whose receiver it is
    Outcome send(UUID owner, ReceiverUrl url, Map<String, String> headers, byte[] body) {
        Call call = Call.of("POST", url.uri().toString()).json(body);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            call = call.header(header.getKey(), header.getValue());
        }
        call = call.within(timeout, timeout).startOfAnswer(ANSWER_BYTES);
        try {
            return switch (egress.call(owner, call)) {
                case Answered answered ->
                        new Outcome.Answered(
                                answered.status(),
                                printable(new String(answered.body(), StandardCharsets.UTF_8)),
                                answered.retryAfterSeconds());
                case Failed failed -> unanswered(failed);
            };
        } catch (InterruptedException e) {
            // Nothing more is written of it: the delivery is tried again when its lease is over.
            Thread.currentThread().interrupt();
            return new Outcome.Unanswered("connection_failed", "The call was broken off.");
        }
    }

    private Outcome unanswered(Failed failed) {
        return switch (failed.reason()) {
            case ADDRESS_REFUSED -> new Outcome.Unanswered("address_refused", failed.detail());
            case UNKNOWN_HOST -> new Outcome.Unanswered("unknown_host", failed.detail());
            case TIMED_OUT ->
                    new Outcome.Unanswered(
                            TIMED_OUT,
                            "The receiver did not answer within "
                                    + timeout.toMillis()
                                    + " milliseconds.");
            case TLS_FAILED -> new Outcome.Unanswered("tls_failed", failed.detail());
            case CONNECT_FAILED, BROKEN, TOO_LARGE ->
                    new Outcome.Unanswered("connection_failed", failed.detail());
        };
    }

    /// It is shown to people: nothing in it moves a cursor, and the database takes it.
    private static String printable(String text) {
        var out = new StringBuilder();
        text.codePoints()
                .limit(ANSWER_BYTES)
                .forEach(
                        point ->
                                out.appendCodePoint(
                                        point == '\n' || point == '\t' || !unprintable(point)
                                                ? point
                                                : 0xfffd));
        return out.substring(0, Math.min(out.length(), ANSWER_BYTES));
    }

    private static boolean unprintable(int point) {
        return Character.isISOControl(point)
                || Character.getType(point) == Character.FORMAT
                || Character.getType(point) == Character.SURROGATE;
    }
}
