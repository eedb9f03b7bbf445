package io.orchestrion.app.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which test covers which line of the contract, read from the comments above the tests.
final class SpecCoveragePage {
    private static final Pattern ID =
            Pattern.compile(
                    "\\b([TQJLKERSC])-(\\d{2,3})(?:(?:\\.\\.|…|–| to )(?:\\1-)?(\\d{2,3}))?\\b");
    private static final Pattern NAMED =
            Pattern.compile("(?:\\bvoid (\\w+)\\(|\\b(?:class|record) (\\w+))");

    /// @param test the method, or the class when the comment is about all of it
    record Covered(String type, String test, List<String> ids) {}

    private SpecCoveragePage() {}

    static String text(Path root) {
        var byType = new TreeMap<String, List<Covered>>();
        for (Path file : tests(root)) {
            byType.computeIfAbsent(type(file), _ -> new ArrayList<>()).addAll(read(file));
        }
        byType.values().removeIf(List::isEmpty);
        return page(byType);
    }

    private static List<Path> tests(Path root) {
        var tests = new ArrayList<Path>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path sources : modules.map(each -> each.resolve("src/test/java")).toList()) {
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.filter(file -> file.toString().endsWith("Test.java"))
                                .forEach(tests::add);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tests.stream().sorted().toList();
    }

    private static String type(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static List<Covered> read(Path file) {
        try {
            return read(type(file), Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Comments and annotations, with the tables in them, belong to what is declared next.
    static List<Covered> read(String type, List<String> lines) {
        var covered = new ArrayList<Covered>();
        var ids = new ArrayList<String>();
        boolean above = false;
        for (String line : lines) {
            String text = line.strip();
            above |= text.startsWith("///") || text.startsWith("@");
            if (!above) {
                continue;
            }
            ids.addAll(ids(text));
            Matcher named = NAMED.matcher(text);
            if (!text.startsWith("///") && !text.startsWith("@") && named.find()) {
                String test = named.group(1) == null ? named.group(2) : named.group(1);
                if (!ids.isEmpty()) {
                    covered.add(new Covered(type, test, List.copyOf(ids)));
                }
                ids.clear();
                above = false;
            }
        }
        return covered;
    }

    private static List<String> ids(String line) {
        var ids = new ArrayList<String>();
        Matcher matcher = ID.matcher(line);
        while (matcher.find()) {
            int digits = matcher.group(2).length();
            int first = Integer.parseInt(matcher.group(2));
            int last = matcher.group(3) == null ? first : Integer.parseInt(matcher.group(3));
            for (int number = first; number <= last; number++) {
                ids.add(matcher.group(1) + "-" + String.format("%0" + digits + "d", number));
            }
        }
        return ids;
    }

    private static String page(Map<String, List<Covered>> byType) {
        var all = new TreeMap<String, TreeSet<Integer>>();
        for (List<Covered> list : byType.values()) {
            for (Covered each : list) {
                for (String id : each.ids()) {
                    all.computeIfAbsent(id.substring(0, 1), _ -> new TreeSet<>())
                            .add(Integer.parseInt(id.substring(2)));
                }
            }
        }
        var out = new StringBuilder();
        out.append(
                """
                # Which test covers which line

                Made from the comments above the tests; do not edit. The ids are the numbered lines of the published
                contract that this product is held to: `T` for the tasks door, `K` for the kernel, `L` for limits of the
                first contract that are lifted here, `C` and `S` for its resolved contradictions and easily forgotten parts.

                | group | lines that a test names |
                |---|---|
                """);
        all.forEach(
                (group, numbers) ->
                        out.append("| ")
                                .append(group)
                                .append(" | ")
                                .append(ranges(List.copyOf(numbers)))
                                .append(" |\n"));
        byType.forEach(
                (type, list) -> {
                    out.append("\n## ").append(type).append("\n\n");
                    for (Covered each : list) {
                        out.append("- `").append(each.test()).append("`: ");
                        out.append(String.join(", ", each.ids())).append('\n');
                    }
                });
        return out.toString();
    }

    /// `1–3, 5` for 1, 2, 3, 5.
    static String ranges(List<Integer> sorted) {
        var parts = new ArrayList<String>();
        int i = 0;
        while (i < sorted.size()) {
            int end = i;
            while (end + 1 < sorted.size() && sorted.get(end + 1) == sorted.get(end) + 1) {
                end++;
            }
            parts.add(
                    end == i
                            ? String.valueOf(sorted.get(i))
                            : sorted.get(i) + "–" + sorted.get(end));
            i = end + 1;
        }
        return String.join(", ", parts);
    }
}
