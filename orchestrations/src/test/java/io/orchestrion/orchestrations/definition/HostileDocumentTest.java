package io.orchestrion.orchestrations.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.document.DocumentBounds;
import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.Finding;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Documents that were made to do harm: each is answered with findings.
class HostileDocumentTest {
    /// With a name of the code that it has to be refused with.
    static Map<String, String> documents() {
        var documents = new LinkedHashMap<String, String>();
        documents.put("invalid_json 1", "");
        documents.put("invalid_json 2", "nul");
        documents.put("invalid_json 3", "[]");
        documents.put("invalid_json 4", "{\"name\": NaN}");
        documents.put("invalid_json 5", "{} {}");
        documents.put("invalid_json 6", "{\"name\": \"a");
        documents.put("document_too_large", "{\"name\": \"" + "é".repeat(600_000) + "\"}");
        documents.put("document_too_deep 1", "[".repeat(10_000));
        documents.put("document_too_deep 2", "{\"a\":".repeat(10_000));
        documents.put(
                "document_too_deep 3",
                Documents.USUAL.replaceFirst(
                        "\"output\":[^\n]*",
                        "\"output\": " + "[".repeat(64) + "]".repeat(64) + ","));
        documents.put(
                "duplicate_field", "{\"name\": \"a\", \"steps\": [{\"name\": 1, \"name\": 2}]}");
        documents.put("unstorable_text 1", "{\"name\": \"a\\u0000\"}");
        documents.put("unstorable_text 2", "{\"name\": \"\\ud800\"}");
        documents.put("number_too_long 1", "{\"name\": 1" + "0".repeat(100) + "}");
        documents.put("number_too_long 2", "{\"name\": 1e999999999}");
        documents.put("number_too_long 3", "{\"name\": 1e-500}");
        documents.put("out_of_bounds 1", "{\"" + "n".repeat(501) + "\": 1}");
        documents.put("out_of_bounds 2", Documents.of(steps(501)));
        documents.put("out_of_bounds 3", Documents.of(steps(4_000)));
        documents.put(
                "out_of_bounds 4",
                Documents.of(
                        IntStream.range(0, 101)
                                .mapToObj(
                                        i -> Documents.step("s" + i, "\"input\":{\"$cel\":\"1\"}"))
                                .toArray(String[]::new)));
        documents.put("too_many_findings 1", Documents.of("{},".repeat(499) + "{}"));
        documents.put(
                "too_many_findings 2",
                "{"
                        + IntStream.range(0, 10_000)
                                .mapToObj(i -> "\"f" + i + "\":1")
                                .collect(Collectors.joining(","))
                        + "}");
        documents.put("invalid_schema 1", Documents.with("/input_schema", "{\"$ref\": \"#\"}"));
        documents.put(
                "invalid_schema 2",
                Documents.with(
                        "/input_schema",
                        "{\"allOf\": [{\"$ref\": \"#/$defs/a\"}], \"$defs\": {\"a\": {\"allOf\":"
                                + " [{\"$ref\": \"#/$defs/a\"}, {\"$ref\": \"#/$defs/a\"}]}}}"));
        documents.put(
                "invalid_schema 3",
                Documents.with("/input_schema", "{\"$ref\": \"http://169.254.169.254/\"}"));
        documents.put(
                "invalid_schema 4",
                Documents.with("/input_schema", "{\"pattern\": \"(a{1000}){1000}\"}"));
        documents.put(
                "invalid_schema 5",
                Documents.with("/input_schema", "{\"pattern\": \"(a+)+\\\\1\"}"));
        documents.put(
                "out_of_bounds 5",
                Documents.with("/input_schema", "{\"enum\": [\"" + "x".repeat(70_000) + "\"]}"));
        documents.put(
                "invalid_cel 1",
                Documents.with("/output", "{\"$cel\": \"" + "[".repeat(1_000) + "\"}"));
        documents.put(
                "invalid_cel 2",
                Documents.with(
                        "/output",
                        "{\"$cel\": \"" + "(".repeat(990) + "1" + ")".repeat(990) + "\"}"));
        documents.put(
                "invalid_cel 3",
                Documents.with("/output", "{\"$cel\": \"" + "1+".repeat(1_000) + "1\"}"));
        documents.put(
                "invalid_cel 4",
                Documents.with(
                        "/output", "{\"$cel\": \"[1]" + ".map(x,{x:x})".repeat(100) + "\"}"));
        documents.put(
                "invalid_cel 5",
                Documents.with("/output", "{\"$cel\": \"" + "!".repeat(1_999) + "a\"}"));
        documents.put(
                "invalid_condition",
                Documents.with(
                        "/steps/1/branches/0/when",
                        "{\"not\":".repeat(20) + "{\"$cel\":\"true\"}" + "}".repeat(20)));
        documents.put(
                "invalid_reference",
                Documents.with(
                        "/output", "{\"$ref\": \"$.input" + "[\\\"a\\\"]".repeat(90) + "!\"}"));
        return documents;
    }

