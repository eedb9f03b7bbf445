package io.orchestrion.app.docs;

import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/// The pages that are made from the code say what the code says.
class GeneratedPagesTest {

    record Page(String file, String text) {
        @Override
        public String toString() {
            return file;
        }
    }

    static Stream<Page> pages() {
        return Stream.of(
                new Page("docs/lifecycle.md", LifecyclePage.text()),
                new Page("docs/errors.md", ErrorsPage.text()),
                new Page("docs/API_CONTRACTS.md", ApiContractsPage.text()));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_generated_page_is_fresh(Page page) {
        GeneratedFile.isFresh(page.file(), page.text());
    }
}
