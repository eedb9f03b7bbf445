package io.orchestrion.kernel.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// One text for one meaning, so that a repeated request is recognised however its JSON was laid
/// out.
///
/// Names are sorted at every depth, there is no white space, an alias counts as the name it stands
/// for, and a null that means absent is left out. Numbers compare by value (`1`, `1.0` and `10e-1`
/// are one number, as in PostgreSQL's jsonb) and moments by instant. Defaults are not filled in:
/// the digest is of what the caller said.
public final class CanonicalJson {
    private CanonicalJson() {}

    /// SHA-256 of the canonical form of what was sent, without the named top-level fields.
    public static byte[] digest(Values values, String... without) {
        return digest(values, Set.of(without));
    }

    public static byte[] digest(Values values, Set<String> without) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text(values, without).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    static String text(Values values, Set<String> without) {
        var out = new StringBuilder();
        appendValues(out, values, without);
        return out.toString();
    }

    private static void appendValues(StringBuilder out, Values values, Set<String> without) {
        var members = new TreeMap<String, Object>(values.sent());
        members.keySet().removeAll(without);
        char separator = '{';
        for (Map.Entry<String, Object> member : members.entrySet()) {
            Texts.appendQuoted(out.append(separator), member.getKey());
            append(out.append(':'), member.getValue());
            separator = ',';
        }
        out.append(separator == '{' ? "{}" : "}");
    }

    private static void append(StringBuilder out, Object value) {
        switch (value) {
            case Values values -> appendValues(out, values, Set.of());
            case RawJson raw -> out.append(JsonScanner.canonical(raw.text()));
            case List<?> list -> {
                char separator = '[';
                for (Object element : list) {
                    append(out.append(separator), element);
                    separator = ',';
                }
                out.append(separator == '[' ? "[]" : "]");
            }
            case String text -> Texts.appendQuoted(out, text);
            case BigDecimal number -> out.append(Numbers.canonical(number.toString()));
            case Instant instant -> Texts.appendQuoted(out, instant.toString());
            case Long number -> out.append(number);
            case Boolean truth -> out.append(truth);
            case Values.Null _ -> out.append("null");
            default -> throw new IllegalStateException("No field reads a " + value.getClass());
        }
    }
}
