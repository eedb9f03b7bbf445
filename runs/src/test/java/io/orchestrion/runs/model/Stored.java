package io.orchestrion.runs.model;

import io.orchestrion.testkit.TestDatabase;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// What is stored of some runs, in the words of [Expected#text], and the ids of what it names.
final class Stored {
    private final TestDatabase database;
    private final UUID[] some;
    private final Map<UUID, StringBuilder> texts = new HashMap<>();

    /// Ids of agents, tasks and steps' approvals by run and name, and names of attempts by id.
    private final Map<String, UUID> ids = new HashMap<>();

    private final Map<UUID, UUID> stepOfAttempt = new HashMap<>();
    private final Map<UUID, String> nameOfStep = new HashMap<>();
    private final Map<UUID, String> nameOfAttempt = new HashMap<>();
    private final Map<UUID, UUID> tickets = new HashMap<>();

    /// @param some runs that are looked at
    Stored(TestDatabase database, List<UUID> some) {
        this.some = some.toArray(UUID[]::new);
        this.database = database;
        for (var row :
                rows(
                        """
                        select r.*,
                               (select string_agg(t.to_status, '>' order by t.number) from run_transition t
                                 where t.account_id = r.account_id and t.run_id = r.id) as chain,
                               coalesce((select string_agg(e.transaction_type || ' ' || (e.amount * 1000000)::bigint, ', '
                                                           order by e.seq)
                                  from credit_entry e where e.account_id = r.account_id and e.run_id = r.id), '') as ledger
                          from run r where r.id = any(?)
                        """)) {
            UUID id = uuid(row, "id");
            texts.put(id, head(row));
        }
        for (var row : rows("select * from run_ticket where run_id = any(?) order by id")) {
            text(row)
                    .append(
                            "\nticket %s %s added=%s holds=%s"
                                    .formatted(
                                            row.get("status"),
                                            row.get("trigger"),
                                            row.get("added"),
                                            row.get("holds")));
            tickets.put(uuid(row, "run_id"), uuid(row, "id"));
        }
        readTree();
    }

    private List<Map<String, @Nullable Object>> rows(String sql) {
        return database.rows(sql, (Object) some);
    }

    private static StringBuilder head(Map<String, @Nullable Object> row) {
        String status = String.valueOf(row.get("status"));
        return new StringBuilder("run " + status)
                .append(row.get("deleted_ms") == null ? "" : " deleted")
                .append(" attempt=" + row.get("attempt_number"))
                .append(" version=" + row.get("plan_version"))
                .append(" replans=" + row.get("replan_count"))
                .append(" error=" + row.get("last_error_code"))
                .append(status.equals("paused") ? " why=" + row.get("pause_reason") : "")
                .append(" reserved=" + credits(row, "credits_reserved"))
                .append(" charged=" + credits(row, "credits_charged"))
                .append(" refunded=" + credits(row, "credits_refunded"))
                .append(" held=" + credits(row, "credits_held"))
                .append(" agents=" + row.get("agent_count"))
                .append(" tasks=" + row.get("task_count"))
                .append(row.get("deadline_ms") == null ? "" : " until=" + row.get("deadline_ms"))
                .append('\n')
                .append(row.get("chain"))
                .append('\n')
                .append(row.get("ledger"));
    }

