package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/// A row that somebody else holds, such as a person with a forgotten transaction.
@Timeout(180)
class LockTimeTest {
    private static DatabaseOptions impatient(DatabaseOptions usual) {
        return new DatabaseOptions(
                usual.jdbcUrl(),
                usual.user(),
                usual.password(),
                usual.schema(),
                usual.poolSize(),
                usual.poolWait(),
                usual.statementTimeout(),
                usual.transactionTimeout(),
                Duration.ofMillis(50),
                usual.connectTimeout());
    }

    @Test
    void who_waits_too_long_for_a_lock_is_told_to_come_back() throws SQLException {
        try (var server =
                new TestServer(options -> options.withDatabase(impatient(options.database())))) {
            TaskApi tasks = server.account();
            String id = tasks.create("held");
            try (Connection other = server.database().connect()) {
                other.setAutoCommit(false);
                other.createStatement().execute("lock table orchestrion.work in exclusive mode");
                for (Reply reply :
                        new Reply[] {
                            tasks.verb(id, "cancel"),
                            tasks.claim("held"),
                            tasks.api().post("/v1/tasks", "{\"type\":\"a\",\"payload\":{}}"),
                            tasks.api()
                                    .post(
                                            "/v1/tasks/batch",
                                            "{\"tasks\":[{\"type\":\"a\",\"payload\":{}}]}"),
                            tasks.api().post("/api/queue/jobs", "{\"type\":\"a\",\"payload\":{}}")
                        }) {
                    assertThat(reply.status()).as(reply.text()).isEqualTo(503);
                    assertThat(reply.header("Retry-After")).isEqualTo("1");
                    assertThat(reply.text()).contains("overloaded", "nothing was done");
                }
                other.rollback();
            }
            assertThat(tasks.verb(id, "cancel").status()).isEqualTo(200);
        }
    }
}
