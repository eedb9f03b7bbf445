package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.server.events.TaskDoorEvents;
import io.orchestrion.server.queue.QueueDoorEvents;
import io.orchestrion.testkit.HookReceiver.Got;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

/// Several nodes on one database, each with all duties.
class ManyNodesTest extends HooksFixture {
    /// J-289, L-016: each event is delivered by one of them, once, and together they make no more
    /// calls to a receiver at a time than one would.
    @Test
    @Timeout(180)
    void nodes_share_the_deliveries_and_the_bounds() {
        receiver.slow("/in", Duration.ofMillis(5));
        String webhook = webhook("/in", "task.created");
        int made = 30;
        for (int i = 0; i < made; i++) {
            tasks.create("mail");
        }
        try (Kernel second =
                        server.kernel()
                                .anotherNode(options -> options.withOwners(List.of(Jobs.owner())));
                var egress = OPTIONS.egress();
                var hooks =
                        new Webhooks(
                                second,
                                List.of(new TaskDoorEvents(), new QueueDoorEvents()),
                                OPTIONS,
                                egress,
                                "test")) {
            Thread other =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        while (receiver.got("/in").size() < made
                                                && !Thread.interrupted()) {
                                            second.sweepOnce(FanOut.NAME);
                                            second.sweepOnce(Deliverer.NAME);
                                        }
                                    });
            Until.isTrue(
                    "all came",
                    PATIENCE,
                    () -> {
                        sweep(FanOut.NAME);
                        sweep(Deliverer.NAME);
                        return receiver.got("/in").size() >= made && running() == 0;
                    });
            other.interrupt();
            Until.isTrue("the other is done", PATIENCE, () -> !other.isAlive());
            Until.isTrue("its calls have ended", PATIENCE, () -> hooks.underWay() == 0);
        }
        var byEvent = new HashMap<String, Integer>();
        for (Got got : receiver.got("/in")) {
            byEvent.merge(got.header("webhook-id"), 1, Integer::sum);
        }
        assertThat(byEvent).hasSize(made);
        assertThat(byEvent.values()).containsOnly(1);
        assertThat(deliveries(webhook)).hasSize(made);
        // Kept-alive connections of each node, of which two are used at a time.
        assertThat(receiver.mostOpen()).isLessThanOrEqualTo(4);
    }

    @Test
    void every_statement_prepares_and_names_its_account() throws SQLException {
        try (Connection connection = server.database().connect()) {
            for (NamedSql file : List.of(EndpointSql.statements(), DeliverySql.statements())) {
                for (var statement : file.texts().entrySet()) {
                    try (var prepared = connection.prepareStatement(statement.getValue())) {
                        assertThat(prepared.getParameterMetaData().getParameterCount())
                                .as(statement.getKey())
                                .isPositive();
                    }
                    boolean look =
                            statement.getValue().startsWith("select")
                                    && List.of(
                                                    "any_active",
                                                    "due",
                                                    "exists_anywhere",
                                                    "accounts_to_purge",
                                                    "accounts_with_orphans")
                                            .contains(statement.getKey());
                    assertThat(look || statement.getValue().contains("account_id = ?"))
                            .as(statement.getKey())
                            .isTrue();
                }
            }
        }
    }
}
