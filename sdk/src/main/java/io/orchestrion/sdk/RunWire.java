package io.orchestrion.sdk;

import static io.orchestrion.sdk.QueueWire.each;
import static io.orchestrion.sdk.Wire.instant;
import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.text;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Reads answers about runs into records, as [Wire] does for tasks.
final class RunWire {
    private RunWire() {}

    static BigDecimal credits(JsonNode from, String name) {
        JsonNode found = from.path(name);
        if (!found.isNumber()) {
            throw new IllegalArgumentException("the answer lacks the number " + name);
        }
        return found.decimalValue();
    }

    private static <T> List<T> ifThere(JsonNode list, Function<JsonNode, T> reader) {
        var all = new ArrayList<T>();
        for (JsonNode each : list.values()) {
            all.add(reader.apply(each));
        }
        return all;
    }

    private static List<String> words(JsonNode list) {
        return ifThere(list, word -> word.stringValue(""));
    }

    static Run run(JsonNode run) {
        return new Run(
                text(run, "run_id"),
                text(run, "name"),
                text(run, "task"),
                RunStatus.of(text(run, "status")),
                (int) number(run, "attempt_number"),
                run);
    }

    static RunTree tree(JsonNode answer) {
        return new RunTree(
                run(answer),
                each(answer, "tree", RunWire::node),
                textOrNull(answer, "tree_next_cursor"));
    }

    private static RunNode node(JsonNode node) {
        return new RunNode(
                text(node, "level"),
                text(node, "id"),
                text(node, "parent_id"),
                (int) number(node, "sequence_number"),
                text(node, "name"),
                text(node, "status"),
                (int) number(node, "attempts"),
                node);
    }

    static @Nullable RunWaitsFor waitsFor(JsonNode of) {
        JsonNode waits = of.path("waits_for");
        return waits.isObject()
                ? new RunWaitsFor(
                        text(waits, "on"),
                        textOrNull(waits, "id"),
                        instantOrNull(waits, "until"),
                        textOrNull(waits, "type"))
                : null;
    }

    static RunAttempt attempt(JsonNode attempt) {
        return new RunAttempt(
                (int) number(attempt, "attempt_number"),
                textOrNull(attempt, "outcome"),
                instant(attempt, "started_at"),
                attempt);
    }

    static RunTransition transition(JsonNode change) {
        String from = textOrNull(change, "from");
        return new RunTransition(
                (int) number(change, "number"),
                from == null ? null : RunStatus.of(from),
                RunStatus.of(text(change, "to")),
                text(change, "actor"),
                instant(change, "at"),
                change);
    }

    static RunDecision decision(JsonNode decision) {
        return new RunDecision(
                text(decision, "id"),
                text(decision, "level"),
                text(decision, "subject_id"),
                text(decision, "decision"),
                textOrNull(decision, "trigger"),
                instant(decision, "at"),
                decision);
    }

    static RunEvent event(JsonNode event) {
        return new RunEvent(
                number(event, "seq"), text(event, "event"), instant(event, "at"), event);
    }

    static RunPlan plan(JsonNode plan) {
        return new RunPlan(
                (int) number(plan, "attempt_number"),
                (int) number(plan, "plan_version"),
                text(plan, "source"),
                text(plan, "made_by"),
                instant(plan, "created_at"),
                plan);
    }

    static RunAgent agent(JsonNode agent) {
        return new RunAgent(
                text(agent, "id"),
                (int) number(agent, "sequence_number"),
                text(agent, "role"),
                text(agent, "subtask"),
                text(agent, "status"),
                agent);
    }

    static RunTask task(JsonNode task) {
        return new RunTask(
                text(task, "id"),
                text(task, "agent_id"),
                (int) number(task, "sequence_number"),
                text(task, "name"),
                text(task, "status"),
                task);
    }

    static RunStep step(JsonNode step) {
        return new RunStep(
                text(step, "id"),
                text(step, "task_id"),
                (int) number(step, "sequence_number"),
                text(step, "name"),
                text(step, "kind"),
                text(step, "tool"),
                text(step, "status"),
                step);
    }

