package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.audit.AuditSql;
import io.orchestrion.kernel.bulk.BulkSql;
import io.orchestrion.kernel.events.EventsSql;
import io.orchestrion.kernel.flow.FlowSql;
import io.orchestrion.kernel.idempotency.IdempotencySql;
import io.orchestrion.kernel.identity.IdentitySql;
import io.orchestrion.kernel.identity.WorkerTokenSql;
import io.orchestrion.kernel.joblog.JobLogSql;
import io.orchestrion.kernel.limit.LimitSql;
import io.orchestrion.kernel.plan.PlanSql;
import io.orchestrion.kernel.schedule.ScheduleSql;
import io.orchestrion.kernel.sequence.SequenceSql;
import io.orchestrion.kernel.totals.TotalsSql;
import io.orchestrion.kernel.type.TypeSql;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.DependencySql;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.KindSql;
import io.orchestrion.kernel.work.OwnedSql;
import io.orchestrion.kernel.work.PolicySql;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.ReadySql;
import io.orchestrion.kernel.work.ReceiptSql;
import io.orchestrion.kernel.work.RetentionSql;
import io.orchestrion.kernel.work.UniqueSql;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.kernel.work.WorkSql;
import io.orchestrion.testkit.SchemaRules;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// What the tables promise to a distributed PostgreSQL and to the heartbeats.
class SchemaTest {
    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void account_id_leads_every_primary_and_unique_key() {
        Set<String> exceptions =
                Set.of(
                        // What finds the account; a reference table where there are several nodes.
                        "api_key_key_hash_key",
                        "worker_token_secret_token_hash_key",
                        // One row a release, read at the start only.
                        "schema_migration_pkey",
                        // One row a cluster that the data has lived in; a reference table, too.
                        "event_era_pkey",
                        // The room there is for all accounts together: two rows.
                        "job_capacity_pkey",
                        // The processes that run jobs, of all accounts.
                        "runner_pkey",
                        // What all accounts add up to: a few hundred rows, on no shard.
                        "event_total_pkey");
        assertThat(SchemaRules.keysWithoutAccount(fixture.database())).isSubsetOf(exceptions);
    }

    /// The one column that asks for the most says how large the sample of the whole table is, and
    /// samples of the hot tables are taken again and again under load.
    @Test
    void samples_of_the_hot_tables_are_small() {
        List<Map<String, Object>> large =
                fixture.database()
                        .rows(
                                """
                                select c.relname, a.attname
                                  from pg_class c
                                  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                                 where c.relname in ('work', 'event_chunk') and c.relkind = 'r'
                                   and not a.attisdropped and coalesce(a.attstattarget, 100) > 10
                                union all
                                select c.relname, a.attname
                                  from pg_index i
                                  join pg_class t on t.oid = i.indrelid
                                  join pg_class c on c.oid = i.indexrelid
                                  join pg_attribute a on a.attrelid = c.oid
                                 where t.relname in ('work', 'event_chunk')
                                   and i.indkey[a.attnum - 1] = 0
                                   and coalesce(a.attstattarget, 100) > 10
                                """);
        assertThat(large).isEmpty();
    }

    @Test
    void every_table_of_accounts_has_a_primary_key_with_account_id() {
        assertThat(SchemaRules.tablesWithoutAccount(fixture.database()))
                .containsExactlyInAnyOrder(
                        "schema_migration", "event_era", "event_total", "job_capacity", "runner");
    }

    @Test
    void no_index_holds_what_a_heartbeat_writes() {
        assertThat(
                        fixture.database()
                                .rows("select indexdef from pg_indexes where tablename = 'work'"))
                .extracting(row -> (String) row.get("indexdef"))
                .noneMatch(
                        text ->
                                text.contains("lease_until_ms")
                                        || text.contains("heartbeat_ms")
                                        || text.contains("updated_ms"));
    }

    @Test
    void heartbeats_are_hot_updates() {
        int items = 40;
        int rounds = 50;
        for (int i = 0; i < items; i++) {
            fixture.submit(Profiles.TASKS);
        }
        List<UUID> ids =
                fixture.claim(Profiles.TASKS, items).stream()
                        .map(view -> view.item().id())
                        .toList();
        fixture.database().execute("vacuum work");
        // A node of its own, because its sessions report what they did when they end.
        try (var node = fixture.test.anotherNode(options -> options)) {
            for (int round = 0; round < rounds; round++) {
                for (UUID id : ids) {
                    node.work()
                            .command(
                                    fixture.order(
                                            Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE)));
                }
            }
        }
        long beats = (long) items * rounds;
        Until.isTrue(
                "the updates are counted",
                Duration.ofSeconds(30),
                () -> (long) updates().get("all") >= beats);
        assertThat((long) updates().get("hot")).isGreaterThanOrEqualTo(beats * 95 / 100);
    }

    private Map<String, Object> updates() {
        return fixture.database()
                .rows(
                        "select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables"
                                + " where relname = 'work' and schemaname = 'orchestrion'")
                .getFirst();
    }

    @Test
    void every_named_statement_prepares_against_the_schema() throws SQLException {
        try (Connection connection = fixture.database().connect()) {
            for (NamedSql file :
                    List.of(
                            WorkSql.statements(),
                            FlowSql.statements(),
                            RetentionSql.statements(),
                            ReceiptSql.statements(),
                            PlanSql.statements(),
                            LimitSql.statements(),
                            IdempotencySql.statements(),
                            ScheduleSql.statements(),
                            AuditSql.statements(),
                            BulkSql.statements(),
                            DependencySql.statements(),
                            UniqueSql.statements(),
                            EventsSql.statements(),
                            SequenceSql.statements(),
                            IdentitySql.statements(),
                            WorkerTokenSql.statements(),
                            TypeSql.statements(),
                            KindSql.statements(),
                            OwnedSql.statements(),
                            ReadySql.statements(),
                            PolicySql.statements(),
                            JobLogSql.statements(),
                            TotalsSql.statements())) {
                assertThat(file.texts()).isNotEmpty();
                for (var statement : file.texts().entrySet()) {
                    try (var prepared = connection.prepareStatement(statement.getValue())) {
                        // Makes the driver ask the server, which then has to understand it all.
                        assertThat((long) prepared.getParameterMetaData().getParameterCount())
                                .as(statement.getKey())
                                .isEqualTo(
                                        statement.getValue().chars().filter(c -> c == '?').count());
                    } catch (SQLException e) {
                        throw new AssertionError(statement.getKey(), e);
                    }
                }
            }
        }
    }
}
