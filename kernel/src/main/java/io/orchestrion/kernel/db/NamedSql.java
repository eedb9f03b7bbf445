package io.orchestrion.kernel.db;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The named statements of one `.sql` file that lies beside its class: `-- name: complete` starts
/// one, `:account` is a parameter. `-- part: held` starts text that several of them share: where a
/// later one says `-- use: held`, it stands.
public final class NamedSql {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z0-9_]*)");

    /// One statement: the text for JDBC and where each parameter stands in it.
    record Parsed(
            String name,
            String source,
            String text,
            Map<String, List<Integer>> positions,
            int parameters) {}

    private final String file;
    private final Map<String, Parsed> statements;

    private NamedSql(String file, Map<String, Parsed> statements) {
        this.file = file;
        this.statements = statements;
    }

    /// Reads `<file>` from the package of the class.
    public static NamedSql beside(Class<?> owner, String file) {
        return new NamedSql(file, parse(text(owner, file)));
    }

    /// The same for a file that uses parts of another one beside it.
    public static NamedSql beside(Class<?> owner, String file, String parts) {
        return new NamedSql(file, parse(text(owner, parts) + "\n" + text(owner, file)));
    }

    private static String text(Class<?> owner, String file) {
        try (InputStream in = owner.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not beside " + owner.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + file, e);
        }
    }

    /// Starts the named statement in the transaction.
    public Bound on(Tx tx, String name) {
        return new Bound(tx, find(name));
    }

    /// All names with their text as JDBC sees it, for the tests that hold them to their forms.
    public Map<String, String> texts() {
        var texts = new LinkedHashMap<String, String>();
        statements.forEach((name, parsed) -> texts.put(name, parsed.text()));
        return texts;
    }

    /// The statement with the names of its parameters, for the test that looks at plans.
    public String source(String name) {
        return find(name).source();
    }

    private Parsed find(String name) {
        Parsed parsed = statements.get(name);
        if (parsed == null) {
            throw new IllegalArgumentException("no statement " + name + " in " + file);
        }
        return parsed;
    }

    private static Map<String, Parsed> parse(String text) {
        var statements = new LinkedHashMap<String, Parsed>();
        var parts = new HashMap<String, String>();
        String name = "";
        boolean part = false;
        var body = new StringBuilder();
        for (String line : (text + "\n-- name: end of file").split("\n", -1)) {
            boolean partBegins = line.startsWith("-- part:");
            if (partBegins || line.startsWith("-- name:")) {
                boolean twice =
                        part
                                ? parts.put(name, body.toString()) != null
                                : !name.isEmpty()
                                        && statements.put(name, compile(name, body.toString()))
                                                != null;
                if (twice) {
                    throw new IllegalArgumentException(name + " given twice");
                }
                name = line.substring("-- name:".length()).strip();
                part = partBegins;
                body.setLength(0);
            } else if (line.strip().startsWith("-- use:")) {
                String used = line.strip().substring("-- use:".length()).strip();
                String shared = parts.get(used);
                if (shared == null) {
                    throw new IllegalArgumentException(name + " uses " + used + ", not above it");
                }
                body.append(shared);
            } else if (!line.strip().startsWith("--")) {
                body.append(line).append('\n');
            }
        }
        return statements;
    }

    private static Parsed compile(String name, String body) {
        var positions = new LinkedHashMap<String, List<Integer>>();
        Matcher matcher = PARAMETER.matcher(body);
        var text = new StringBuilder();
        int next = 1;
        while (matcher.find()) {
            positions.computeIfAbsent(matcher.group(1), _ -> new ArrayList<>()).add(next++);
            matcher.appendReplacement(text, "?");
        }
        matcher.appendTail(text);
        return new Parsed(name, body.strip(), text.toString().strip(), positions, next - 1);
    }
}
