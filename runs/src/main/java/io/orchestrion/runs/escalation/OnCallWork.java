package io.orchestrion.runs.escalation;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.policy.Failures;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/// Calls the webhook of whoever is on call. Under one key for a ticket, so that a receiver can tell
/// a repetition.
final class OnCallWork implements Handler {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /// Sooner than the item is ended.
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final int ANSWER_BYTES = 1_024;
    private static final int OK = 200;
    private static final int NOT_OK = 300;

    private final Database database;
    private final Egress egress;
    private final OnCallOptions options;

    OnCallWork(Database database, Egress egress, OnCallOptions options) {
        this.database = database;
        this.egress = egress;
        this.options = options;
    }

    @Override
    public Outcome run(Charge charge) throws InterruptedException {
        UUID account = charge.item().accountId();
        UUID item = charge.item().id();
        String message = database.transaction(tx -> NoticeSql.begin(tx, account, item));
        if (message == null) {
            return new Outcome.Completed("{}");
        }
        return switch (egress.call(account, call(message, charge.traceparent()))) {
            case CallOutcome.Answered answered -> answered(answered.status());
            case CallOutcome.Failed failed -> failed(Failures.CONNECTION, null, failed.detail());
        };
    }

    private Call call(String message, @Nullable String traceparent) {
        Duration within = Duration.ofMillis(options.retries().timeoutMs()).minus(MARGIN);
        Call call =
                Call.of("POST", options.url())
                        .json(message.getBytes(StandardCharsets.UTF_8))
                        .header(
                                "Idempotency-Key",
                                JSON.readTree(message).get("ticket_id").asString())
                        .within(CONNECT, within)
                        .startOfAnswer(ANSWER_BYTES);
        if (options.token() != null) {
            call = call.header("Authorization", "Bearer " + options.token());
        }
        return traceparent == null ? call : call.header("traceparent", traceparent);
    }

    private static Outcome answered(int status) {
        return status >= OK && status < NOT_OK
                ? new Outcome.Completed("{}")
                : failed(Failures.HTTP_ERROR, status, "The receiver answered " + status + ".");
    }

    private static Outcome failed(String code, @Nullable Integer status, String message) {
        return new Outcome.Failed(new WorkError(code, status, message, null, null));
    }
}
