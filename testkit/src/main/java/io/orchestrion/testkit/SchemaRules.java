package io.orchestrion.testkit;

import java.util.List;

/// What the tables of every module are held to, so that they can be spread by account.
public final class SchemaRules {
    private SchemaRules() {}

    /// The primary and unique keys that `account_id` does not lead.
    public static List<String> keysWithoutAccount(TestDatabase database) {
        return names(
                database,
                """
                select c.relname as name
                  from pg_index i
                  join pg_class c on c.oid = i.indexrelid
                  join pg_class t on t.oid = i.indrelid
                  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                 where t.relnamespace = 'orchestrion'::regnamespace
                   and (i.indisunique or i.indisprimary)
                   and a.attname <> 'account_id'
                """);
    }

    /// The tables without a primary key that has `account_id` in it.
    public static List<String> tablesWithoutAccount(TestDatabase database) {
        return names(
                database,
                """
                select t.relname as name from pg_class t
                 where t.relnamespace = 'orchestrion'::regnamespace
                   and t.relkind = 'r'
                   and not exists (
                     select from pg_index i
                       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
                      where i.indrelid = t.oid and i.indisprimary
                        and a.attname = 'account_id')
                """);
    }

    private static List<String> names(TestDatabase database, String query) {
        return database.rows(query).stream().map(row -> String.valueOf(row.get("name"))).toList();
    }
}
