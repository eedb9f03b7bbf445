package io.orchestrion.kernel.db;

import io.orchestrion.kernel.db.Tables.Place;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What one module brings to the schema: its migrations, which lie in the folder `migration` beside
/// a class of it, and its tables.
///
/// ```java
/// public static final SchemaPart SCHEMA = SchemaPart.of("errands", Errands.class)
///         .once(List.of("V001__errand.sql"))
///         .byAccount(List.of("errand"));
/// ```
///
/// @param name is stored with each of its migrations and is never changed
/// @param once files that run once, in this order; one that has run is never changed
/// @param repeatable files that run again whenever their text changed, after those that run once
/// @param tables all of its tables, by where their rows are
public record SchemaPart(
        String name,
        Class<?> beside,
        List<String> once,
        List<String> repeatable,
        Map<Place, List<String>> tables) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z_]{0,30}");
    private static final Pattern ONCE = Pattern.compile("V[0-9]{3}__[a-z0-9_]+\\.sql");
    private static final Pattern REPEATABLE = Pattern.compile("R__[a-z0-9_]+\\.sql");

    public SchemaPart {
        once = List.copyOf(once);
        repeatable = List.copyOf(repeatable);
        tables = Map.copyOf(tables);
        check(NAME, List.of(name));
        check(ONCE, once);
        check(REPEATABLE, repeatable);
        List<String> numbers = once.stream().map(file -> file.substring(0, 4)).toList();
        if (!numbers.equals(numbers.stream().sorted().distinct().toList())) {
            throw new IllegalArgumentException(name + " has migrations out of order: " + once);
        }
    }

    private static void check(Pattern form, List<String> names) {
        for (String each : names) {
            if (!form.matcher(each).matches()) {
                throw new IllegalArgumentException(each + " is not of the form " + form);
            }
        }
    }

    /// @param beside whose folder `migration` has the files
    public static SchemaPart of(String name, Class<?> beside) {
        return new SchemaPart(name, beside, List.of(), List.of(), Map.of());
    }

    public SchemaPart once(List<String> files) {
        return new SchemaPart(name, beside, files, repeatable, tables);
    }

    public SchemaPart repeatable(List<String> files) {
        return new SchemaPart(name, beside, once, files, tables);
    }

    /// Tables with `account_id` as the first column of every key.
    public SchemaPart byAccount(List<String> names) {
        return with(Place.BY_ACCOUNT, names);
    }

    public SchemaPart everywhere(List<String> names) {
        return with(Place.EVERYWHERE, names);
    }

    public SchemaPart atTheEntry(List<String> names) {
        return with(Place.AT_THE_ENTRY, names);
    }

    private SchemaPart with(Place place, List<String> names) {
        var all = new EnumMap<Place, List<String>>(Place.class);
        all.putAll(tables);
        all.put(place, List.copyOf(names));
        return new SchemaPart(name, beside, once, repeatable, all);
    }

    /// All of its migrations.
    public List<String> files() {
        return Stream.concat(once.stream(), repeatable.stream()).toList();
    }

    /// The tables that are at this place.
    public List<String> at(Place place) {
        return tables.getOrDefault(place, List.of());
    }

    String text(String file) {
        try (InputStream in = beside.getResourceAsStream("migration/" + file)) {
            if (in == null) {
                throw new IllegalStateException("migration " + file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read migration " + file, e);
        }
    }

    String checksum(String file) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text(file).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
