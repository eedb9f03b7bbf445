package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The way of a request by what proxies wrote down: `X-Forwarded-For`, or where there is none,
/// `Forwarded` of RFC 7239. Never both: a proxy keeps the one it knows and passes on whatever a
/// client put into the other.
final class ForwardedFor {
    /// An address, with a port or without.
    private static final Pattern NODE =
            Pattern.compile(
                    "(?<four>[0-9.]+)(?::[0-9]{1,5})?|\\[(?<six>[^\\]]+)](?::[0-9]{1,5})?"
                            + "|(?<bare>[^\\[\\]]+)");

    private ForwardedFor() {}

    /// Every hop, the nearest one last; not yet looked into.
    static List<String> hops(Function<String, List<String>> headers) {
        List<String> lines = headers.apply("X-Forwarded-For");
        if (!lines.isEmpty()) {
            return entries(lines, line -> List.of(line.split(",", -1)));
        }
        return entries(headers.apply("Forwarded"), line -> split(line, ',')).stream()
                .map(ForwardedFor::node)
                .toList();
    }

    /// Empty entries do not count, as in every list of HTTP.
    private static List<String> entries(
            List<String> lines, Function<String, List<String>> splitting) {
        var entries = new ArrayList<String>();
        for (String line : lines) {
            for (String entry : splitting.apply(line)) {
                if (!entry.isBlank()) {
                    entries.add(entry.strip());
                }
            }
        }
        return entries;
    }

    /// At the given character outside of quotes. It is read from its end, where the nearest proxy
    /// wrote: a quote that a client left open must not swallow that.
    private static List<String> split(String text, char at) {
        var parts = new ArrayList<String>();
        boolean quoted = false;
        int end = text.length();
        for (int i = text.length() - 1; i >= 0; i--) {
            char c = text.charAt(i);
            if (c == '"' && !(i > 0 && text.charAt(i - 1) == '\\')) {
                quoted = !quoted;
            } else if (c == at && !quoted) {
                parts.add(text.substring(i + 1, end));
                end = i;
            }
        }
        parts.add(text.substring(0, end));
        return parts.reversed();
    }

    /// The `for` of an entry of `Forwarded`, or a text that is no address when there is not just
    /// one.
    private static String node(String entry) {
        String found = "";
        for (String pair : split(entry, ';')) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? "" : pair.substring(0, equals).strip();
            if (name.toLowerCase(Locale.ROOT).equals("for")) {
                if (!found.isEmpty()) {
                    return "";
                }
                found = pair.substring(equals + 1).strip();
            }
        }
        boolean quoted = found.length() > 1 && found.startsWith("\"") && found.endsWith("\"");
        return quoted ? found.substring(1, found.length() - 1) : found;
    }

    /// Null for a hop that is no address: unknown, hidden or malformed.
    static @Nullable InetAddress address(String hop) {
        Matcher node = NODE.matcher(hop);
        if (!node.matches()) {
            return null;
        }
        String six = node.group("six");
        if (six != null) {
            return six.indexOf(':') < 0 ? null : Addresses.literal(six);
        }
        String four = node.group("four");
        return Addresses.literal(four != null ? four : String.valueOf(node.group("bare")));
    }
}
