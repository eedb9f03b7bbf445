package io.orchestrion.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Set;

/// The arrows between modules and packages, and what only certain classes may touch.
class ArchitectureTest {
    private static final JavaClasses MAIN =
            new ClassFileImporter()
                    .withImportOption(
                            location ->
                                    !location.contains("/test-classes/")
                                            && !location.contains("/fast/test/"))
                    .importPackages("io.orchestrion");

    private static final String KERNEL = "io.orchestrion.kernel..";
    private static final String JOBS = "io.orchestrion.jobs..";
    private static final String ORCHESTRATIONS = "io.orchestrion.orchestrations..";
    private static final String RUNS = "io.orchestrion.runs..";
    private static final String SERVER = "io.orchestrion.server..";
    private static final String POSTGRES = "io.orchestrion.postgres..";
    private static final String SDK = "io.orchestrion.sdk..";
    private static final String CLI = "io.orchestrion.cli..";
    private static final String BENCH = "io.orchestrion.bench..";
    private static final String TOOLS = "io.orchestrion.tools..";
    private static final String SIMULATOR = "io.orchestrion.simulator..";
    private static final String APP = "io.orchestrion.app..";
    private static final String TESTKIT = "io.orchestrion.testkit..";

    @Test
    void the_main_code_of_every_module_is_looked_at() {
        for (String module :
                new String[] {
                    "kernel",
                    "jobs",
                    "orchestrations",
                    "runs",
                    "server",
                    "postgres",
                    "sdk",
                    "cli",
                    "tools",
                    "bench",
                    "simulator",
                    "app"
                }) {
            assertThat(MAIN)
                    .anyMatch(each -> each.getPackageName().startsWith("io.orchestrion." + module));
        }
        assertThat(MAIN).noneMatch(each -> each.getSimpleName().endsWith("Test"));
    }

