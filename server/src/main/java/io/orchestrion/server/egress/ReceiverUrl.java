package io.orchestrion.server.egress;

import io.orchestrion.server.http.Addresses;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// An address that somebody else chose for us to call: http or https, a host that is a name or an
/// address written in the one usual way, and a port that speaks HTTP.
public record ReceiverUrl(URI uri) {
    public static final int LENGTH_MAX = 2048;

    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7e&&[^\\\\\"<>^`{|}]]+");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?");
    private static final int HOST_MAX = 253;

    // A number in the sense of browsers: if the last label is one, the whole host is an address, in
    // one of the old forms.
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");

    /// RFC 6761, 6.3.
    private static final String LOCAL = "localhost";
    private static final List<InetAddress> THIS_MACHINE =
            List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));

    /// Services that are not HTTP and would take a request for something else.
    private static final Set<Integer> OTHERS =
            Set.of(
                    1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900,
                    6379, 6443, 9042, 9092, 10250, 11211, 27017);

    /// The URL, or why the text is none.
    public record Read(@Nullable ReceiverUrl url, @Nullable String fault) {}

    /// The sentence is about a field: `must …`.
    public static Read read(String text) {
        String fault = null;
        URI uri = null;
        if (text.length() > LENGTH_MAX) {
            fault = "must have at most " + LENGTH_MAX + " characters";
        } else if (!PRINTABLE.matcher(text).matches()) {
            fault = "must be a URL of printable ASCII characters (names of hosts as xn--…)";
        } else {
            try {
                uri = new URI(text);
                fault = fault(uri);
            } catch (URISyntaxException e) {
                fault = "must be a URL";
            }
        }
        return uri == null || fault != null
                ? new Read(null, fault)
                : new Read(new ReceiverUrl(uri), null);
    }

    private static @Nullable String fault(URI uri) {
        String scheme = uri.getScheme();
        if (scheme == null
                || !(scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))) {
            return "must begin with http:// or https://";
        }
        if (uri.getHost() == null) {
            return "must name a host";
        }
        if (uri.getRawUserInfo() != null) {
            return "must not hold a user or password";
        }
        if (uri.getRawFragment() != null) {
            return "must not have a fragment";
        }
        String host = hostFault(uri.getHost().toLowerCase(Locale.ROOT));
        return host != null ? host : portFault(uri.getPort());
    }

    private static @Nullable String hostFault(String host) {
        if (host.startsWith("[")) {
            return literal(host) == null ? "must have a host that is a name or an address" : null;
        }
        String[] labels = host.split("\\.", -1);
        if (NUMBER.matcher(labels[labels.length - 1]).matches()) {
            return literal(host) == null
                    ? "must have an IPv4 address written as four decimal numbers"
                    : null;
        }
        boolean name = host.length() <= HOST_MAX;
        for (String label : labels) {
            name &= LABEL.matcher(label).matches();
        }
        return name ? null : "must have a host that is a name or an address";
    }

    private static @Nullable String portFault(int port) {
        boolean usable =
                port == -1
                        || port == 80
                        || port == 443
                        || (port >= 1024 && port <= 65535 && !OTHERS.contains(port));
        return usable ? null : "must have a port that HTTP is usual on: 80, 443 or 1024 and above";
    }

    public String host() {
        return uri.getHost().toLowerCase(Locale.ROOT);
    }

    /// The addresses that the host stands for whatever a name server says: itself when it is an
    /// address, and this machine's for the names that are reserved for it. None for other names.
    List<InetAddress> knownAddresses() {
        String host = host();
        if (host.equals(LOCAL) || host.endsWith("." + LOCAL)) {
            return THIS_MACHINE;
        }
        InetAddress literal = literal(host);
        return literal == null ? List.of() : List.of(literal);
    }

    /// The address that the host of a URL is; null for a name.
    static @Nullable InetAddress literal(String host) {
        return Addresses.literal(bare(host));
    }

    /// Without the brackets that an IPv6 address has in a URL.
    static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /// Scheme, host and port.
    public String origin() {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        int port = uri.getPort() == -1 ? (scheme.equals("https") ? 443 : 80) : uri.getPort();
        return scheme + "://" + host() + ":" + port;
    }
}
