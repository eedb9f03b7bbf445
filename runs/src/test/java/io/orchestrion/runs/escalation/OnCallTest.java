package io.orchestrion.runs.escalation;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// Who is on call is told of each ticket once. The engine of runs is played by an owner that does
/// what it is asked.
class OnCallTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final CallOutcome WELL = new CallOutcome.Answered(204, Map.of(), new byte[0]);

    private final TestKernel test =
            new TestKernel(
                    options -> options.withSchema(options.schema().plus(List.of(RunsSchema.PART))));
    private final Receiver receiver = new Receiver();
    private final OnCall onCall =
            new OnCall(
                    test.kernel(),
                    receiver,
                    OnCallOptions.of("https://on-call.example/hook", "t-secret"),
                    new Random(285));
    private final UUID account = test.account();
    private final UUID run = UUID.randomUUID();
    private final UUID ticket = UUID.randomUUID();

    private static final class Receiver implements Egress {
        private final List<Call> calls = new CopyOnWriteArrayList<>();
        private volatile Function<Integer, CallOutcome> answer = _ -> WELL;

        @Override
        public @Nullable String knownFault(String url) {
            return null;
        }

        @Override
        public @Nullable String fault(UUID owner, String url) {
            return null;
        }

        @Override
        public CallOutcome call(UUID owner, Call call) {
            calls.add(call);
            return answer.apply(calls.size());
        }
    }

    private final class Engine implements WorkOwner {
        @Override
        public String kind() {
            return "run";
        }

        @Override
        public Set<UUID> lock(Tx tx, UUID of, List<UUID> ids) {
            return Set.copyOf(ids);
        }

        @Override
        public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException {
            submit(tx, verbs, onCall.ended(tx, end));
        }
    }

    private void submit(Tx tx, WorkVerbs verbs, OnCall.@Nullable Item item) throws SQLException {
        if (item != null) {
            verbs.submit(
                            tx,
                            account,
                            List.of(
                                    Submission.of(item.work().ownedBy(new OwnerRef("run", run)))
                                            .as(item.id())))
                    .forEach(each -> each.made());
        }
    }

    @BeforeEach
    void ticket() {
        test.kernel().add(new Engine());
        String row =
                "insert into %s select * from jsonb_populate_record(null::%s, ?::jsonb ||"
                        + " ?::jsonb)";
        test.database()
                .execute(
                        row.formatted("run", "run"),
                        """
                        {"status": "created", "seq": 1, "name": "n", "task": "t", "planner_mode": "static", "priority": "normal",
                         "failure_mode": "fail-fast", "created_by": "test", "max_attempts": 3, "max_agents": 10,
                         "max_replans": 3, "max_tokens": 100000, "max_concurrent_tasks": 5, "max_concurrent_steps": 3,
                         "pending_timeout_ms": 1, "running_timeout_ms": 1, "paused_timeout_ms": 1, "resuming_timeout_ms": 1,
                         "retrying_timeout_ms": 1, "agent_timeout_ms": 1, "task_timeout_ms": 1, "step_timeout_ms": 1,
                         "planning_timeout_ms": 1, "attempt_number": 1, "plan_version": 1, "replan_count": 0,
                         "agent_count": 0, "task_count": 0, "step_count": 0, "agents_open": 0, "agents_completed": 0,
                         "agents_completed_before": 0,                         "agents_skipped": 0, "agents_lost": 0, "tasks_lost": 0, "steps_in_flight": 0,
                         "credits_reserved": 0, "credits_charged": 0, "credits_refunded": 0, "credits_held": 0,
                         "credits_over": 0, "short_of_credits": false, "created_ms": 1, "active_ms": 0,
                         "escalated": false, "window_from_ms": 0}
                        """,
                        ids(run));
        test.database()
                .execute(
                        row.formatted("run_ticket", "run_ticket"),
                        """
                        {"seq": 1, "status": "open", "severity": "high", "trigger": "error_count", "added": 0,
                         "error": "It failed.", "holds": true, "created_ms": 1}
                        """,
                        JSON.writeValueAsString(
                                Map.of("account_id", account, "id", ticket, "run_id", run)));
    }

    private String ids(UUID id) {
        return JSON.writeValueAsString(Map.of("account_id", account, "id", id));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private boolean open() {
        var called =
                new Called(
                        ticket,
                        run,
                        "high",
                        "error_count",
                        "TimeoutError",
                        "It took too long.",
                        true,
                        1_000);
        return test.kernel()
                .database()
                .retried(
                        tx -> {
                            OnCall.Item item = onCall.opened(tx, account, called);
                            submit(tx, test.kernel().verbs(), item);
                            return item != null;
                        });
    }

    private Notice notice() {
        return test.kernel().database().transaction(tx -> NoticeSql.find(tx, account, ticket));
    }

    private void until(String what, Function<Notice, Boolean> condition) {
        Until.isTrue(
                what,
                Duration.ofSeconds(30),
                () -> {
                    for (String duty : List.of("lease-reaper", "due-promoter", "run-on-call")) {
                        test.kernel().sweepOnce(duty);
                    }
                    return condition.apply(notice());
                });
    }

    ///
    @Test
    void a_ticket_is_told_once_with_severity_high() {
        assertThat(open()).isTrue();
        assertThat(open()).isFalse();
        until("it is sent", notice -> notice.status() == Notice.Status.SENT);

        assertThat(receiver.calls).hasSize(1);
        Call call = receiver.calls.getFirst();
        assertThat(call.headers())
                .containsEntry("Idempotency-Key", "ticket_" + ticket)
                .containsEntry("Authorization", "Bearer t-secret");
        JsonNode told = JSON.readTree(call.body());
        assertThat(told.get("severity").stringValue()).isEqualTo("high");
        assertThat(told.get("run_id").stringValue()).isEqualTo("run_" + run);
        assertThat(told.get("trigger").stringValue()).isEqualTo("error_count");
        assertThat(told.get("message").stringValue())
                .isEqualTo("Escalation ticket ticket_" + ticket + " for run run_" + run);
        assertThat(told.at("/error/code").stringValue()).isEqualTo("TimeoutError");
        assertThat(notice().attempts()).isEqualTo(1);
    }

    /// under the same key, and recorded once.
    @Test
    void a_receiver_that_fails_is_told_again() {
        receiver.answer =
                call ->
                        switch (call) {
                            case 1 -> new CallOutcome.Answered(503, Map.of(), new byte[0]);
                            case 2 ->
                                    new CallOutcome.Failed(
                                            CallOutcome.Reason.TIMED_OUT, "No answer.", true);
                            default -> WELL;
                        };
        open();
        until("it failed once", notice -> notice.attempts() == 2);
        assertThat(notice().lastError()).isEqualTo("The receiver answered 503.");
        test.clock().advance(Duration.ofSeconds(2));
        until("it failed twice", notice -> notice.attempts() == 3);
        test.clock().advance(Duration.ofSeconds(4));
        until("it is sent", notice -> notice.status() == Notice.Status.SENT);

        assertThat(receiver.calls)
                .extracting(call -> call.headers().get("Idempotency-Key"))
                .hasSize(3)
                .containsOnly("ticket_" + ticket);
        assertThat(notice().lastError()).isNull();
    }

    @Test
    void a_receiver_that_never_answers_is_given_up() {
        receiver.answer = _ -> new CallOutcome.Answered(500, Map.of(), new byte[0]);
        open();
        for (int attempt = 2; attempt <= OnCallOptions.RETRIES.maxAttempts(); attempt++) {
            int made = attempt;
            until("attempt " + made, notice -> notice.attempts() == made);
            test.clock().advance(Duration.ofMinutes(11));
        }
        until("it is given up", notice -> notice.status() == Notice.Status.FAILED);

        assertThat(receiver.calls).hasSize(OnCallOptions.RETRIES.maxAttempts());
    }

    /// A server that dies between the call and its end: the next one sends it again under the key.
    @Test
    void a_lost_attempt_is_made_again() {
        receiver.answer =
                call -> {
                    if (call == 1) {
                        throw new IllegalStateException("the server dies here");
                    }
                    return WELL;
                };
        open();
        until("it was lost", notice -> notice.attempts() == 2);
        test.clock().advance(Duration.ofSeconds(2));
        until("it is sent", notice -> notice.status() == Notice.Status.SENT);

        assertThat(receiver.calls).hasSize(2);
    }

    @Test
    void the_token_is_shown_nowhere() {
        assertThat(OnCallOptions.of("https://x.example", "t-secret").toString())
                .doesNotContain("t-secret");
    }
}
