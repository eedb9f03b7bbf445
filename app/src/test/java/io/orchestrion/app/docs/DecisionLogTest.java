package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The decision log is in order and complete, its table of contents is fresh, and what points at it
/// finds something.
class DecisionLogTest {
    private static final Path ROOT = Path.of(System.getProperty("orchestrion.root"));
    private static final String FILE = "docs/internals/DECISION_LOG.md";

    private static final Pattern ENTRY = Pattern.compile("(?m)^## ((\\d+)\\. .+)$");
    private static final Pattern CONTENTS =
            Pattern.compile("<!-- contents -->\n(.*?)<!-- /contents -->", Pattern.DOTALL);
    private static final Pattern UNUSED =
            Pattern.compile("The numbers ([\\d, toand]+) were set aside and never used\\.");
    private static final Pattern RANGE = Pattern.compile("(\\d+)(?: to (\\d+))?");
    private static final Pattern POINTER =
            Pattern.compile("\\bdecisions? ((?:\\d+(?:, | and | to )?)+)");

    private static String log() {
        return DocsLinksTest.read(ROOT.resolve(FILE));
    }

    private static List<Integer> numbers() {
        return ENTRY.matcher(log())
                .results()
                .map(entry -> Integer.parseInt(entry.group(2)))
                .toList();
    }

    private static Stream<Integer> expanded(String list) {
        return RANGE.matcher(list).results().flatMap(DecisionLogTest::expanded);
    }

    private static Stream<Integer> expanded(MatchResult range) {
        int first = Integer.parseInt(range.group(1));
        int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
        return IntStream.rangeClosed(first, last).boxed();
    }

    @Test
    void every_number_has_its_entry_in_order_or_is_said_to_be_unused() {
        List<Integer> numbers = numbers();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        Matcher unused = UNUSED.matcher(log());
        assertThat(unused.find()).isTrue();
        var all = new TreeSet<>(numbers);
        expanded(unused.group(1))
                .forEach(number -> assertThat(all.add(number)).as("used: " + number).isTrue());
        assertThat(all)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, numbers.getLast()).boxed().toList());
    }

    @Test
    void the_table_of_contents_has_every_entry() {
        String log = log();
        Matcher contents = CONTENTS.matcher(log);
        assertThat(contents.find()).isTrue();
        String fresh =
                ENTRY.matcher(log)
                        .results()
                        .map(entry -> entry.group(1).strip())
                        .map(title -> "- [" + title + "](#" + DocsLinksTest.anchor(title) + ")\n")
                        .collect(Collectors.joining());
        GeneratedFile.isFresh(
                FILE, log.substring(0, contents.start(1)) + fresh + log.substring(contents.end(1)));
    }

    @Test
    void every_decision_that_the_code_or_a_page_names_is_there() {
        List<Integer> numbers = numbers();
        var missing = new TreeSet<String>();
        for (Path file : DocsLinksTest.namingFiles()) {
            Matcher pointer = POINTER.matcher(DocsLinksTest.read(file));
            while (pointer.find()) {
                RANGE.matcher(pointer.group(1))
                        .results()
                        .map(range -> Integer.valueOf(range.group(1)))
                        .filter(number -> !numbers.contains(number))
                        .forEach(number -> missing.add(ROOT.relativize(file) + ": " + number));
            }
        }
        assertThat(missing).as("decisions that are not in the log").isEmpty();
    }
}
