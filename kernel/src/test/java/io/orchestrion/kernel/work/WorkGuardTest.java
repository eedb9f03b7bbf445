package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;

/// K-01: the database's guard is made from the same tables as the kernel's own.
class WorkGuardTest {
    @Test
    void the_migration_holds_what_the_profiles_say() throws Exception {
        Path file =
                Path.of(System.getProperty("orchestrion.root"))
                        .resolve(
                                "kernel/src/main/resources/io/orchestrion/kernel/db/migration/R__work_guard.sql");
        if (Boolean.getBoolean("orchestrion.generate")) {
            Files.writeString(file, WorkGuard.sql());
        }
        assertThat(file)
                .as("stale: run ./mvnw verify -Dorchestrion.generate=true")
                .hasContent(WorkGuard.sql());
    }
}
