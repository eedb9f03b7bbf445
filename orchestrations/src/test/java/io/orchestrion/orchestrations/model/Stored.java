package io.orchestrion.orchestrations.model;

import io.orchestrion.testkit.TestDatabase;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// What is stored of the executions of one account, in the words of [Expected#text].
final class Stored {
    private final Map<UUID, String> heads = new HashMap<>();
    private final Map<UUID, List<String>> lines = new HashMap<>();
    private final Map<UUID, Map<String, UUID>> letters = new HashMap<>();
    private final Map<UUID, Map<String, UUID>> asks = new HashMap<>();

    Stored(TestDatabase database, UUID account, long now) {
        for (var row :
                database.rows(
                        "select id, status, attempt_count, compensated, reviewed, active_ms"
                                + " from orchestration_execution where account_id = ?",
                        account)) {
            heads.put(
                    uuid(row, "id"),
                    "execution %s restarts=%s compensated=%s reviewed=%s active=%s"
                            .formatted(
                                    row.get("status"),
                                    row.get("attempt_count"),
                                    row.get("compensated"),
                                    row.get("reviewed"),
                                    row.get("active_ms")));
        }
        readSteps(database, account, now);
        readLetters(database, account);
        readAsks(database, account);
    }

    private static UUID uuid(Map<String, @Nullable Object> row, String name) {
        return (UUID) Objects.requireNonNull(row.get(name));
    }

    private static long number(Map<String, @Nullable Object> row, String name) {
        return row.get(name) instanceof Number number ? number.longValue() : -1;
    }

    private void line(UUID execution, String line) {
        lines.computeIfAbsent(execution, _ -> new ArrayList<>()).add(line);
    }

    private void readSteps(TestDatabase database, UUID account, long now) {
        for (var row :
                database.rows(
                        """
                        select s.*, i.state, i.wait_reason, i.run_at_ms, i.lease_until_ms, i.profile
                          from orchestration_step s
                          left join item i on i.account_id = s.account_id and i.id = s.id
                               and s.status in ('pending', 'running', 'retrying', 'awaiting_approval')
                         where s.account_id = ?
                        """,
                        account)) {
            var out =
                    new StringBuilder()
                            .append(row.get("step_id"))
                            .append(' ')
                            .append(row.get("kind"))
                            .append('#')
                            .append(row.get("attempt_number"))
                            .append(' ')
                            .append(row.get("status"));
            if (row.get("error_class") != null) {
                out.append(' ').append(row.get("error_class"));
            }
            out.append(" epoch=").append(row.get("key_epoch"));
            if (row.get("retry_after_ms") != null) {
                out.append(" retry=").append(row.get("retry_after_ms"));
            }
            out.append(" began=")
                    .append(number(row, "started_ms"))
                    .append(" ended=")
                    .append(number(row, "finished_ms"));
            if (row.get("finished_ms") == null) {
                out.append(' ').append(item(row, now));
            }
            line(uuid(row, "execution_id"), out.toString());
        }
    }

    private static String item(Map<String, @Nullable Object> row, long now) {
        long at = number(row, "run_at_ms");
        String state = row.get("state") + "/" + row.get("wait_reason");
        if ("timers".equals(row.get("profile"))) {
            return "timer at " + at;
        }
        return switch (state) {
            case "waiting/hold" -> "held back";
            case "waiting/schedule", "waiting/backoff" -> at <= now ? "ready" : "waiting";
            case "ready/null" -> "ready";
            case "running/null" -> "held until " + row.get("lease_until_ms");
            default -> "item " + state;
        };
    }

    private void readLetters(TestDatabase database, UUID account) {
        for (var row :
                database.rows(
                        """
                        select d.*, s.kind, s.attempt_number
                          from orchestration_dead_letter d
                          join orchestration_step s
                               on s.account_id = d.account_id and s.id = d.step_execution_id
                         where d.account_id = ? order by d.id
                        """,
                        account)) {
            UUID execution = uuid(row, "execution_id");
            String line =
                    "letter %s %s#%s %s %s %s %s"
                            .formatted(
                                    row.get("step_id"),
                                    row.get("kind"),
                                    row.get("attempt_number"),
                                    row.get("reason"),
                                    row.get("status"),
                                    row.get("action_required"),
                                    row.get("compensation"));
            line(execution, line);
            letters.computeIfAbsent(execution, _ -> new LinkedHashMap<>())
                    .put(line, uuid(row, "id"));
        }
    }

    private void readAsks(TestDatabase database, UUID account) {
        for (var row :
                database.rows(
                        """
                        select p.*, s.kind as of_kind, s.attempt_number
                          from orchestration_approval p
                          join orchestration_step s
                               on s.account_id = p.account_id and s.id = p.step_execution_id
                         where p.account_id = ? order by p.id
                        """,
                        account)) {
            UUID execution = uuid(row, "execution_id");
            String line =
                    "approval %s %s#%s %s %s due %s"
                            .formatted(
                                    row.get("step_id"),
                                    row.get("of_kind"),
                                    row.get("attempt_number"),
                                    row.get("kind"),
                                    row.get("status"),
                                    number(row, "due_ms"));
            line(execution, line);
            asks.computeIfAbsent(execution, _ -> new LinkedHashMap<>()).put(line, uuid(row, "id"));
        }
    }

    String text(UUID execution) {
        List<String> mine = lines.getOrDefault(execution, List.of());
        var all = new ArrayList<String>();
        all.add(String.valueOf(heads.get(execution)));
        // In the order of the model: attempts, dead letters, approvals.
        for (int group = 0; group < 3; group++) {
            int wanted = group;
            mine.stream().filter(each -> group(each) == wanted).sorted().forEach(all::add);
        }
        return String.join("\n", all);
    }

    private static int group(String line) {
        return line.startsWith("letter ") ? 1 : line.startsWith("approval ") ? 2 : 0;
    }

    UUID letter(UUID execution, Letter letter) {
        return letters.get(execution).get(letter.text());
    }

    UUID ask(UUID execution, Ask ask) {
        return asks.get(execution).get(ask.text());
    }

    UUID newestLetter(UUID execution) {
        return List.copyOf(letters.get(execution).values()).getLast();
    }

    UUID newestAsk(UUID execution) {
        return List.copyOf(asks.get(execution).values()).getLast();
    }
}
