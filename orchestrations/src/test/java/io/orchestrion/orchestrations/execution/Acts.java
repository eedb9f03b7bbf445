package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.execution.Approvals.Decided;
import io.orchestrion.orchestrations.execution.Approvals.Said;
import io.orchestrion.orchestrations.execution.DeadLetters.Handled;

import java.util.List;
import java.util.UUID;

/// What people and workers do in tests of the engine, and the documents that these tests share.
final class Acts {
    static final WorkError PARTIAL =
            new WorkError("half_done", null, "half of it was done", null, true);

    private final OrchestrationFixture fixture;

    Acts(OrchestrationFixture fixture) {
        this.fixture = fixture;
    }

    static String decision(String id, String branches, String otherwise) {
        return Documents.step(
                id,
                "decision",
                ",\"branches\":[" + branches + "],\"default\":\"" + otherwise + "\"");
    }

    static String branch(String condition, String next) {
        return "{\"when\":" + condition + ",\"next\":\"" + next + "\"}";
    }

    static String cel(String expression, String next) {
        return branch("{\"$cel\":\"" + expression + "\"}", next);
    }

    static String await(String id, long millis, String more) {
        return Documents.step(id, "wait", ",\"duration_ms\":" + millis + more);
    }

    static String call(String id, String more) {
        return Documents.step(
                id, "external_call", ",\"handler\":\"http:https://example.com/" + id + "\"" + more);
    }

    static String notice(String id, String more) {
        return Documents.step(
                id, "notify", ",\"handler\":\"http:https://example.com/" + id + "\"" + more);
    }

    static String approval(String id, String more) {
        return Documents.step(id, "human_approval", more);
    }

    static String next(String stepId) {
        return ",\"on_success\":\"" + stepId + "\"";
    }

    static String onFailure(String stepId) {
        return ",\"on_failure\":\"" + stepId + "\"";
    }

    static String within(long executionMs, String document) {
        return document.replace(
                "\"policies\":{",
                "\"policies\":{\"timeouts\":{\"execution_ms\":" + executionMs + "},");
    }

    /// A step that is not safe to repeat, with a handler that undoes it.
    static String undoable(String id, String policy, String more) {
        return Documents.task(
                id,
                ",NOT_SAFE,\"compensation_handler\":\"task:undo_"
                        + id
                        + "\",\"compensation_policy\":\""
                        + policy
                        + "\""
                        + more);
    }

    Approval asked(UUID execution) {
        List<Approval> asked =
                fixture.pending().stream()
                        .filter(each -> each.execution().equals(execution))
                        .toList();
        assertThat(asked).hasSize(1);
        return asked.getFirst();
    }

    Decided decide(Approval approval, boolean approve) {
        return decide(fixture.person, approval, approve);
    }

    Decided decide(Person by, Approval approval, boolean approve) {
        return fixture.engine
                .approvals()
                .decide(approval.id(), new Said(fixture.account, by, approve, "so be it"));
    }

    Ack pause(UUID id) {
        return fixture.engine.executions().pause(fixture.request(id));
    }

    Ack resume(UUID id) {
        return fixture.engine.executions().resume(fixture.request(id));
    }

    Ack cancel(UUID id) {
        return fixture.engine.executions().cancel(fixture.request(id));
    }

    Ack retry(UUID id) {
        return fixture.engine.executions().retry(fixture.request(id), null, false);
    }

    Ack retry(UUID id, String stepId, boolean confirm) {
        return fixture.engine.executions().retry(fixture.request(id), stepId, confirm);
    }

    DeadLetters.Request letterRequest(UUID letter) {
        return new DeadLetters.Request(fixture.account, letter, fixture.person, "looked at it");
    }

    Handled reprocess(UUID letter, boolean confirm) {
        return fixture.engine.deadLetters().reprocess(letterRequest(letter), confirm);
    }

    Handled compensate(UUID letter) {
        return fixture.engine.deadLetters().compensate(letterRequest(letter));
    }

    Handled mark(UUID letter) {
        return fixture.engine.deadLetters().markCompensated(letterRequest(letter));
    }

    Handled resolve(UUID letter) {
        return fixture.engine.deadLetters().resolve(letterRequest(letter));
    }

    DeadLetters.Seen letter(UUID letter) {
        return fixture.engine.deadLetters().get(fixture.account, letter);
    }

    DeadLetter onlyLetter(UUID execution) {
        List<DeadLetter> letters = fixture.letters(execution);
        assertThat(letters).hasSize(1);
        return letters.getFirst();
    }

    /// Claims the step's item and fails it for good.
    void failForGood(String stepId) {
        fixture.fail(fixture.claim("do_" + stepId), "validation_failed");
    }

    void succeed(String type) {
        fixture.complete(fixture.claim(type), "{\"by\":\"" + type + "\"}");
    }

    /// The execution failed by a step of which half was done.
    WorkItem failHalfDone(String stepId) {
        WorkItem held = fixture.claim("do_" + stepId);
        fixture.fail(held, PARTIAL);
        return held;
    }

    /// `from>to` of each change of the execution's status.
    List<String> transitions(UUID id) {
        return fixture.seen(id).transitions().stream()
                .map(line -> line.event().from() + ">" + line.event().to())
                .toList();
    }

    /// Items of an execution that have not ended.
    long openItems(UUID id) {
        return fixture.test
                .database()
                .value(
                        "select count(*) from work where owner_id = ? and state in ('waiting',"
                                + " 'ready', 'leased', 'running')",
                        id);
    }
}
