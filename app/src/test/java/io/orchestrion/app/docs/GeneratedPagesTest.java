package io.orchestrion.app.docs;

import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.discovery.Documents;
import io.orchestrion.server.discovery.Facts;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Path;
import java.util.stream.Stream;

/// The pages that are made from the code say what the code says.
class GeneratedPagesTest {

    record Page(String file, String text) {
        @Override
        public String toString() {
            return file;
        }
    }

    private static final Path ROOT = Path.of(System.getProperty("orchestrion.root"));

    /// As `/v1/schema` serves it, laid out for people.
    private static String openApi() {
        byte[] served =
                new Documents(Facts.of(Doors.ALL, Doors.LIMITS, Plans.PUBLISHED, "PayPal", ""))
                        .openApi();
        JsonMapper json = JsonMapper.shared();
        return json.writerWithDefaultPrettyPrinter().writeValueAsString(json.readTree(served))
                + "\n";
    }

    static Stream<Page> pages() {
        return Stream.of(
                new Page("docs/reference/lifecycle.md", LifecyclePage.text()),
                new Page("docs/reference/errors.md", ErrorsPage.text()),
                new Page("docs/reference/API_CONTRACTS.md", ApiContractsPage.text()),
                new Page("docs/reference/limits.md", LimitsPage.text()),
                new Page("docs/reference/openapi.json", openApi()),
                new Page("docs/reference/spec-coverage.md", SpecCoveragePage.text(ROOT)));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_generated_page_is_fresh(Page page) {
        GeneratedFile.isFresh(page.file(), page.text());
    }
}
