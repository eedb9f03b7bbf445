package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Every link of a page leads somewhere, and every page that the code names exists.
class DocsLinksTest {
    private static final Path ROOT = Path.of(System.getProperty("orchestrion.root"));
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Path INDEX = DOCS.resolve("README.md");

    private static final Pattern CODE =
            Pattern.compile("(?ms)^ *```.*?^ *```|(`+)(?:(?!\\1|\n\n).)+?\\1");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^()\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
    private static final Pattern OUTSIDE = Pattern.compile("^[a-z]+:.*");
    private static final Pattern PAGE_NAME =
            Pattern.compile("\\bdocs/[A-Za-z0-9_/-]+\\.(?:md|json)\\b");

    private static List<Path> pages() {
        var pages = new ArrayList<Path>();
        for (String page : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            pages.add(ROOT.resolve(page));
        }
        pages.add(ROOT.resolve("bench/peers/README.md"));
        pages.addAll(files(DOCS, ".md"));
        return pages;
    }

    private static List<Path> files(Path folder, String... endings) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> links(Path page) {
        return LINK.matcher(CODE.matcher(read(page)).replaceAll(""))
                .results()
                .map(found -> found.group(1))
                .filter(link -> !OUTSIDE.matcher(link).matches())
                .toList();
    }

    /// The anchors of a page, as GitHub makes them from its headings.
    static Set<String> anchors(String page) {
        var anchors = new HashSet<String>();
        Map<String, Integer> seen = new HashMap<>();
        Matcher heading = HEADING.matcher(page.replaceAll("(?ms)^ *```.*?^ *```", ""));
        while (heading.find()) {
            String anchor = anchor(heading.group(1));
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    /// Of the first heading with this text.
    static String anchor(String heading) {
        return heading.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static Path target(Path page, String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? page : page.resolveSibling(path).normalize();
    }

    @Test
    void every_relative_link_leads_to_a_file_and_its_anchor_to_a_heading() {
        var broken = new TreeSet<String>();
        Map<Path, Set<String>> anchors = new HashMap<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                Path target = target(page, link);
                String anchor = link.contains("#") ? link.replaceFirst("[^#]*#", "") : "";
                if (!Files.exists(target)
                        || !anchor.isEmpty()
                                && !anchors.computeIfAbsent(target, each -> anchors(read(each)))
                                        .contains(anchor)) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(broken).as("links that lead nowhere").isEmpty();
    }

    @Test
    void the_index_of_the_docs_names_every_page() {
        List<Path> linked = links(INDEX).stream().map(link -> target(INDEX, link)).toList();
        assertThat(files(DOCS, ".md", ".json"))
                .filteredOn(page -> !page.equals(INDEX) && !linked.contains(page))
                .as("pages that docs/README.md does not link to")
                .isEmpty();
    }

    @Test
    void every_page_that_the_code_or_another_page_names_exists() {
        var wrong = new TreeSet<String>();
        for (Path file : namingFiles()) {
            Matcher name = PAGE_NAME.matcher(read(file));
            while (name.find()) {
                if (!Files.exists(ROOT.resolve(name.group()))) {
                    wrong.add(ROOT.relativize(file) + ": " + name.group());
                }
            }
        }
        assertThat(wrong).as("names of pages that do not exist").isEmpty();
    }

    /// The pages, and everything else that may name a page or a decision.
    static List<Path> namingFiles() {
        var all = new ArrayList<>(pages());
        all.add(ROOT.resolve("orchestrion"));
        all.addAll(files(ROOT.resolve("ops"), ".json", ".yml"));
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .forEach(sources -> all.addAll(files(sources, ".java", ".sql")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    @Test
    void anchors_are_made_from_headings_and_not_from_code() {
        String page =
                """
                # Tasks, and *more*
                ```sh
                # a comment
                ```
                ## `GET` [it](there.md)
                ## Twice
                ## Twice
                """;
        assertThat(anchors(page))
                .containsExactlyInAnyOrder("tasks-and-more", "get-it", "twice", "twice-1");
    }
}
