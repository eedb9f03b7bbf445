package io.orchestrion.server.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Distribution;
import io.orchestrion.kernel.db.Schema;
import io.orchestrion.kernel.db.Tables.Place;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.sample.Errands;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// What `database distribute` says, on a [StandIn] for the extension.
class DistributionTest {
    private final TestDatabase tables = TestPostgres.get().newDatabase(EveryPart.SCHEMA);
    private final Kernel kernel = new Kernel(KernelOptions.on(tables.options()));

    @AfterEach
    void close() {
        kernel.close();
        tables.close();
    }

    private Distribution distribution() {
        return new Distribution(kernel.database(), EveryPart.SCHEMA, 8);
    }

    private void install(int workers) throws SQLException {
        try (Connection connection = tables.connect()) {
            StandIn.install(connection, workers);
        }
    }

    private long spread() {
        return tables.value("select count(*) from pg_dist_partition");
    }

    @Test
    void a_database_without_the_extension_is_refused_with_what_to_do() {
        assertThatThrownBy(() -> distribution().run())
                .isInstanceOf(Distribution.Refused.class)
                .hasMessageContaining("create extension citus");
    }

    @Test
    void one_without_workers_is_refused_with_what_to_do() throws SQLException {
        install(0);
        assertThatThrownBy(() -> distribution().run())
                .isInstanceOf(Distribution.Refused.class)
                .hasMessageContaining("citus_add_node");
        assertThat(spread()).isZero();
    }

    @Test
    void a_plan_changes_nothing_and_what_is_done_is_what_was_planned() throws Exception {
        install(2);
        List<String> plan = distribution().plan();
        assertThat(spread()).isZero();
        assertThat(plan)
                .contains(
                        "set citus.enable_unsafe_triggers = 'on'",
                        "alter table orchestrion.api_key drop constraint api_key_account_id_fkey",
                        "alter table orchestrion.worker_token drop constraint"
                                + " worker_token_account_id_fkey",
                        "select create_reference_table('orchestrion.api_key')",
                        "set citus.shard_count = 8",
                        "select create_distributed_table('orchestrion.account', 'account_id',"
                                + " colocate_with => 'none')",
                        "select create_distributed_table('orchestrion.work', 'account_id',"
                                + " colocate_with => 'orchestrion.account')");
        assertThat(distribution().run()).isEqualTo(plan);
        assertThat(spread())
                .isEqualTo(
                        EveryPart.SCHEMA.at(Place.BY_ACCOUNT).size()
                                + EveryPart.SCHEMA.at(Place.EVERYWHERE).size());
    }

    @Test
    void a_second_run_has_nothing_to_do_and_one_that_broke_off_is_gone_on_with() throws Exception {
        install(2);
        distribution().run();
        assertThat(distribution().run()).isEmpty();
        tables.execute(
                "delete from pg_dist_partition where logicalrelid = 'webhook_attempt'::regclass");
        assertThat(distribution().run())
                .containsExactly(
                        "set citus.shard_count = 8",
                        "select create_distributed_table('orchestrion.webhook_attempt',"
                                + " 'account_id', colocate_with => 'orchestrion.account')");
    }

    @Test
    void the_tables_of_engines_are_spread_with_the_others() throws Exception {
        Schema schema = EveryPart.SCHEMA.plus(List.of(Errands.SCHEMA));
        try (TestDatabase database = TestPostgres.get().newDatabase(schema);
                var engine = new Kernel(KernelOptions.on(database.options()).withSchema(schema))) {
            try (Connection connection = database.connect()) {
                StandIn.install(connection, 2);
            }
            assertThat(new Distribution(engine.database(), schema, 8).run())
                    .contains(
                            "select create_distributed_table('orchestrion.errand', 'account_id',"
                                    + " colocate_with => 'orchestrion.account')");
        }
    }

    @Test
    void it_waits_for_nobody_and_is_refused_while_servers_are_connected() throws Exception {
        install(2);
        try (Connection other = kernel.database().connect()) {
            assertThat(other.isValid(1)).isTrue();
            assertThatThrownBy(() -> distribution().run())
                    .isInstanceOf(Distribution.Refused.class)
                    .hasMessageContaining("stop all servers");
        }
        assertThat(spread()).isZero();
    }

    @Test
    void tables_that_are_elsewhere_than_they_belong_are_told() throws Exception {
        install(2);
        distribution().run();
        tables.execute(
                "update pg_dist_partition set colocationid = 7 where logicalrelid ="
                        + " 'work'::regclass");
        assertThatThrownBy(() -> distribution().run())
                .isInstanceOf(Distribution.Refused.class)
                .hasMessageContaining("[work]");
        tables.execute("create table unknown (n int)");
        assertThatThrownBy(() -> distribution().plan())
                .isInstanceOf(Distribution.Refused.class)
                .hasMessageContaining("[unknown]");
    }

    @Test
    void who_connects_afterwards_knows_that_the_tables_are_spread() throws Exception {
        assertThat(kernel.database().isDistributed()).isFalse();
        kernel.close();
        install(2);
        try (var spreading = new Kernel(KernelOptions.on(tables.options()))) {
            new Distribution(spreading.database(), EveryPart.SCHEMA, 8).run();
        }
        try (var later = new Kernel(KernelOptions.on(tables.options()))) {
            assertThat(later.database().isDistributed()).isTrue();
            assertThat(plans(later.database())).isEqualTo("auto");
        }
    }

    @Test
    void lanes_keep_their_plans_where_one_machine_has_all_accounts() {
        assertThat(plans(kernel.database())).isEqualTo("force_generic_plan");
    }

    private static String plans(Database database) {
        try (var session = database.session("plans")) {
            return session.transaction(
                    tx -> {
                        try (var statement = tx.connection().createStatement();
                                var row = statement.executeQuery("show plan_cache_mode")) {
                            row.next();
                            return row.getString(1);
                        }
                    });
        }
    }
}
