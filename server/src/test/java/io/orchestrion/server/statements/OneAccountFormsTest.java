package io.orchestrion.server.statements;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A statement that serves many accounts at once and the same said account by account give the same
/// answers and leave the same rows.
class OneAccountFormsTest {
    private static final String OF_ONE = "_of_one";

    /// Statements of the engine of runs, which its module compares where it makes the rows.
    private static final String OF_RUNS = "check/";

    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z0-9_]*)");

    /// What one row of what is asked for is about.
    private record Row(UUID account, String queue, UUID item, boolean flow) {}

    private final TestKernel kernel =
            new TestKernel(options -> options.withSchema(EveryPart.SCHEMA));
    private final List<Row> rows = new ArrayList<>();

    @BeforeEach
    void make() {
        UUID first = kernel.account();
        UUID second = kernel.account();
        UUID ready = submit(first);
        submit(first);
        UUID other = submit(second);
        rows.add(new Row(first, "tasks", ready, true));
        rows.add(new Row(second, "tasks", other, false));
        rows.add(new Row(second, "queue", other, true));
        kernel.database().execute("update event_chunk set position = 1000 + number");
        submit(second);
        for (Row row : List.of(rows.get(0), rows.get(1))) {
            kernel.database()
                    .execute(
                            "insert into job_event (account_id, work_id, at_ms, id, level, message)"
                                    + " values (?, ?, 5, ?, 'info', 'said')",
                            row.account(),
                            row.item(),
                            UUID.randomUUID());
            kernel.database()
                    .execute(
                            "insert into run_output_head values (?, ?, 5)",
                            row.account(),
                            row.item());
        }
        kernel.database().execute("insert into event_fold values (?, 'tasks', 1)", first);
    }

    @AfterEach
    void close() {
        kernel.close();
    }

    private UUID submit(UUID account) {
        return ((Submitted.Created)
                        kernel.kernel()
                                .work()
                                .submit(
                                        Submission.of(
                                                NewWork.of(account, Profiles.TASKS, "kind", "{}"))))
                .view()
                .item()
                .id();
    }

    @Test
    void said_of_each_account_they_answer_the_same_as_of_all_at_once() throws SQLException {
        Map<String, String> all = NamedStatements.all();
        List<String> names =
                all.keySet().stream()
                        .filter(name -> name.endsWith(OF_ONE) && !name.startsWith(OF_RUNS))
                        .toList();
        assertThat(names).hasSizeGreaterThanOrEqualTo(11);
        try (Connection connection = kernel.database().connect()) {
            connection.setAutoCommit(false);
            for (String name : names) {
                String many = all.get(name.substring(0, name.length() - OF_ONE.length()));
                List<Object> answers = said(connection, many, rows);
                List<Object> left = folds(connection);
                connection.rollback();

                var oneByOne = new ArrayList<Map<String, Object>>();
                for (UUID account : rows.stream().map(Row::account).distinct().sorted().toList()) {
                    List<Row> mine =
                            rows.stream().filter(row -> row.account().equals(account)).toList();
                    oneByOne.addAll(answered(connection, all.get(name), mine));
                }
                assertThat(Set.copyOf(merged(oneByOne))).as(name).isEqualTo(Set.copyOf(answers));
                assertThat(folds(connection)).as(name).isEqualTo(left);
                connection.rollback();
                boolean writes = !many.startsWith("select") && !many.startsWith("with");
                assertThat(writes || !answers.isEmpty()).as(name).isTrue();
            }
        }
    }

    private static List<Object> said(Connection connection, String text, List<Row> rows)
            throws SQLException {
        return merged(answered(connection, text, rows));
    }

    private static List<Object> folds(Connection connection) throws SQLException {
        return merged(
                answered(
                        connection,
                        "select * from event_fold order by account_id, queue",
                        List.of()));
    }

    private static List<Map<String, Object>> answered(
            Connection connection, String text, List<Row> rows) throws SQLException {
        var parameters = new ArrayList<String>();
        Matcher matcher = PARAMETER.matcher(text);
        while (matcher.find()) {
            parameters.add(matcher.group(1));
        }
        var answers = new ArrayList<Map<String, Object>>();
        try (PreparedStatement statement =
                connection.prepareStatement(PARAMETER.matcher(text).replaceAll("?"))) {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, value(connection, parameters.get(i), rows));
            }
            if (statement.execute()) {
                try (ResultSet result = statement.getResultSet()) {
                    while (result.next()) {
                        answers.add(row(result));
                    }
                }
            }
        }
        return answers;
    }

    private static Object value(Connection connection, String parameter, List<Row> rows)
            throws SQLException {
        return switch (parameter) {
            case "account" -> rows.getFirst().account();
            case "accounts" -> array(connection, "uuid", rows, Row::account);
            case "queues" -> array(connection, "text", rows, Row::queue);
            case "kinds" -> array(connection, "text", rows, _ -> "kind");
            case "ids", "runs" -> array(connection, "uuid", rows, Row::item);
            case "seen", "positions" -> array(connection, "int8", rows, _ -> 3L);
            case "flows" -> array(connection, "bool", rows, Row::flow);
            case "now" -> Long.MAX_VALUE / 2;
            case "most" -> 100;
            default -> throw new AssertionError("no value for " + parameter);
        };
    }

    private static Object array(
            Connection connection, String type, List<Row> rows, Function<Row, Object> value)
            throws SQLException {
        return connection.createArrayOf(type, rows.stream().map(value).toArray());
    }

    private static Map<String, Object> row(ResultSet result) throws SQLException {
        var row = new TreeMap<String, Object>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            row.put(result.getMetaData().getColumnLabel(i), String.valueOf(result.getObject(i)));
        }
        return row;
    }

    /// Sums of single accounts are added up, as the totals are by those who ask for them.
    private static List<Object> merged(List<Map<String, Object>> answers) {
        var sums = new TreeMap<String, long[]>();
        var merged = new ArrayList<Object>();
        for (Map<String, Object> answer : answers) {
            if (answer.containsKey("millis")) {
                var key = new TreeMap<>(answer);
                long[] sum = sums.computeIfAbsent(without(key), _ -> new long[2]);
                sum[0] += Long.parseLong((String) answer.get("count"));
                sum[1] += Long.parseLong((String) answer.get("millis"));
            } else {
                merged.add(answer);
            }
        }
        sums.forEach((key, sum) -> merged.add(key + " " + sum[0] + " " + sum[1]));
        return merged;
    }

    private static String without(TreeMap<String, Object> row) {
        row.remove("count");
        row.remove("millis");
        return row.toString();
    }
}
