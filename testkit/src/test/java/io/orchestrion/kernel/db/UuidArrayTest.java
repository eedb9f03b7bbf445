package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.TestKernel;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

class UuidArrayTest {
    private static final UUID LOW = new UUID(0, 1);
    private static final UUID HIGH = UUID.fromString("ffffffff-ffff-ffff-8000-fffffffffffe");

    private final TestKernel kernel = new TestKernel();

    @AfterEach
    void close() {
        kernel.close();
    }

    private record Seen(String text, List<@Nullable UUID> back) {}

    private Seen seen(@Nullable UUID... ids) {
        return kernel.kernel().database().transaction(tx -> seen(tx.connection(), ids));
    }

    private static Seen seen(Connection connection, @Nullable UUID... ids) throws SQLException {
        try (var statement =
                connection.prepareStatement(
                        "select a::text, a from (select ?::uuid[] as a) as n")) {
            statement.setObject(1, new UuidArray(ids));
            try (var row = statement.executeQuery()) {
                row.next();
                return new Seen(
                        row.getString(1), Arrays.asList((UUID[]) row.getArray(2).getArray()));
            }
        }
    }

    @Test
    void ids_arrive_as_they_are_and_come_back() {
        Seen seen = seen(LOW, HIGH);
        assertThat(seen.text()).isEqualTo("{" + LOW + "," + HIGH + "}");
        assertThat(seen.back()).containsExactly(LOW, HIGH);
    }

    @Test
    void there_may_be_none_or_nothing_in_a_place() {
        assertThat(seen().text()).isEqualTo("{}");
        assertThat(seen(LOW, null, HIGH).text()).isEqualTo("{" + LOW + ",NULL," + HIGH + "}");
        assertThat(seen(LOW, null, HIGH).back()).containsExactly(LOW, null, HIGH);
    }

    /// As behind a pooler that takes statements as text only.
    @Test
    void a_connection_that_sends_text_gets_text() throws SQLException {
        try (Connection plain = kernel.database().connect()) {
            assertThat(seen(plain, LOW, null).text()).isEqualTo("{" + LOW + ",NULL}");
        }
    }
}
