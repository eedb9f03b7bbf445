package io.orchestrion.server.ops;

import io.orchestrion.tools.Terminal;

/// What a person sees when the server is ready: where everything is, and the next command to try.
///
/// @param host the address listened on
record Banner(
        ProductVersion version,
        String host,
        int port,
        String data,
        String database,
        String keyFile,
        long startMillis) {

    String render(Terminal terminal) {
        var out = new StringBuilder("\n  ");
        out.append(terminal.strong("Orchestrion " + version))
                .append(terminal.good("  ready"))
                .append(terminal.faint(" in " + startMillis + " ms"))
                .append("\n\n");
        row(
                out,
                terminal,
                "address",
                terminal.link(url())
                        + (everywhere() ? " and every other address of this machine" : ""));
        row(out, terminal, "database", database);
        row(out, terminal, "data", data);
        row(out, terminal, "key file", keyFile);
        out.append("\n  ").append(terminal.faint("Hand in a first task:")).append("\n    ");
        out.append(tryIt()).append("\n\n  ").append(terminal.faint("Ctrl-C stops the server."));
        return out.append("\n").toString();
    }

    String url() {
        String reachable = everywhere() ? "127.0.0.1" : host;
        return "http://"
                + (reachable.contains(":") ? "[" + reachable + "]" : reachable)
                + ":"
                + port;
    }

    String tryIt() {
        return "curl -s "
                + url()
                + "/v1/tasks -H \"Authorization: Bearer $(cat "
                + quoted(keyFile)
                + ")\" -H 'Content-Type: application/json' -d"
                + " '{\"type\":\"hello\",\"payload\":{\"name\":\"world\"}}'";
    }

    private boolean everywhere() {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    private static void row(StringBuilder out, Terminal terminal, String name, String value) {
        out.append("  ").append(terminal.faint("%-11s".formatted(name))).append(value).append('\n');
    }

    /// The line is there to be copied into a shell.
    private static String quoted(String path) {
        return path.matches("[A-Za-z0-9/._~+-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
    }
}
