package io.orchestrion.kernel.work;

import io.orchestrion.testkit.TestDatabase;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Everything that the kernel's tables hold, as text.
public final class Snapshot {
    private static final List<String> TABLES =
            List.of("work", "work_event", "idempotency", "event_chunk");

    private Snapshot() {}

    public static Map<String, List<Object>> of(TestDatabase database, String... more) {
        var tables = new ArrayList<>(TABLES);
        tables.addAll(List.of(more));
        var contents = new LinkedHashMap<String, List<Object>>();
        for (String table : tables) {
            contents.put(
                    table,
                    database.rows("select t::text as row from " + table + " t order by 1").stream()
                            .map(row -> row.get("row"))
                            .toList());
        }
        return contents;
    }
}
