package io.orchestrion.tools;

import java.util.Map;

/// What the two output streams can show.
///
/// @param live standard error is a terminal, so a line may be written over
/// @param colour standard output is a terminal that shows colours, and nobody asked for none
public record Terminal(boolean live, boolean colour) {
    /// No colour, no rewriting: for pipes, files and tests.
    public static final Terminal PLAIN = new Terminal(false, false);

    /// The launcher tells which streams are terminals: from inside Java, `System.console()` knows
    /// only whether input and output both are.
    public static Terminal current() {
        return of(System.getProperty("orchestrion.terminals", ""), System.getenv());
    }

    public static Terminal of(String terminals, Map<String, String> environment) {
        boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
        boolean plain = dumb || !environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(terminals.contains("2") && !dumb, terminals.contains("1") && !plain);
    }

    public String strong(String text) {
        return coded("1", text);
    }

    public String faint(String text) {
        return coded("2", text);
    }

    public String good(String text) {
        return coded("1;32", text);
    }

    public String link(String text) {
        return coded("36", text);
    }

    private String coded(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
