package io.orchestrion.orchestrations.execution;

import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.api.Test;

class OrchestrationGuardTest {
    @Test
    void the_migration_holds_what_the_tables_of_states_say() {
        GeneratedFile.isFresh(
                "orchestrations/src/main/resources/io/orchestrion/orchestrations/execution/migration/R__orchestration_guard.sql",
                OrchestrationGuard.sql());
    }
}
