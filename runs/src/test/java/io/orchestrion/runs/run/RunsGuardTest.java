package io.orchestrion.runs.run;

import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.api.Test;

class RunsGuardTest {
    @Test
    void the_migration_holds_what_the_tables_of_statuses_say() {
        GeneratedFile.isFresh(
                "runs/src/main/resources/io/orchestrion/runs/migration/R__runs_guard.sql",
                RunsGuard.sql());
    }
}