    static List<RunStepAttempt> stepAttempts(JsonNode list) {
        return ifThere(
                list,
                attempt ->
                        new RunStepAttempt(
                                text(attempt, "id"),
                                UUID.fromString(text(attempt, "work_id")),
                                (int) number(attempt, "attempt_number"),
                                text(attempt, "status"),
                                attempt));
    }

    static OutputPiece piece(JsonNode piece) {
        return new OutputPiece(
                number(piece, "seq"),
                text(piece, "run_id"),
                text(piece, "step_id"),
                text(piece, "attempt_id"),
                text(piece, "channel"),
                text(piece, "text"),
                instant(piece, "at"));
    }

    static RunEscalation escalation(JsonNode ticket) {
        return new RunEscalation(
                text(ticket, "id"),
                text(ticket, "run_id"),
                text(ticket, "status"),
                text(ticket, "trigger"),
                text(ticket, "error"),
                ticket.path("holds").booleanValue(false),
                instant(ticket, "created_at"),
                ticket);
    }

    static RunApproval approval(JsonNode approval) {
        return new RunApproval(
                text(approval, "id"),
                text(approval, "run_id"),
                text(approval, "step_id"),
                text(approval, "status"),
                text(approval, "tool"),
                instant(approval, "requested_at"),
                approval);
    }

    static RunArtifact artifact(JsonNode artifact) {
        return new RunArtifact(
                text(artifact, "id"),
                text(artifact, "run_id"),
                text(artifact, "name"),
                text(artifact, "content_type"),
                text(artifact, "state"),
                artifact);
    }

    static SharedAddress address(JsonNode answer) {
        return new SharedAddress(URI.create(text(answer, "url")), instant(answer, "expires_at"));
    }

    static CreditBalance balance(JsonNode answer) {
        return new CreditBalance(
                credits(answer, "balance"),
                credits(answer, "reserved"),
                credits(answer, "available"));
    }

    static LedgerEntry entry(JsonNode entry) {
        return new LedgerEntry(
                text(entry, "id"),
                number(entry, "seq"),
                text(entry, "transaction_type"),
                credits(entry, "amount"),
                textOrNull(entry, "run_id"),
                instant(entry, "created_at"),
                entry);
    }

    static CreditNotice notice(JsonNode notice) {
        return new CreditNotice(
                text(notice, "ledger_entry_id"),
                text(notice, "run_id"),
                credits(notice, "amount"),
                text(notice, "message"),
                instant(notice, "created_at"),
                notice);
    }

    static StuckRun stuck(JsonNode stuck) {
        return new StuckRun(
                text(stuck, "org_id"),
                text(stuck, "run_id"),
                text(stuck, "why"),
                Duration.ofMillis(number(stuck, "running_ms")),
                stuck);
    }

    static EndedRun ended(JsonNode run) {
        return new EndedRun(
                text(run, "org_id"), text(run, "run_id"), RunStatus.of(text(run, "status")), run);
    }

    static BillingAnomaly anomaly(JsonNode odd) {
        return new BillingAnomaly(
                text(odd, "org_id"),
                text(odd, "run_id"),
                (int) number(odd, "attempt_number"),
                words(odd.path("kinds")),
                credits(odd, "charged"),
                credits(odd, "metered"),
                each(odd, "charges", RunWire::entry),
                odd);
    }

    static InvariantCheck invariants(JsonNode answer) {
        return new InvariantCheck(
                each(
                        answer,
                        "violations",
                        broken ->
                                new InvariantCheck.Violation(
                                        (int) number(broken, "invariant"),
                                        text(broken, "rule"),
                                        text(broken, "subject"),
                                        textOrNull(broken, "org_id"),
                                        words(broken.path("ids")))),
                answer.path("complete").booleanValue(false),
                textOrNull(answer, "next_cursor"));
    }
}
