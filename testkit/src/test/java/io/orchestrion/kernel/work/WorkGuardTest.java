package io.orchestrion.kernel.work;

import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.api.Test;

class WorkGuardTest {
    /// K-01: the database's guard is made from the same tables as the kernel's own.
    @Test
    void the_migration_holds_what_the_profiles_say() {
        GeneratedFile.isFresh(
                "kernel/src/main/resources/io/orchestrion/kernel/db/migration/R__work_guard.sql",
                WorkGuard.sql());
    }
}
