package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.BackoffStrategy;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.orchestrations.execution.Verdict.Letter;
import io.orchestrion.orchestrations.execution.Verdict.Move;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;

/// A decision as it is stored with the attempt that it is about: what it rested on, and what
/// followed. With the attempt's row and the step's definition it holds all that the decision was
/// made from, so that it can be made again.
final class Decisions {
    private static final JsonMapper JSON = JsonMapper.shared();

    private Decisions() {}

    static String json(Decider.Facts facts, Verdict verdict) {
        ObjectNode decision = JSON.createObjectNode();
        move(decision, verdict.move());
        Letter letter = verdict.letter();
        if (letter != null) {
            decision.put("dead_letter", letter.reason().word());
        }
        ObjectNode because = decision.putObject("because");
        StepError error = facts.attempt().ended().error();
        if (error != null) {
            because(because, facts, error);
        }
        because.put("decided_at", time(facts.nowMs()));
        return decision.toString();
    }

    private static void because(ObjectNode because, Decider.Facts facts, StepError error) {
        StepAttempt attempt = facts.attempt();
        because.put("error_class", error.errorClass().name());
        because.put("error_code", error.code());
        because.put("idempotency_strategy", attempt.key().declared().name());
        because.put("attempts_used", attempt.place().used());
        because.put("max_attempts", facts.spec().retryPolicy().maxAttempts());
        if (attempt.ended().retryAfterSeconds() != null) {
            because.put("retry_after_seconds", attempt.ended().retryAfterSeconds());
        }
        if (attempt.times().deadlineMs() != null) {
            because.put("step_deadline_at", time(attempt.times().deadlineMs()));
        }
        if (error.errorClass() == ErrorClass.DEPENDENCY_FAILED) {
            because.put("delay_factor", facts.dependencyFactor());
        }
        if (facts.spec().retryPolicy().strategy() == BackoffStrategy.JITTERED) {
            because.put("jitter", facts.draw());
        }
    }

    private static void move(ObjectNode decision, Move move) {
        switch (move) {
            case Move.Retry(long at, boolean guarded) -> {
                decision.put("move", guarded ? "ask_guard" : "retry");
                decision.put("at", time(at));
            }
            case Move.TakeGuarded _ -> decision.put("move", "take_result_of_guard");
            case Move.GoTo(var stepId) -> decision.put("move", "go_to").put("step_id", stepId);
            case Move.Succeed _ -> decision.put("move", "succeed");
            case Move.Compensate _ -> decision.put("move", "compensate");
            case Move.AskToCompensate _ -> decision.put("move", "ask_to_compensate");
            case Move.Fail(boolean compensated) ->
                    decision.put("move", "fail").put("compensated", compensated);
        }
    }

    /// Of an attempt that was overtaken by somebody's act.
    static String overtaken(String by) {
        return JSON.createObjectNode().put("move", "none").put("because", by).toString();
    }

    /// What a person is shown who is asked whether a step is to be undone.
    static String question(StepAttempt failed) {
        ObjectNode question = JSON.createObjectNode();
        question.put("step_id", failed.place().stepId());
        question.put("step_execution_id", failed.id().toString());
        question.put("attempt_number", failed.place().number());
        question.put("idempotency_key", failed.key().value());
        StepError error = failed.ended().error();
        if (error != null) {
            question.put("error_class", error.errorClass().name());
            question.put("error_code", error.code());
            question.put("error_summary", error.summary());
        }
        return question.toString();
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }
}
