package io.orchestrion.server.statements;

import io.orchestrion.kernel.db.NamedSql;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// All named statements of the product, found in its sources: the files that lie there, and who
/// reads them.
final class NamedStatements {
    private static final Path ROOT = Path.of(System.getProperty("orchestrion.root", ".."));

    /// Programs beside the product, and what only tests read.
    private static final Set<String> NOT_OF_THE_PRODUCT = Set.of("bench", "simulator", "testkit");

    private static final Pattern READS =
            Pattern.compile(
                    "NamedSql\\s*\\.beside\\(\\s*(\\w+)\\.class,\\s*\"([\\w.]+)\"(?:,\\s*\"([\\w.]+)\")?\\s*\\)");

    private NamedStatements() {}

    /// Who reads a file, and which it takes parts from.
    record Reader(Path source, String file, @Nullable String parts) {
        String className() {
            String path = source.toString().replace('\\', '/');
            String inside = path.substring(path.indexOf("/src/main/java/") + 15);
            return inside.substring(0, inside.length() - ".java".length()).replace('/', '.');
        }

        NamedSql statements() {
            try {
                Class<?> owner = Class.forName(className());
                return parts == null
                        ? NamedSql.beside(owner, file)
                        : NamedSql.beside(owner, file, parts);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }

        String subject() {
            return file.substring(0, file.length() - ".sql".length());
        }
    }

    /// The files of statements that lie in the sources, as `module/name.sql`.
    static Set<String> files() {
        var files = new TreeSet<String>();
        for (String module : modules()) {
            Path resources = ROOT.resolve(module).resolve("src/main/resources");
            for (Path file : under(resources, ".sql")) {
                if (!file.getParent().endsWith("migration")) {
                    files.add(module + "/" + file.getFileName());
                }
            }
        }
        return files;
    }

    /// The same as they are read.
    static Set<String> filesThatAreRead() {
        var files = new TreeSet<String>();
        for (Reader reader : readers()) {
            String module = ROOT.relativize(reader.source()).getName(0).toString();
            files.add(module + "/" + reader.file());
            if (reader.parts() != null) {
                files.add(module + "/" + reader.parts());
            }
        }
        return files;
    }

    /// The text of each by `file/name`, with the names of its parameters.
    static Map<String, String> all() {
        var all = new TreeMap<String, String>();
        for (Reader reader : readers()) {
            NamedSql sql = reader.statements();
            for (String name : sql.texts().keySet()) {
                all.put(reader.subject() + "/" + name, sql.source(name));
            }
        }
        return all;
    }

    private static List<Reader> readers() {
        var readers = new ArrayList<Reader>();
        for (String module : modules()) {
            for (Path source : under(ROOT.resolve(module).resolve("src/main/java"), ".java")) {
                Matcher matcher = READS.matcher(text(source));
                while (matcher.find()) {
                    readers.add(new Reader(source, matcher.group(2), matcher.group(3)));
                }
            }
        }
        return readers;
    }

    private static List<String> modules() {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src/main")))
                    .map(folder -> folder.getFileName().toString())
                    .filter(module -> !NOT_OF_THE_PRODUCT.contains(module))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> under(Path folder, String end) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
