package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The named statements of one `.sql` file that lies beside its class: `-- name: complete` starts
/// one, `:account` is a parameter. `-- part: held` starts text that several of them share, and a
/// later `-- use: held` is replaced by that text.
///
/// A statement that serves many accounts at once has them in the rows of an `unnest` with the name
/// `n`, and says `-- by account: n`. It can also run for one account, see [PerAccount]: then `=
/// n.account_id` becomes `= :account`.
public final class NamedSql {
    private static final String OF_ONE = "_of_one";
    private static final String BY_ACCOUNT = "-- by account:";
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z0-9_]*)");

    /// One statement: the text for JDBC and the places of each parameter in it.
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

    /// The same of a statement that can serve one account alone; null for all that are bound.
    public Bound on(Tx tx, String name, @Nullable UUID one) {
        return one == null ? on(tx, name) : new Bound(tx, find(name + OF_ONE)).uuid("account", one);
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
        String rows = "";
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
                if (!rows.isEmpty()) {
                    statements.put(name + OF_ONE, ofOne(name + OF_ONE, rows, body.toString()));
                    rows = "";
                }
                name = line.substring("-- name:".length()).strip();
                part = partBegins;
                body.setLength(0);
            } else if (line.startsWith(BY_ACCOUNT)) {
                rows = line.substring(BY_ACCOUNT.length()).strip();
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

    /// @param rows what the statement calls its rows of accounts, one or several names
    private static Parsed ofOne(String name, String rows, String body) {
        String names = String.join("|", rows.split(",\\s*", -1));
        return compile(name, body.replaceAll("= (?:" + names + ")\\.account_id\\b", "= :account"));
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
