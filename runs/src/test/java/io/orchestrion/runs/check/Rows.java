package io.orchestrion.runs.check;

import io.orchestrion.testkit.TestDatabase;

import tools.jackson.databind.json.JsonMapper;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// Rows of runs that are written without the engine, to be as they should never be.
public final class Rows {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final TestDatabase database;
    private final UUID account;
    private final long nowMs;

    public Rows(TestDatabase database, UUID account, long nowMs) {
        this.database = database;
        this.account = account;
        this.nowMs = nowMs;
    }

    private UUID insert(String table, String defaults, Map<String, ?> own) {
        UUID id = UUID.randomUUID();
        var row = new HashMap<String, Object>(own);
        row.putIfAbsent("id", id);
        row.put("account_id", account);
        database.execute(
                "insert into "
                        + table
                        + " select * from jsonb_populate_record(null::"
                        + table
                        + ", ?::jsonb || ?::jsonb)",
                defaults,
                JSON.writeValueAsString(row));
        return UUID.fromString(String.valueOf(row.get("id")));
    }

    /// A run in that status with one attempt; what it must have by its status is there.
    public UUID run(String status, Map<String, ?> own) {
        boolean over =
                switch (status) {
                    case "completed", "failed", "skipped" -> true;
                    default -> false;
                };
        var row = new HashMap<String, Object>();
        row.put("status", status);
        if (over) {
            row.put("completed_ms", nowMs);
            row.put("duration_ms", 1);
        }
        switch (status) {
            case "cancelled" -> {
                row.put("cancelled_ms", nowMs);
                row.put("duration_ms", 1);
            }
            case "failed" -> row.put("last_error", "it did not work");
            case "running" -> {
                row.put("running_since_ms", nowMs);
                row.put("last_heartbeat_ms", nowMs);
                row.put("agent_count", 1);
            }
            default -> {}
        }
        row.putAll(own);
        return insert(
                "run",
                """
                {"seq": 1, "name": "n", "task": "t", "planner_mode": "static", "priority": "normal",
                 "failure_mode": "fail-fast", "created_by": "test", "max_attempts": 3, "max_agents": 10,
                 "max_replans": 3, "max_tokens": 100000, "max_concurrent_tasks": 5, "max_concurrent_steps": 3,
                 "pending_timeout_ms": 1, "running_timeout_ms": 1, "paused_timeout_ms": 1, "resuming_timeout_ms": 1,
                 "retrying_timeout_ms": 1, "agent_timeout_ms": 1, "task_timeout_ms": 1, "step_timeout_ms": 1,
                 "planning_timeout_ms": 1, "attempt_number": 1, "plan_version": 1, "replan_count": 0,
                 "agent_count": 0, "task_count": 0, "step_count": 0, "agents_open": 0, "agents_completed": 0,
                 "agents_skipped": 0, "agents_lost": 0, "tasks_lost": 0, "agents_completed_before": 0, "steps_in_flight": 0,
                 "credits_reserved": 0, "credits_charged": 0, "credits_refunded": 0, "credits_held": 0,
                 "credits_over": 0, "short_of_credits": false, "created_ms": 1, "active_ms": 0,
                 "escalated": false, "window_from_ms": 0}
                """,
                row);
    }

    public UUID attempt(UUID run, Map<String, ?> own) {
        var row = new HashMap<String, Object>(own);
        row.put("run_id", run);
        return insert(
                "run_attempt",
                "{\"attempt_number\": 1, \"started_ms\": 1, \"credits_charged\": 0,"
                        + " \"credits_refunded\": 0}",
                row);
    }

    public UUID agent(UUID run, int number, String status, Map<String, ?> own) {
        var row = new HashMap<String, Object>();
        row.put("run_id", run);
        row.put("sequence_number", number);
        row.put("status", status);
        row.putAll(own);
        return insert(
                "run_agent",
                """
                {"attempt_number": 1, "plan_version": 1, "role": "worker", "subtask": "s", "seq": 1,
                 "failure_mode": "fail-fast", "parallelism_mode": "sequential", "loops": false, "rounds": 0,
                 "superseded": false, "agent_attempt": 1, "task_count": 0, "tasks_open": 0, "tasks_active": 0,
                 "tasks_completed": 0, "tasks_skipped": 0, "timeout_ms": 1, "active_ms": 0, "created_ms": 1}
                """,
                row);
    }

    /// An artifact that can be got.
    UUID artifact(UUID run, Map<String, ?> own) {
        var row = new HashMap<String, Object>();
        row.put("run_id", run);
        row.put("object_key", UUID.randomUUID().toString());
        row.put("name", UUID.randomUUID().toString());
        row.putAll(own);
        if (row.containsKey("expires_ms")) {
            row.put("due_ms", row.get("expires_ms"));
        }
        return insert(
                "run_artifact",
                "{\"content_type\": \"text/plain\", \"size\": 1, \"sha256\": \""
                        + "0".repeat(64)
                        + "\", \"state\": \"ready\", \"discarded\": false, \"created_ms\": 1,"
                        + " \"finished_ms\": 2}",
                row);
    }

    public UUID task(UUID run, UUID agent, Map<String, ?> own) {
        var row = new HashMap<String, Object>();
        row.put("run_id", run);
        row.put("agent_id", agent);
        row.putAll(own);
        return insert(
                "run_task",
                """
                {"sequence_number": 0, "name": "t", "status": "pending", "seq": 1, "failure_mode": "fail-fast",
                 "parallelism_mode": "sequential", "dependencies": "[]", "dependents": [], "needs": 0, "unmet": 0,
                 "round": 0, "active": false, "task_attempt": 1, "step_count": 0, "steps_open": 0,
                 "steps_active": 0, "steps_completed": 0, "steps_skipped": 0, "timeout_ms": 1, "active_ms": 0,
                 "created_ms": 1}
                """,
                row);
    }

    public UUID step(UUID run, UUID agent, UUID task) {
        return insert(
                "run_step",
                """
                {"sequence_number": 0, "name": "s", "tool": "t", "input": "{}", "status": "running", "seq": 1,
                 "dependencies": "[]", "dependents": [], "needs": 0, "unmet": 0, "max_attempts": 1, "attempts_made": 1, "kind": "tool",
                 "policy": "allow", "approved": false,
                 "attempt_number": 1, "timeout_ms": 1, "created_ms": 1, "idempotency_key": "k"}
                """,
                Map.of("run_id", run, "agent_id", agent, "task_id", task));
    }
}
