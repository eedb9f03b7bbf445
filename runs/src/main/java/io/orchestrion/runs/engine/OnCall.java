package io.orchestrion.runs.engine;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.ticket.Ticket;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/// Tells whoever is on call that a ticket was opened: a call to one address, tried a few times.
final class OnCall implements Handler {
    static final int PLACES = 4;
    static final int PER_ACCOUNT = 1;
    private static final int ATTEMPTS = 6;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofSeconds(15);
    private static final int STATUS_OK = 200;
    private static final int STATUS_BAD = 300;

    private final RunsOptions.@Nullable OnCallAddress address;

    OnCall(RunsOptions.@Nullable OnCallAddress address) {
        this.address = address;
    }

    boolean isConfigured() {
        return address != null;
    }

    void call(Turn turn, Ticket ticket) {
        if (address != null) {
            submit(turn, ticket);
        }
    }

    private static void submit(Turn turn, Ticket ticket) {
        Run run = turn.run();
        ObjectNode body = Envelopes.JSON.createObjectNode();
        body.put("event", "run_ticket.opened");
        body.put("ticket_id", PublicId.TICKET.of(ticket.id()));
        body.put("run_id", PublicId.RUN.of(run.id()));
        body.put("org_id", run.account().toString());
        body.put("run_name", run.asked().name());
        body.put("severity", Ticket.SEVERITY);
        body.put("trigger", ticket.trigger().first());
        body.put("error_code", ticket.cause().code());
        body.put("error", ticket.cause().message());
        body.put("created_at", Instant.ofEpochMilli(ticket.createdMs()).toString());
        ObjectNode payload = Envelopes.JSON.createObjectNode();
        payload.put("ticket", ticket.id().toString());
        payload.set("body", body);
        turn.submit(
                turn.nextId(),
                NewWork.of(
                                run.account(),
                                Profiles.DELIVERIES,
                                ItemKinds.ON_CALL,
                                payload.toString())
                        .tryingAtMost(ATTEMPTS));
    }

    @Override
    public Outcome run(Charge charge) throws Exception {
        RunsOptions.OnCallAddress to = address;
        if (to == null) {
            return new Outcome.Completed(null);
        }
        JsonNode payload = Envelopes.JSON.readTree(charge.payload());
        CallOutcome answer =
                to.egress()
                        .call(
                                charge.item().accountId(),
                                Call.of("POST", to.url())
                                        .header(
                                                "Idempotency-Key",
                                                payload.path("ticket").asString())
                                        .json(
                                                payload.path("body")
                                                        .toString()
                                                        .getBytes(StandardCharsets.UTF_8))
                                        .within(TIMEOUT, TIMEOUT));
        return switch (answer) {
            case CallOutcome.Answered(var status, _, _)
                    when status >= STATUS_OK && status < STATUS_BAD ->
                    new Outcome.Completed(null);
            case CallOutcome.Answered(var status, _, _) ->
                    failed(
                            new WorkError(
                                    Failures.HTTP_ERROR,
                                    status,
                                    "whoever is on call was not told",
                                    null,
                                    null));
            case CallOutcome.Failed(_, var detail, _) ->
                    failed(WorkError.of(Failures.CONNECTION, detail));
        };
    }

    private static Outcome failed(WorkError error) {
        return new Outcome.Failed(Report.of(error), true, AGAIN.toMillis());
    }
}
