package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What every source file keeps to. Each failure names the way out.
class TidyTest {
    private static final Path ROOT = Path.of(System.getProperty("orchestrion.root"));
    private static final int LONGEST_FILE = 500;

    private static List<Path> sources(Predicate<String> wanted) {
        var all = new ArrayList<Path>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module :
                    modules.filter(each -> Files.isDirectory(each.resolve("src"))).toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> wanted.test(name(file)))
                            .forEach(all::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(all).isNotEmpty();
        return all;
    }

    private static List<Path> mainSources() {
        return sources(file -> file.contains("/src/main/java/"));
    }

    private static String name(Path file) {
        return ROOT.relativize(file).toString();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void every_package_says_in_one_sentence_what_it_is_for() {
        var packages = new TreeSet<Path>();
        mainSources().forEach(file -> packages.add(file.getParent()));
        for (Path each : packages) {
            Path info = each.resolve("package-info.java");
            assertThat(info).as("write one: /// A sentence.").exists();
            String doc =
                    String.join(
                            " ",
                            lines(info).stream()
                                    .filter(line -> line.startsWith("///"))
                                    .map(line -> line.substring(3).strip())
                                    .toList());
            assertThat(doc).as(name(info)).matches("\\p{Lu}.*[^.]\\.");
            assertThat(doc.replaceAll("`[^`]*`", "")).as(name(info)).doesNotContain(". ");
        }
    }

    @Test
    void no_file_holds_more_than_one_concern_can_fill() {
        assertThat(sources(_ -> true))
                .filteredOn(file -> lines(file).size() > LONGEST_FILE)
                .as("over " + LONGEST_FILE + " lines: look for the seam")
                .isEmpty();
    }

    @Test
    void documentation_lines_are_not_broken_into_plain_comments() {
        var broken = new ArrayList<String>();
        for (Path file : sources(_ -> true)) {
            List<String> lines = lines(file);
            for (int i = 1; i < lines.size(); i++) {
                String before = lines.get(i - 1).strip();
                String line = lines.get(i).strip();
                if (before.startsWith("///") && line.startsWith("//") && !line.startsWith("///")) {
                    broken.add(name(file) + ":" + (i + 1));
                }
            }
        }
        assertThat(broken)
                .as("the formatter broke a /// line beyond 100 columns: wrap it by hand")
                .isEmpty();
    }

    private static final Pattern SQL =
            Pattern.compile(
                    "\\bselect\\b.+\\bfrom\\b|\\binsert into\\b|\\bupdate \\w+ set\\b|"
                            + "\\bdelete from\\b|\\b(create|alter|drop) (table|index|trigger)\\b",
                    Pattern.DOTALL);
    private static final Pattern STRINGS =
            Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);

    /// Where statements stand in Java all the same, and why.
    private static final Set<String> SQL_ALLOWED =
            Set.of(
                    // Writes the text of a migration from the profiles.
                    "WorkGuard.java");

    @Test
    void statements_stand_in_sql_files() {
        var wrong = new ArrayList<String>();
        for (Path file : mainSources()) {
            String base = file.getFileName().toString();
            if (base.endsWith("Sql.java")
                    || SQL_ALLOWED.contains(base)
                    || name(file).contains("/db/")
                    || name(file).startsWith("testkit/")) {
                continue;
            }
            Matcher strings = STRINGS.matcher(String.join("\n", lines(file)));
            while (strings.find()) {
                String text = strings.group(1) != null ? strings.group(1) : strings.group(2);
                if (SQL.matcher(text).find()) {
                    wrong.add(name(file) + ": " + text);
                }
            }
        }
        assertThat(wrong).as("name it in the .sql file beside its *Sql class").isEmpty();
    }

    @Test
    void tests_wait_for_signals_and_use_no_mocks() {
        for (Path file : sources(file -> file.contains("/src/test/java/"))) {
            if (!file.endsWith("TidyTest.java")) {
                String text = String.join("\n", lines(file));
                assertThat(text)
                        .as(name(file) + ": use Until or a failpoint")
                        .doesNotContain("Thread.sleep(");
                assertThat(text).as(name(file)).doesNotContain("org.mockito");
            }
        }
    }
}
