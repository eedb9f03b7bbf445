package io.orchestrion.server.tasks;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.TestDatabase;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/// The whole database of a server as a test looks at it.
public record Storage(TestDatabase database) {

    public static Storage of(TestServer server) {
        return new Storage(server.database());
    }

    List<String> tables() {
        return database
                .rows(
                        "select quote_ident(table_schema) || '.' || quote_ident(table_name) as t"
                            + " from information_schema.tables where table_type = 'BASE TABLE' and"
                            + " table_schema not in ('pg_catalog', 'information_schema')")
                .stream()
                .map(row -> String.valueOf(row.get("t")))
                .toList();
    }

    /// How much is stored, the counters of the rate limits apart: those count refusals, too.
    public Map<String, Long> rowCounts() {
        var counts = new TreeMap<String, Long>();
        for (String table : tables()) {
            if (table.endsWith(".allowance")) {
                continue;
            }
            counts.put(table, database.value("select count(*) from " + table));
        }
        return counts;
    }

    /// Every row of every table as text.
    public List<String> dump() {
        var rows = new ArrayList<String>();
        for (String table : tables()) {
            database.rows("select t::text as row from " + table + " t")
                    .forEach(row -> rows.add(table + " " + row.get("row")));
        }
        return rows;
    }

    /// All that is stored of one account's tasks.
    public List<String> tasksOf(String accountId) {
        var rows = new ArrayList<String>();
        for (String table : List.of("work", "work_event")) {
            database.rows(
                            "select t::text as row from "
                                    + table
                                    + " t where account_id = ? order by 1",
                            UUID.fromString(accountId))
                    .forEach(row -> rows.add(table + " " + row.get("row")));
        }
        return rows;
    }

    public long taskCount(String accountId) {
        return database.value(
                "select count(*) from work where account_id = ?", UUID.fromString(accountId));
    }
}
