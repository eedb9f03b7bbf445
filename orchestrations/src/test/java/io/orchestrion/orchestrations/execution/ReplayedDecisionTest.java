package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.definition.StepType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// What is stored of a decision is all that it was made from.
class ReplayedDecisionTest {
    private static final String QUICK =
            Documents.retry(3, "jittered", 1000, 4000, 20_000) + ",\"lease_seconds\":30";

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// The decision, made again from the attempt's row, its definition and the stored decision.
    private JsonNode again(Execution execution, StepAttempt row, JsonNode stored) {
        Published published =
                fixture.test
                        .kernel()
                        .database()
                        .transaction(
                                tx ->
                                        fixture.engine
                                                .definitions()
                                                .of(tx, fixture.account, execution.definition()));
        JsonNode because = stored.get("because");
        var facts =
                new Decider.Facts(
                        published.step(row.place().stepId()),
                        row,
                        row.status() == StepStatus.SUCCEEDED
                                        && row.place().type() == StepType.DECISION
                                ? Outputs.branchTaken(row)
                                : null,
                        Outputs.guardFoundDone(published.step(row.place().stepId()), row),
                        Instant.parse(because.get("decided_at").asString()).toEpochMilli(),
                        because.path("delay_factor").asInt(1),
                        because.path("jitter").asDouble(0));
        return JsonMapper.shared().readTree(Decisions.json(facts, Decider.decide(facts)));
    }

    private Set<String> replay(UUID id) {
        var moves = new HashSet<String>();
        Execution execution = fixture.execution(id);
        for (StepAttempt row : fixture.steps(id)) {
            if (!row.status().isTerminal()) {
                assertThat(row.ended().decision()).isNull();
                continue;
            }
            JsonNode stored =
                    JsonMapper.shared().readTree(Objects.requireNonNull(row.ended().decision()));
            String move = stored.get("move").asString();
            if (!move.equals("none")) {
                assertThat(again(execution, row, stored)).isEqualTo(stored);
            }
            moves.add(move);
        }
        return moves;
    }

    private WorkItem next(String type) {
        fixture.later(Duration.ofSeconds(5));
        return fixture.claim(type);
    }

    @Test
    void every_stored_decision_is_made_again_from_what_is_stored_with_it() {
        var moves = new HashSet<String>();
        UUID retried =
                fixture.start(
                                Documents.of(
                                        Documents.step(
                                                "which",
                                                "decision",
                                                ",\"branches\":[{\"when\":{\"path\":\"$.input.n\",\"op\":\"eq\",\"value\":1},\"next\":\"a\"}],\"default\":\"terminal\""),
                                        Documents.task("a", QUICK)))
                        .id();
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.fail(next("do_a"), new WorkError("rate_limited", 429, "slower", 3, null));
        fixture.complete(next("do_a"), "{}");
        moves.addAll(replay(retried));
        assertThat(moves).contains("go_to", "retry", "succeed");

        UUID exhausted =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", QUICK + ",\"on_failure\":\"b\""),
                                        Documents.task("b", "")))
                        .id();
        for (int i = 0; i < 3; i++) {
            fixture.fail(next("do_a"), "dependency_failed");
            fixture.later(Duration.ofSeconds(20));
        }
        fixture.fail(fixture.claim("do_b"), "validation_failed");
        moves.addAll(replay(exhausted));
        assertThat(moves).contains("fail");

        for (boolean done : new boolean[] {true, false}) {
            UUID guarded =
                    fixture.start(
                                    Documents.of(
                                            Documents.task(
                                                    "a",
                                                    QUICK + ",\"guard_handler\":\"task:check\"")))
                            .id();
            fixture.claim("do_a");
            fixture.later(Duration.ofSeconds(21));
            fixture.complete(next("check"), "{\"completed\":" + done + "}");
            moves.addAll(replay(guarded));
            fixture.engine.executions().cancel(fixture.request(guarded));
            moves.addAll(replay(guarded));
        }
        assertThat(moves).contains("ask_guard", "take_result_of_guard", "none");

        for (String policy : List.of("auto", "manual")) {
            UUID undone =
                    fixture.start(
                                    Documents.of(
                                            Documents.task(
                                                    "a",
                                                    QUICK
                                                            + ",NOT_SAFE,\"compensation_handler\":\"task:undo\",\"compensation_policy\":\""
                                                            + policy
                                                            + "\"")))
                            .id();
            fixture.claim("do_a");
            fixture.later(Duration.ofSeconds(31));
            if (policy.equals("auto")) {
                fixture.complete(fixture.claim("undo"), "{}");
            }
            moves.addAll(replay(undone));
        }
        assertThat(moves).contains("compensate", "ask_to_compensate");

        UUID late =
                fixture.start(Documents.of(Documents.within(60_000, Documents.task("a", QUICK))))
                        .id();
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.later(Duration.ofSeconds(61));
        assertThat(fixture.history(late)).containsExactly("a#1 failed", "a#2 skipped");
        replay(late);
    }

    /// A decision that is made after a pause rests on the time of the resume.
    @Test
    void a_decision_after_a_pause_is_made_again_too() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK))).id();
        WorkItem held = fixture.claim("do_a");
        fixture.engine.executions().pause(fixture.request(id));
        fixture.fail(held, "connect_failed");
        fixture.test.clock().advance(Duration.ofMinutes(1));
        fixture.engine.executions().resume(fixture.request(id));
        assertThat(replay(id)).containsExactly("retry");
    }
}