    private void readTree() {
        Map<UUID, StringBuilder> attempts = attempts();
        Map<UUID, UUID> approvals = new HashMap<>();
        for (var row :
                rows("select * from run_approval where status = 'pending' and run_id = any(?)")) {
            approvals.put(uuid(row, "step_id"), uuid(row, "id"));
        }
        Map<UUID, StringBuilder> agents = new LinkedHashMap<>();
        Map<UUID, String> names = new HashMap<>();
        Map<UUID, UUID> runs = new HashMap<>();
        for (var row : rows("select * from run_agent where run_id = any(?) order by id")) {
            String name =
                    row.get("attempt_number")
                            + "."
                            + row.get("plan_version")
                            + (Objects.equals(row.get("role"), "planner") ? "P" : "W")
                            + row.get("sequence_number");
            names.put(uuid(row, "id"), name);
            runs.put(uuid(row, "id"), uuid(row, "run_id"));
            ids.put(uuid(row, "run_id") + name, uuid(row, "id"));
            agents.put(
                    uuid(row, "id"),
                    new StringBuilder("\nagent " + name + " " + row.get("status"))
                            .append(" x" + row.get("agent_attempt"))
                            .append(Boolean.TRUE.equals(row.get("superseded")) ? " superseded" : "")
                            .append(until(row)));
        }
        Map<UUID, StringBuilder> tasks = new LinkedHashMap<>();
        Map<UUID, UUID> agentOf = new HashMap<>();
        for (var row :
                rows(
                        "select * from run_task where run_id = any(?) order by agent_id,"
                                + " sequence_number")) {
            UUID agent = uuid(row, "agent_id");
            String name = names.get(agent) + "/" + row.get("sequence_number");
            names.put(uuid(row, "id"), name);
            agentOf.put(uuid(row, "id"), agent);
            ids.put(uuid(row, "run_id") + name, uuid(row, "id"));
            tasks.put(
                    uuid(row, "id"),
                    new StringBuilder("\n task " + row.get("sequence_number"))
                            .append(" " + row.get("status") + " x" + row.get("task_attempt"))
                            .append(until(row)));
        }
        for (var row :
                rows(
                        "select * from run_step where run_id = any(?) order by task_id,"
                                + " sequence_number")) {
            UUID id = uuid(row, "id");
            String name = names.get(uuid(row, "task_id")) + "/" + row.get("sequence_number");
            UUID approval = approvals.get(id);
            if (approval != null) {
                ids.put(uuid(row, "run_id") + name, approval);
            }
            nameOfStep.put(id, name);
            StringBuilder line =
                    new StringBuilder("\n  step " + row.get("sequence_number"))
                            .append(" " + row.get("status") + " n=" + row.get("attempt_number"))
                            .append(
                                    row.get("error_code") == null
                                            ? ""
                                            : " " + row.get("error_code"))
                            .append(approval == null ? "" : " asks");
            Objects.requireNonNull(tasks.get(uuid(row, "task_id")))
                    .append(line)
                    .append(attempts.getOrDefault(id, new StringBuilder()));
        }
        tasks.forEach(
                (id, text) -> Objects.requireNonNull(agents.get(agentOf.get(id))).append(text));
        agents.forEach((id, text) -> Objects.requireNonNull(texts.get(runs.get(id))).append(text));
    }

    private Map<UUID, StringBuilder> attempts() {
        Map<UUID, StringBuilder> attempts = new HashMap<>();
        for (var row :
                rows(
                        """
                        select t.*, w.lease_until_ms
                          from run_step_attempt t
                          left join work w on w.account_id = t.account_id and w.id = t.id and t.status = 'running'
                         where t.run_id = any(?)
                         order by t.id
                        """)) {
            UUID id = uuid(row, "id");
            String name =
                    "#%s.%s.%s"
                            .formatted(
                                    row.get("agent_attempt"),
                                    row.get("task_attempt"),
                                    row.get("attempt_number"));
            nameOfAttempt.put(id, name);
            stepOfAttempt.put(id, uuid(row, "step_id"));
            boolean running = Objects.equals(row.get("status"), "running");
            boolean open = running || Objects.equals(row.get("status"), "pending");
            attempts.computeIfAbsent(uuid(row, "step_id"), _ -> new StringBuilder())
                    .append(' ')
                    .append(name)
                    .append(row.get("status"))
                    .append(row.get("error_code") == null ? "" : "/" + row.get("error_code"))
                    .append(row.get("not_before_ms") == null ? "" : "@" + row.get("not_before_ms"))
                    .append(row.get("ended_ms") == null ? "" : "!" + row.get("ended_ms"))
                    .append(open || Boolean.TRUE.equals(row.get("applied")) ? "" : "?")
                    .append(running ? "~" + row.get("lease_until_ms") : "");
        }
        return attempts;
    }

    private static String until(Map<String, @Nullable Object> row) {
        return Objects.equals(row.get("status"), "running") && row.get("deadline_ms") != null
                ? " until=" + row.get("deadline_ms")
                : "";
    }

    private StringBuilder text(Map<String, @Nullable Object> row) {
        return Objects.requireNonNull(texts.get(uuid(row, "run_id")));
    }

    static UUID uuid(Map<String, @Nullable Object> row, String name) {
        return (UUID) Objects.requireNonNull(row.get(name));
    }

    private static long credits(Map<String, @Nullable Object> row, String name) {
        return ((BigDecimal) Objects.requireNonNull(row.get(name)))
                .movePointRight(6)
                .longValueExact();
    }

    String text(UUID run) {
        return String.valueOf(texts.get(run));
    }

    /// Of an agent, of a task, or of what is asked about a step; an id of nothing where none is.
    UUID id(UUID run, String name) {
        return ids.getOrDefault(run + name, new UUID(0, 0));
    }

    UUID ticket(UUID run) {
        return tickets.getOrDefault(run, new UUID(0, 0));
    }

    String stepOf(UUID attempt) {
        return String.valueOf(nameOfStep.get(stepOfAttempt.get(attempt)));
    }

    String nameOf(UUID attempt) {
        return String.valueOf(nameOfAttempt.get(attempt));
    }
}
