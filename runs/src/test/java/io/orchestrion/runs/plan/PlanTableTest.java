package io.orchestrion.runs.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.document.FindingCode;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.schema.SchemaFault;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Plans that differ from a good one in one place, and what is found.
class PlanTableTest {
    static Stream<PlanRow> rows() {
        return Stream.of(PlanRows.agents(), PlanRows.tasks(), PlanRows.steps())
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void a_change_of_a_good_plan_is_found_where_it_is(PlanRow row) {
        ReadPlan read = Plans.read(Plans.with(row.changes()));

        if (row.found().isEmpty()) {
            assertThat(read.findings()).isEmpty();
            assertThat(read.plan()).isNotNull();
        } else {
            assertThat(Plans.found(read.findings())).contains(row.found());
            assertThat(read.plan()).isNull();
        }
        assertThat(read.findings())
                .allSatisfy(
                        finding -> {
                            assertThat(finding.message()).endsWith(".").hasSizeLessThan(700);
                            assertThat(finding.hint()).endsWith(".").hasSizeLessThan(700);
                        });
    }

    @ParameterizedTest
    @MethodSource("rows")
    void the_published_schema_says_of_the_shape_what_the_reader_says(PlanRow row) {
        String plan = Plans.with(row.changes());
        List<SchemaFault> faults =
                Plans.SCHEMAS.check(Plans.ACCOUNT, PlanSchema.plan(), plan, new CheckBudget());

        if (row.shape() && !row.found().isEmpty()) {
            assertThat(faults).isNotEmpty();
        } else if (!row.found().startsWith("too_many_steps")) {
            assertThat(faults).isEmpty();
        }
    }

    @Test
    void the_published_schemas_are_schemas_and_share_their_parts() {
        for (String schema : List.of(PlanSchema.plan(), PlanSchema.tasks())) {
            assertThat(Plans.SCHEMAS.fault(Plans.ACCOUNT, schema, new CheckBudget())).isNull();
        }
        var plan = Plans.JSON.readTree(PlanSchema.plan()).get("$defs");
        var tasks = Plans.JSON.readTree(PlanSchema.tasks()).get("$defs");
        tasks.propertyNames()
                .forEach(name -> assertThat(tasks.get(name)).isEqualTo(plan.get(name)));
    }

    @Test
    void every_code_of_plans_is_provoked() {
        Set<FindingCode> codes = new HashSet<>();
        rows().flatMap(row -> Plans.read(Plans.with(row.changes())).findings().stream())
                .map(Finding::code)
                .forEach(codes::add);
        codes.add(PlanCode.EMPTY_ROUND); // See AgentTasksTest.
        assertThat(codes).containsAll(EnumSet.allOf(PlanCode.class));
        assertThat(codes)
                .contains(
                        DocumentCode.UNKNOWN_FIELD,
                        DocumentCode.MISSING_FIELD,
                        DocumentCode.WRONG_TYPE,
                        DocumentCode.OUT_OF_BOUNDS,
                        DocumentCode.INVALID_VALUE,
                        DocumentCode.INVALID_SCHEMA);
    }
}
