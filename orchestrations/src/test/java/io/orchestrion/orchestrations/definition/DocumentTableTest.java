package io.orchestrion.orchestrations.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.document.FindingCode;
import io.orchestrion.kernel.schema.SchemaFault;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/// Documents that differ from a good one in one place, and what is found.
class DocumentTableTest {
    static Stream<DocumentRow> rows() {
        return Stream.of(
                        FieldRows.names(),
                        FieldRows.numbers(),
                        FieldRows.types(),
                        FieldRows.handlers(),
                        RuleRows.policies(),
                        RuleRows.expressions(),
                        RuleRows.publish())
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void a_change_of_a_good_document_is_found_where_it_is(DocumentRow row) {
        ReadDefinition read = Documents.read(Documents.with(row.changes()));
        List<String> found = Documents.found(Documents.with(row.changes()));
        if (row.found().isEmpty()) {
            assertThat(read.isPublishable()).as("%s", read.findings()).isTrue();
            assertThat(read.isTaken()).isTrue();
        } else {
            assertThat(found).contains(row.found());
        }
        assertThat(read.isTaken())
                .isEqualTo(read.findings().stream().noneMatch(Finding::refusesDocument));
        assertThat(read.findings())
                .allSatisfy(
                        finding -> {
                            assertThat(finding.message()).endsWith(".").hasSizeLessThan(700);
                            assertThat(finding.hint()).endsWith(".").hasSizeLessThan(700);
                        });
    }

    /// CB-006: the published schema and the reader agree on the shape.
    @ParameterizedTest
    @MethodSource("rows")
    void the_published_schema_says_of_the_shape_what_the_reader_says(DocumentRow row) {
        String document = Documents.with(row.changes());
        List<SchemaFault> faults =
                Documents.SCHEMAS.check(Documents.ACCOUNT, DefinitionSchema.text(), document);
        if (row.shape() && !Documents.read(document).isTaken()) {
            assertThat(faults).isNotEmpty();
        } else {
            assertThat(faults).isEmpty();
        }
        if (!row.shape()) {
            assertThat(Documents.read(document).isTaken()).isFalse();
        }
    }

    @Test
    void the_usual_document_has_no_finding_that_refuses_it() {
        assertThat(Documents.found(Documents.USUAL)).isEmpty();
    }

    /// Those that no change of a valid tree gives are provoked in [HostileDocumentTest].
    @Test
    void every_code_is_provoked() {
        var codes = new HashSet<FindingCode>();
        rows().forEach(
                        row ->
                                Documents.read(Documents.with(row.changes()))
                                        .findings()
                                        .forEach(finding -> codes.add(finding.code())));
        HostileDocumentTest.documents().values().stream()
                .flatMap(text -> Documents.read(text).findings().stream())
                .forEach(finding -> codes.add(finding.code()));
        assertThat(codes).contains(DocumentCode.values()).contains(DefinitionCode.values());
    }
}
