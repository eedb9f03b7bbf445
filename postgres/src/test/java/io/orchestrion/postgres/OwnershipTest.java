package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class OwnershipTest {
    @TempDir Path folder;

    @BeforeEach
    void seed() throws Exception {
        Fixtures.seeded(folder);
    }

    @Test
    void a_second_owner_is_refused_and_told_who_holds_the_folder() throws Exception {
        String me = Long.toString(ProcessHandle.current().pid());
        try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(folder))) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(Fixtures.durable(folder)))
                    .isInstanceOfSatisfying(
                            PostgresStartException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.LOCKED))
                    .hasMessageContainingAll(me, folder.toString());
            // After the refusal in this JVM: closing any descriptor of the file would have dropped
            // the lock.
            try (ChildOwner child = ChildOwner.start(folder, "dies-with-jvm")) {
                assertThat(child.answer()).startsWith("refused LOCKED").contains("process " + me);
            }
            assertThat(Fixtures.ask(server, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void another_process_that_owns_the_folder_is_named() throws Exception {
        try (ChildOwner child = ChildOwner.start(folder, "dies-with-jvm")) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(Fixtures.durable(folder)))
                    .hasMessageContaining("process " + child.pid());
        }
        EmbeddedPostgres.start(Fixtures.durable(folder)).close();
    }
}