    @Test
    void the_kernel_knows_nobody_above_or_beside_it() {
        noClasses()
                .that()
                .resideInAPackage(KERNEL)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        JOBS, ORCHESTRATIONS, RUNS, SERVER, POSTGRES, SDK, CLI, APP, TESTKIT)
                .because("doors and engines point at the kernel, never the other way")
                .check(MAIN);
    }

    @Test
    void the_jobs_engine_knows_the_kernel_only() {
        noClasses()
                .that()
                .resideInAPackage(JOBS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVER, POSTGRES, SDK, CLI, BENCH, APP, TESTKIT)
                .because("an engine is built on the kernel and has no door in it")
                .check(MAIN);
        noClasses()
                .that()
                .resideInAnyPackage("io.orchestrion.jobs.catalogue..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KERNEL, "io.orchestrion.jobs", "io.orchestrion.jobs.runner..")
                .because("the catalogue is data")
                .check(MAIN);
    }

    @Test
    void the_orchestration_engine_knows_the_kernel_only() {
        noClasses()
                .that()
                .resideInAPackage(ORCHESTRATIONS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(JOBS, RUNS, SERVER, POSTGRES, SDK, CLI, BENCH, APP, TESTKIT)
                .because("an engine is built on the kernel and knows no other engine")
                .check(MAIN);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.orchestrion.orchestrations.definition..",
                        "io.orchestrion.orchestrations.expression..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.orchestrion.orchestrations.execution..")
                .because("what a definition says does not depend on who follows it")
                .check(MAIN);
    }

    @Test
    void the_engine_of_runs_knows_the_kernel_only() {
        noClasses()
                .that()
                .resideInAPackage(RUNS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        JOBS, ORCHESTRATIONS, SERVER, POSTGRES, SDK, CLI, BENCH, APP, TESTKIT)
                .because("an engine is built on the kernel and knows no other engine")
                .check(MAIN);
    }

    @Test
    void the_embedded_database_knows_nothing_of_the_product() {
        noClasses()
                .that()
                .resideInAPackage(POSTGRES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KERNEL, SERVER, SDK, CLI, APP, TESTKIT)
                .check(MAIN);
    }

    @Test
    void the_client_side_sees_the_wire_only() {
        noClasses()
                .that()
                .resideInAPackage(SDK)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KERNEL, JOBS, SERVER, POSTGRES, CLI, APP, TESTKIT)
                .check(MAIN);
        noClasses()
                .that()
                .resideInAPackage(CLI)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KERNEL, JOBS, SERVER, POSTGRES, APP, TESTKIT)
                .check(MAIN);
    }

    /// What measures the product sees of it what a client sees, and the database under it.
    @Test
    void the_bench_knows_the_wire_and_the_database_only() {
        noClasses()
                .that()
                .resideInAPackage(BENCH)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KERNEL, SERVER, SDK, CLI, APP, TESTKIT)
                .check(MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackages(BENCH, APP)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BENCH)
                .check(MAIN);
    }

    /// What plays clients sees what a client sees.
    @Test
    void the_simulator_knows_the_sdk_only() {
        noClasses()
                .that()
                .resideInAPackage(SIMULATOR)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KERNEL, SERVER, POSTGRES, CLI, BENCH, APP, TESTKIT)
                .check(MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackages(SIMULATOR, APP)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SIMULATOR)
                .check(MAIN);
        noClasses()
                .that()
                .resideInAPackage(TOOLS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        KERNEL, SERVER, POSTGRES, SDK, CLI, BENCH, SIMULATOR, APP, TESTKIT)
                .check(MAIN);
    }

    @Test
    void nothing_points_at_the_program_itself() {
        noClasses()
                .that()
                .resideOutsideOfPackage(APP)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(APP)
                .check(MAIN);
    }

    @Test
    void the_testkit_is_for_tests() {
        noClasses()
                .that()
                .resideOutsideOfPackage(TESTKIT)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TESTKIT)
                .check(MAIN);
    }

    @Test
    void packages_of_one_module_point_one_way() {
        for (String module :
                new String[] {
                    "kernel", "jobs", "orchestrations", "runs", "server", "sdk", "cli", "simulator"
                }) {
            slices().matching("io.orchestrion." + module + ".(*)..")
                    .should()
                    .beFreeOfCycles()
                    // The small ones are one package so far.
                    .allowEmptyShould(true)
                    .check(MAIN);
        }
    }

    /// A caller may pass an SQLException on; it may not hold the connection itself.
    @Test
    void only_sql_classes_and_the_db_packages_touch_jdbc() {
        noClasses()
                .that()
                .haveNameNotMatching(".*Sql(\\$.*)?")
                .and()
                .resideOutsideOfPackages("..db..", TESTKIT)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Connection.class,
                        Statement.class,
                        PreparedStatement.class,
                        CallableStatement.class,
                        ResultSet.class,
                        DriverManager.class)
                .because("statements live in a .sql file beside a *Sql class that binds them")
                .check(MAIN);
    }

    private static final Set<String> TIME_OF_DAY =
            Set.of(
                    "java.lang.System.currentTimeMillis",
                    "java.time.Instant.now",
                    "java.time.LocalDate.now",
                    "java.time.LocalDateTime.now",
                    "java.time.OffsetDateTime.now",
                    "java.time.ZonedDateTime.now",
                    "java.time.Clock.systemUTC",
                    "java.time.Clock.systemDefaultZone",
                    "java.util.Date.<init>");

    /// Time that is stored or compared is the database's. A node's own timer is nanoTime.
    @Test
    void nobody_asks_the_machine_for_the_time_of_day() {
        noClasses()
                .that()
                .resideOutsideOfPackage(TESTKIT)
                .should()
                .accessTargetWhere(
                        describe(
                                "it is the time of day",
                                access ->
                                        TIME_OF_DAY.contains(
                                                access.getTarget().getOwner().getName()
                                                        + "."
                                                        + access.getTarget().getName())))
                .because("read it once a transaction through StoreClock")
                .check(MAIN);
    }

    @Test
    void only_commands_print() {
        noClasses()
                .that()
                .resideInAnyPackage(KERNEL, JOBS, SERVER, POSTGRES)
                .and()
                .resideOutsideOfPackage("io.orchestrion.server.ops..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("everything else logs")
                .check(MAIN);
    }
}