    private static String[] steps(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Documents.step("s" + i, "\"on_success\":\"s" + (i + 1) + "\""))
                .toArray(String[]::new);
    }

    static Stream<String> names() {
        return documents().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void a_hostile_document_is_refused_with_findings(String name) {
        ReadDefinition read = Documents.read(documents().get(name));

        assertThat(read.isPublishable()).isFalse();
        assertThat(read.findings())
                .hasSizeLessThanOrEqualTo(DocumentBounds.FINDINGS + 1)
                .extracting(finding -> finding.code().word())
                .contains(name.split(" ")[0]);
    }

    @Test
    void a_field_that_stands_twice_is_named_by_its_place() {
        assertThat(Documents.found("{\"steps\": [{\"name\": 1, \"name\": 2}]}"))
                .containsExactly("duplicate_field /steps/0/name");
    }

    @Test
    void the_last_finding_says_that_there_are_more() {
        ReadDefinition read = Documents.read(documents().get("too_many_findings 1"));

        assertThat(read.findings()).hasSize(DocumentBounds.FINDINGS + 1);
        assertThat(read.findings().getLast().code()).isEqualTo(DocumentCode.TOO_MANY_FINDINGS);
        assertThat(read.findings().getLast().refusesDocument()).isTrue();
    }

    @Test
    void more_warnings_than_are_listed_refuse_nothing() {
        String[] steps = steps(201);
        for (int i = 0; i < steps.length; i++) {
            steps[i] = steps[i].replace("SAFE_TO_RETRY", "NOT_SAFE_TO_RETRY");
        }
        steps[200] = steps[200].replace("s201", "terminal");
        ReadDefinition read = Documents.read(Documents.of(steps));

        assertThat(read.findings()).hasSize(DocumentBounds.FINDINGS + 1);
        assertThat(read.isPublishable()).isTrue();
    }

    /// Each decision leads to many steps, and asks for the result of one that is not always there.
    @Test
    void the_largest_graph_is_checked_in_one_go() {
        var steps = new String[DefinitionLimits.STEPS];
        for (int i = 0; i < steps.length; i++) {
            int from = i;
            String branches =
                    IntStream.range(i + 1, Math.min(steps.length, i + 15))
                            .mapToObj(
                                    to ->
                                            "{\"when\":{\"path\":\"$.steps.s%d.result\",\"op\":\"exists\"},\"next\":\"s%d\"}"
                                                    .formatted(Math.max(0, from - 1), to))
                            .collect(Collectors.joining(","));
            steps[i] =
                    Documents.step(
                                    "s" + i,
                                    branches.isEmpty()
                                            ? ""
                                            : "\"branches\":["
                                                    + branches
                                                    + "],\"default\":\"terminal\"")
                            .replace(
                                    branches.isEmpty()
                                            ? "\u0000"
                                            : "\"task\",\"handler\":\"task:t\"",
                                    "\"decision\"");
        }
        ReadDefinition read = Documents.read(Documents.of(steps));

        assertThat(read.isTaken()).as("%s", read.findings()).isTrue();
        assertThat(read.findings())
                .extracting(Finding::code)
                .containsOnly(DefinitionCode.RESULT_NOT_BEFORE);
    }
}
