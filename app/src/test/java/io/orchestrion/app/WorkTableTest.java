package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.db.Tables.Place;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.Test;

import java.io.IOException;
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

/// Items are written in `kernel/work`, and read there and in a few other packages of the kernel.
/// Engines and doors get what they need of them from there: as the end that an owner is told of, by
/// a method, or through the published views.
class WorkTableTest {
    private static final Path ROOT = Path.of(System.getProperty("orchestrion.root"));

    /// The packages that name the table. All are packages of the kernel, which is right: they are
    /// released together with its migrations, and they need columns and indexes that nobody else
    /// may rely on. Claims by limits lock rows in the order of an index, the feed and the logs read
    /// histories where they lie, and bulk operations, schedules and plans count by conditions of
    /// their own.
    private static final String[] PACKAGES = {
        "kernel/bulk",
        "kernel/events",
        "kernel/flow",
        "kernel/joblog",
        "kernel/plan",
        "kernel/pool",
        "kernel/schedule",
        "kernel/type",
        "kernel/work",
    };

    /// What is published: the views, and the row that an insert takes its account from.
    private static final List<String> VIEWS = List.of("item", "item_event");
    private static final Set<String> PUBLISHED = Set.of("account", "item", "item_event");

    /// The tables of engines and doors that are older than parts of the schema.
    private static final Pattern THEIRS =
            Pattern.compile(
                    "job|job_(capacity|definition|problem|report|retry)|runner|webhook_.*"
                            + "|purchase|payment_entry|local_order");

    /// Views that the kernel has for people and for itself.
    private static final List<String> OTHER_VIEWS =
            List.of("work_event", "work_readable", "job_events", "job_readable");

    private static final Pattern STATEMENT = Pattern.compile("(?m)^-- name: (\\w+)\\s*$");
    private static final Pattern NAMED =
            Pattern.compile("(?:\\b(?:from|join|update|into|using)\\s+|,\\s*)([a-z_]+)(?![\\w.(])");
    private static final Pattern LOCKS =
            Pattern.compile("\\bfor (?:no key update|update|share|key share)\\b");

    /// Each statement by `path/name`, without comments and texts.
    private static Map<String, String> statements() throws IOException {
        var all = new TreeMap<String, String>();
        try (var modules = Files.newDirectoryStream(ROOT, Files::isDirectory)) {
            for (Path module : modules) {
                Path resources = module.resolve("src/main/resources");
                if (Files.isDirectory(resources)) {
                    try (var files = Files.walk(resources)) {
                        for (Path file : files.filter(WorkTableTest::isStatements).toList()) {
                            addStatements(file, all);
                        }
                    }
                }
            }
        }
        assertThat(all).hasSizeGreaterThan(300);
        return all;
    }

    private static boolean isStatements(Path file) {
        String path = path(file);
        return path.endsWith(".sql") && !path.contains("/migration/") && !path.startsWith("bench/");
    }

    private static String path(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    /// What comes before the first name are parts that statements use.
    private static void addStatements(Path file, Map<String, String> all) throws IOException {
        String text = Files.readString(file);
        Matcher names = STATEMENT.matcher(text);
        String name = "parts";
        int from = 0;
        while (names.find()) {
            all.put(path(file) + "/" + name, plain(text.substring(from, names.start())));
            name = names.group(1);
            from = names.end();
        }
        all.put(path(file) + "/" + name, plain(text.substring(from)));
    }

    private static String plain(String text) {
        return text.replaceAll("(?m)--.*$", " ").replaceAll("'[^']*'", "''");
    }

    private static Set<String> tablesOf(String statement) {
        var found = new TreeSet<String>();
        Matcher matcher = NAMED.matcher(statement);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void only_packages_of_the_kernel_name_the_table_of_work() throws IOException {
        var found = new TreeSet<String>();
        statements()
                .forEach(
                        (name, text) -> {
                            Set<String> tables = tablesOf(text);
                            if (tables.contains("work") || tables.contains("work_event")) {
                                found.add(name.replaceAll(".*/io/orchestrion/|/[^/]*/[^/]*$", ""));
                            }
                        });
        assertThat(found).containsExactlyInAnyOrder(PACKAGES);
    }

    @Test
    void engines_and_doors_name_their_own_tables_and_what_is_published() throws IOException {
        var known = new TreeSet<>(OTHER_VIEWS);
        known.addAll(VIEWS);
        for (Place place : Place.values()) {
            known.addAll(Doors.SCHEMA.at(place));
        }
        var wrong = new ArrayList<String>();
        var used = new TreeSet<String>();
        ofEnginesAndDoors()
                .forEach(
                        (name, text) -> {
                            for (String table : tablesOf(text)) {
                                if (PUBLISHED.contains(table)) {
                                    used.add(table);
                                } else if (known.contains(table)
                                        && !THEIRS.matcher(table).matches()
                                        && !isOfModule(name, table)) {
                                    wrong.add(name + " names " + table);
                                }
                            }
                        });
        assertThat(wrong).as("ask the kernel, or publish what is needed").isEmpty();
        assertThat(used).isEqualTo(new TreeSet<>(PUBLISHED));
    }

    /// The part of an engine has the name of its module.
    private static boolean isOfModule(String statement, String table) {
        for (SchemaPart part : Doors.SCHEMA.parts()) {
            if (statement.startsWith(part.name() + "/")) {
                return part.tables().values().stream().anyMatch(all -> all.contains(table));
            }
        }
        return false;
    }

    @Test
    void engines_and_doors_only_read_the_views() throws IOException {
        Pattern written =
                Pattern.compile("\\b(?:update|into|delete from)\\s+(?:item|item_event)\\b");
        ofEnginesAndDoors()
                .forEach(
                        (name, text) -> {
                            assertThat(written.matcher(text).find()).as(name).isFalse();
                            if (VIEWS.stream().anyMatch(tablesOf(text)::contains)) {
                                assertThat(LOCKS.matcher(text).find())
                                        .as(name + " locks: see ReadyItems and WorkVerbs")
                                        .isFalse();
                            }
                        });
    }

    private static Map<String, String> ofEnginesAndDoors() throws IOException {
        Map<String, String> all = statements();
        all.keySet().removeIf(name -> name.startsWith("kernel/"));
        assertThat(all.keySet()).anyMatch(name -> name.startsWith("jobs/"));
        assertThat(all.keySet()).anyMatch(name -> name.startsWith("server/"));
        return all;
    }

    @Test
    void the_views_have_the_columns_that_are_documented_and_no_others() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/internals/architecture.md"));
        try (var kernel = new TestKernel()) {
            for (String view : VIEWS) {
                var stored = new ArrayList<String>();
                kernel.database()
                        .rows(
                                "select a.attname, col_description(a.attrelid, a.attnum) as told"
                                        + " from pg_attribute a where a.attrelid = ?::regclass"
                                        + " and a.attnum > 0 order by a.attnum",
                                view)
                        .forEach(
                                row ->
                                        stored.add(
                                                "| `%s` | %s |"
                                                        .formatted(
                                                                row.get("attname"),
                                                                row.get("told"))));
                assertThat(documented(page, view)).as(view).isEqualTo(stored);
            }
        }
    }

    private static List<String> documented(String page, String view) {
        return page.lines()
                .dropWhile(line -> !line.startsWith("| column of `" + view + "` |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }
}
