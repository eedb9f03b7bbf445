package io.orchestrion.server.runs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A run whose rows a test writes by itself, for the reads: it stands still, so that the test knows
/// what is to be seen.
final class StoredRun {
    private final TestServer server;
    private final UUID account;
    final UUID id;
    private final long nowMs;

    private StoredRun(TestServer server, UUID account, long nowMs) {
        this.server = server;
        this.account = account;
        this.nowMs = nowMs;
        id = server.kernel().kernel().ids().next(nowMs);
    }

    private UUID next() {
        return server.kernel().kernel().ids().next(nowMs);
    }

    /// The store's time.
    static long now(TestServer server) {
        return server.kernel().kernel().database().transaction(Tx::nowMillis);
    }

    /// A row by its columns.
    static final class Row {
        private final Map<String, Object> columns = new LinkedHashMap<>();

        Row with(String column, Object value) {
            columns.put(column, value);
            return this;
        }
    }

    private void insert(String table, Row row) {
        List<Object> values = new ArrayList<>(row.columns.values());
        server.database()
                .execute(
                        "insert into %s (%s) values (%s)"
                                .formatted(
                                        table,
                                        String.join(", ", row.columns.keySet()),
                                        String.join(", ", values.stream().map(_ -> "?").toList())),
                        values.toArray());
    }

    /// @param more further columns
    static StoredRun running(TestServer server, TaskApi of, Map<String, Object> more) {
        long nowMs = now(server);
        var run = new StoredRun(server, UUID.fromString(of.accountId()), nowMs);
        var row =
                new Row()
                        .with("account_id", run.account)
                        .with("id", run.id)
                        .with("seq", 1)
                        .with("status", "running")
                        .with("name", "stored")
                        .with("task", "do it")
                        .with("context", "{\"goal\":1}")
                        .with("planner_mode", "claim")
                        .with("priority", "normal")
                        .with("failure_mode", "fail-fast")
                        .with("created_by", "key:" + UUID.randomUUID());
        for (String most : List.of("max_attempts", "max_replans")) {
            row.with(most, 3);
        }
        for (String most : List.of("max_agents", "max_concurrent_tasks", "max_concurrent_steps")) {
            row.with(most, 10);
        }
        row.with("max_tokens", 100_000L);
        for (String time :
                List.of(
                        "pending",
                        "running",
                        "paused",
                        "resuming",
                        "retrying",
                        "agent",
                        "task",
                        "step",
                        "planning")) {
            row.with(time + "_timeout_ms", 60_000L);
        }
        row.with("attempt_number", 1).with("plan_version", 1);
        for (String zero :
                List.of(
                        "replan_count",
                        "agents_completed",
                        "agents_completed_before",
                        "agents_skipped",
                        "agents_lost",
                        "tasks_lost",
                        "credits_charged",
                        "credits_refunded",
                        "credits_held",
                        "credits_over",
                        "active_ms",
                        "window_from_ms")) {
            row.with(zero, 0);
        }
        for (String one : List.of("agent_count", "task_count", "step_count", "agents_open")) {
            row.with(one, 1);
        }
        row.with("steps_in_flight", 1)
                .with("credits_reserved", 100)
                .with("short_of_credits", false)
                .with("escalated", false)
                .with("created_ms", nowMs)
                .with("started_ms", nowMs)
                .with("running_ms", nowMs)
                .with("running_since_ms", nowMs)
                .with("last_heartbeat_ms", nowMs);
        more.forEach(row::with);
        run.insert("run", row);
        return run;
    }

    String path() {
        return "/api/v1/runs/run_" + id;
    }

    UUID agent(int sequence) {
        UUID agent = next();
        var row =
                new Row()
                        .with("account_id", account)
                        .with("id", agent)
                        .with("run_id", id)
                        .with("attempt_number", 1)
                        .with("plan_version", 1)
                        .with("sequence_number", sequence)
                        .with("role", "worker")
                        .with("subtask", "part " + sequence)
                        .with("status", "running")
                        .with("seq", 1)
                        .with("failure_mode", "continue")
                        .with("parallelism_mode", "dag")
                        .with("loops", false)
                        .with("superseded", false)
                        .with("agent_attempt", 1)
                        .with("timeout_ms", 1000L)
                        .with("created_ms", nowMs);
        for (String zero :
                List.of("rounds", "task_count", "tasks_open", "tasks_active", "tasks_completed")) {
            row.with(zero, 0);
        }
        insert("run_agent", row.with("tasks_skipped", 0).with("active_ms", 0L));
        return agent;
    }

