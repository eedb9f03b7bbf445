package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.sample.Errands;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;

class MigrationTest {
    private final TestDatabase database = TestPostgres.get().emptyDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    private Kernel kernel() {
        return new Kernel(KernelOptions.on(database.options()));
    }

    /// Every column, index, constraint, function and trigger of our schema, and what was applied.
    private String schema() {
        return database.rows(
                        """
                        select 'column ' || table_name || '.' || column_name || ' ' || data_type as x
                          from information_schema.columns where table_schema = 'orchestrion'
                        union all
                        select 'index ' || indexdef from pg_indexes where schemaname = 'orchestrion'
                        union all
                        select 'constraint ' || conname || pg_get_constraintdef(oid)
                          from pg_constraint where connamespace = 'orchestrion'::regnamespace
                        union all
                        select 'function ' || pg_get_functiondef(oid)
                          from pg_proc where pronamespace = 'orchestrion'::regnamespace
                        union all
                        select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger
                         where not tgisinternal
                        union all
                        select 'applied ' || name || checksum || applied_at from schema_migration
                        order by 1
                        """)
                .toString();
    }

    /// Whoever starts a server for the first time reads what it is about, and not of how it came.
    @Test
    void a_start_tells_of_all_migrations_in_one_line_and_of_none_in_none() throws Exception {
        var lines = new ListAppender<ILoggingEvent>();
        var log = (Logger) LoggerFactory.getLogger(Migrator.class);
        lines.start();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
        try {
            migrate();
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly(
                            "the schema was brought up to date: %1$d of %1$d migrations applied"
                                    .formatted(Schema.KERNEL.size()));
            migrate();
            assertThat(lines.list).hasSize(1);
        } finally {
            log.detachAppender(lines);
            log.setLevel(null);
        }
    }

    @Test
    void three_nodes_that_start_at_once_on_an_empty_database_make_one_schema() throws Exception {
        Parallel.run(
                3,
                _ ->
                        () -> {
                            migrate();
                            return null;
                        });
        String made = schema();
        assertThat(made).contains("index CREATE UNIQUE INDEX work_pkey").contains("work_guard");
        assertThat((Long) database.value("select count(*) from schema_migration"))
                .isEqualTo(Schema.KERNEL.size());
        migrate();
        assertThat(schema()).isEqualTo(made);
        try (Kernel kernel = kernel()) {
            var account = kernel.identity().register("first").accountId();
            kernel.work().submit(Submission.of(NewWork.of(account, Profiles.TASKS, "build", "{}")));
        }
        migrate();
        assertThat(schema()).isEqualTo(made);
    }

    @Test
    void a_migration_that_was_changed_after_it_ran_is_refused_by_name() throws Exception {
        migrate();
        database.execute("update schema_migration set checksum = 'x' where name like 'V001%'");
        assertThatThrownBy(() -> migrate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("V001__kernel.sql was changed");
    }

    @Test
    void a_repeatable_migration_runs_again_when_its_text_changed() throws Exception {
        migrate();
        String made = schema().replaceAll("applied [^,}]*", "");
        database.execute("update schema_migration set checksum = 'x' where name like 'R__%'");
        database.execute("drop trigger work_guard_change on work");
        migrate();
        assertThat(schema().replaceAll("applied [^,}]*", "")).isEqualTo(made);
    }

    @Test
    void a_schema_of_a_newer_release_is_left_alone() throws Exception {
        migrate();
        database.execute("insert into schema_migration values ('V999__later.sql', 'x')");
        String before = schema();
        assertThatThrownBy(() -> migrate())
                .isInstanceOf(Migrator.SchemaTooNew.class)
                .hasMessageContaining("V999__later.sql");
        assertThat(schema()).isEqualTo(before);
    }

    @Test
    void a_migration_that_fails_says_why_and_leaves_nothing_half_done() throws Exception {
        database.execute("create schema orchestrion");
        database.execute("create table idempotency (in_the_way int)");
        assertThatThrownBy(() -> migrate())
                .isInstanceOf(java.sql.SQLException.class)
                .hasMessageContaining("\"idempotency\" already exists");
        assertThat((Long) database.value("select count(*) from schema_migration")).isZero();
        assertThat(
                        (Long)
                                database.value(
                                        "select count(*) from pg_tables where schemaname ="
                                                + " 'orchestrion' and tablename = 'work'"))
                .isZero();
        database.execute("drop table idempotency");
        migrate();
        assertThat((Long) database.value("select count(*) from schema_migration"))
                .isEqualTo(Schema.KERNEL.size());
    }

    private static final SchemaPart ERRANDS = Errands.SCHEMA;

    private void migrate(SchemaPart... engines) throws Exception {
        KernelOptions options = KernelOptions.on(database.options());
        try (var kernel = new Kernel(options.withSchema(options.schema().plus(List.of(engines))))) {
            kernel.migrate();
        }
    }

    private List<Object> applied(String part) {
        return database
                .rows("select name from schema_migration where part = ? order by 1", part)
                .stream()
                .map(row -> row.get("name"))
                .toList();
    }

    @Test
    void a_module_brings_its_own_numbers() throws Exception {
        migrate(ERRANDS);
        assertThat(applied("errands")).containsExactly("V001__errand.sql");
        assertThat(applied("kernel")).hasSize(Schema.KERNEL.size());
        assertThat((Long) database.value("select count(*) from errand")).isZero();
        String made = schema();
        migrate(ERRANDS);
        assertThat(schema()).isEqualTo(made);
    }

    @Test
    void a_module_can_come_later_to_a_database_that_is_there() throws Exception {
        migrate();
        migrate(ERRANDS);
        assertThat(applied("errands")).containsExactly("V001__errand.sql");
    }

    @Test
    void two_modules_may_use_the_same_number_and_name() throws Exception {
        SchemaPart other = SchemaPart.of("others", Errands.class).once(ERRANDS.once());
        database.execute("create schema orchestrion");
        migrate(ERRANDS);
        database.execute("drop table errand");
        migrate(ERRANDS, other);
        assertThat(applied("others")).isEqualTo(applied("errands"));
    }

    @Test
    void a_release_without_the_module_leaves_the_schema_alone() throws Exception {
        migrate(ERRANDS);
        assertThatThrownBy(() -> migrate())
                .isInstanceOf(Migrator.SchemaTooNew.class)
                .hasMessageContaining("errands/V001__errand.sql");
    }

    @Test
    void a_migration_of_a_module_that_was_changed_is_refused_by_name() throws Exception {
        migrate(ERRANDS);
        database.execute("update schema_migration set checksum = 'x' where part = 'errands'");
        assertThatThrownBy(() -> migrate(ERRANDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("errands/V001__errand.sql was changed");
    }

    /// As it was before there were parts.
    @Test
    void what_ran_before_there_were_parts_is_of_the_kernel() throws Exception {
        migrate();
        database.execute(
                "alter table schema_migration drop column part, add constraint"
                        + " schema_migration_pkey primary key (name)");
        List<Map<String, Object>> before =
                database.rows("select name, checksum, applied_at from schema_migration order by 1");
        migrate();
        assertThat(
                        database.rows(
                                "select name, checksum, applied_at from schema_migration order by"
                                        + " 1"))
                .isEqualTo(before);
        assertThat(applied("kernel")).hasSize(before.size());
    }
}
