package io.orchestrion.server.settings;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A database address in the form of the driver (`jdbc:postgresql://…`) or of libpq and the hosting
/// services (`postgres://user:password@host/name`), taken apart so that the secrets are apart too.
///
/// @param jdbcUrl what the driver takes, without user and password
/// @param servers `host:port`, or several with commas between them
public record DatabaseUrl(
        String jdbcUrl, String servers, @Nullable String user, @Nullable String password) {
    // The password may hold anything but '@', '/' and '?', which have to be written %40, %2F and
    // %3F.
    private static final Pattern FORM =
            Pattern.compile(
                    "(?:jdbc:)?postgres(?:ql)?://(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?"
                            + "(?<servers>[^@/?]+)/(?<name>[^/?]+)(?:\\?(?<query>.*))?");
    private static final Pattern SERVERS =
            Pattern.compile("(?:\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)(?::\\d{1,5})?");
    private static final Pattern USER_INFO = Pattern.compile("(//[^:@/?]*:).*@");
    private static final Pattern PASSWORD_PARAMETER =
            Pattern.compile("([?&](?:password|sslpassword)=)[^&]*", Pattern.CASE_INSENSITIVE);

    public static @Nullable String problem(String value) {
        Matcher form = FORM.matcher(value);
        if (!form.matches()) {
            return "must have the form postgresql://user:password@host:5432/name (in a password,"
                    + " write @ as %40, / as %2F and ? as %3F)";
        }
        for (String server : group(form, "servers").split(",")) {
            if (!SERVERS.matcher(server).matches()) {
                return "must name a server as host or host:port, not \"" + server + "\"";
            }
        }
        try {
            parse(value);
        } catch (IllegalArgumentException e) {
            return "must write a percent sign as %25";
        }
        return null;
    }

    /// Only for values without a [#problem].
    public static DatabaseUrl parse(String value) {
        Matcher form = FORM.matcher(value);
        if (!form.matches()) {
            throw new IllegalArgumentException(masked(value));
        }
        String user = decoded(form.group("user"));
        String password = decoded(form.group("password"));
        List<String> parameters = new ArrayList<>();
        String query = form.group("query");
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            String name = parameter.replaceFirst("=.*", "");
            String rest = parameter.substring(Math.min(parameter.length(), name.length() + 1));
            switch (name) {
                case "" -> {}
                case "user" -> user = decoded(rest);
                case "password" -> password = decoded(rest);
                // libpq's names for what the driver calls otherwise.
                case "connect_timeout" -> parameters.add("connectTimeout=" + rest);
                case "application_name" -> parameters.add("ApplicationName=" + rest);
                default -> parameters.add(parameter);
            }
        }
        String servers = group(form, "servers");
        String jdbc =
                "jdbc:postgresql://"
                        + servers
                        + "/"
                        + group(form, "name")
                        + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
        return new DatabaseUrl(jdbc, servers, user, password);
    }

    /// The address with its passwords starred, also when it has no form at all: it is part of
    /// messages.
    static String masked(String value) {
        String masked = USER_INFO.matcher(value).replaceAll("$1****@");
        return PASSWORD_PARAMETER.matcher(masked).replaceAll("$1****");
    }

    private static String group(Matcher form, String name) {
        String group = form.group(name);
        return group == null ? "" : group;
    }

    private static @Nullable String decoded(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        // A plus sign is itself in the user part of an address; only URLDecoder reads it as a
        // blank.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return jdbcUrl;
    }
}