    /// @param steps how many it is said to have
    UUID task(UUID agent, int sequence, int unmet, int steps) {
        UUID task = next();
        insert(
                "run_task",
                new Row()
                        .with("account_id", account)
                        .with("id", task)
                        .with("run_id", id)
                        .with("agent_id", agent)
                        .with("sequence_number", sequence)
                        .with("name", "task " + sequence)
                        .with("status", unmet > 0 ? "pending" : "running")
                        .with("seq", 1)
                        .with("failure_mode", "retry")
                        .with("parallelism_mode", "sequential")
                        .with("dependencies", unmet > 0 ? "task 0" : "")
                        .with("dependents", new UUID[0])
                        .with("needs", unmet)
                        .with("unmet", unmet)
                        .with("round", 0)
                        .with("active", unmet == 0)
                        .with("task_attempt", 1)
                        .with("step_count", steps)
                        .with("steps_open", steps)
                        .with("steps_active", 0)
                        .with("steps_completed", 0)
                        .with("steps_skipped", 0)
                        .with("timeout_ms", 1000L)
                        .with("active_ms", 0L)
                        .with("created_ms", nowMs));
        return task;
    }

    UUID step(UUID agent, UUID task, int sequence) {
        UUID step = next();
        insert(
                "run_step",
                new Row()
                        .with("account_id", account)
                        .with("id", step)
                        .with("run_id", id)
                        .with("agent_id", agent)
                        .with("task_id", task)
                        .with("sequence_number", sequence)
                        .with("name", "step " + sequence)
                        .with("kind", "tool")
                        .with("tool", "search")
                        .with("input", "{\"q\":1}")
                        .with("status", "pending")
                        .with("seq", 1)
                        .with("idempotency_key", "key-" + step)
                        .with("dependencies", "")
                        .with("dependents", new UUID[0])
                        .with("needs", 0)
                        .with("unmet", 0)
                        .with("max_attempts", 3)
                        .with("policy", "allow")
                        .with("approved", false)
                        .with("attempt_number", 1)
                        .with("attempts_made", 0)
                        .with("created_ms", nowMs));
        return step;
    }

    /// An attempt that is under way.
    UUID attempt(UUID step, int number, String status) {
        return attempt(next(), step, number, status);
    }

    /// @param attempt also the id of what a worker claims
    UUID attempt(UUID attempt, UUID step, int number, String status) {
        insert(
                "run_step_attempt",
                new Row()
                        .with("account_id", account)
                        .with("id", attempt)
                        .with("run_id", id)
                        .with("step_id", step)
                        .with("run_attempt", 1)
                        .with("agent_attempt", 1)
                        .with("task_attempt", 1)
                        .with("attempt_number", number)
                        .with("message_id", "m-" + attempt)
                        .with("status", status)
                        .with("applied", true)
                        .with("credits_held", 0)
                        .with("created_ms", nowMs));
        return attempt;
    }

    void opens(UUID step, UUID open) {
        server.database()
                .execute(
                        "update run_step set open_id = ?, attempts_made = attempts_made + 1"
                                + " where account_id = ? and id = ?",
                        open,
                        account,
                        step);
    }

    void used(UUID attempt, String credits) {
        insert(
                "run_usage",
                new Row()
                        .with("account_id", account)
                        .with("step_attempt_id", attempt)
                        .with("run_id", id)
                        .with("attempt", 1)
                        .with("tokens", 7L)
                        .with("cost", new BigDecimal(credits))
                        .with("charged", new BigDecimal(credits))
                        .with("overage", BigDecimal.ZERO)
                        .with("created_ms", nowMs));
    }
}
