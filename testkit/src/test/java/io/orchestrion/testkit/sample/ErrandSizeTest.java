package io.orchestrion.testkit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The sample is small, and stands on nothing but what the kernel makes public: it is in a package
/// of its own, so the compiler has seen to the rest.
class ErrandSizeTest {
    private static final Path MAIN =
            Path.of(System.getProperty("orchestrion.root", ".."), "testkit/src/main");
    private static final String PACKAGE = "io/orchestrion/testkit/sample";
    private static final Pattern NO_CODE =
            Pattern.compile("|//.*|--(?! name:).*|import .*|package .*");
    private static final Pattern OURS =
            Pattern.compile("import (?:static )?(io\\.orchestrion\\..*);");

    private static List<Path> files() throws IOException {
        var files = new ArrayList<Path>();
        for (String folder : List.of("java/" + PACKAGE, "resources/" + PACKAGE)) {
            try (Stream<Path> all = Files.walk(MAIN.resolve(folder))) {
                all.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        // It makes the calls.
        files.add(MAIN.resolve("java/io/orchestrion/testkit/CallHandler.java"));
        assertThat(files).hasSize(7);
        return files;
    }

    @Test
    void all_of_it_is_less_than_three_hundred_lines_of_code() throws IOException {
        int lines = 0;
        for (Path file : files()) {
            for (String line : Files.readAllLines(file)) {
                lines += NO_CODE.matcher(line.strip()).matches() ? 0 : 1;
            }
        }
        assertThat(lines).isBetween(150, 299);
    }

    @Test
    void it_imports_nothing_of_ours_but_the_kernel() throws IOException {
        for (Path file : files()) {
            for (String line : Files.readAllLines(file)) {
                var matcher = OURS.matcher(line.strip());
                if (matcher.matches()) {
                    assertThat(matcher.group(1))
                            .as("%s", file)
                            .matches(
                                    "io\\.orchestrion\\.(kernel|testkit\\.sample)\\..*|.*\\.CallHandler");
                }
            }
        }
    }

    @Test
    void every_statement_names_the_account_of_every_table() throws IOException {
        String sql = Files.readString(MAIN.resolve("resources/" + PACKAGE + "/errand.sql"));
        for (String statement : sql.split("-- name:", -1)) {
            long tables = Pattern.compile("from errand\\b").matcher(statement).results().count();
            long accounts =
                    Pattern.compile("account_id = :account\\b")
                            .matcher(statement)
                            .results()
                            .count();
            assertThat(accounts).as(statement).isEqualTo(tables);
        }
    }
}
