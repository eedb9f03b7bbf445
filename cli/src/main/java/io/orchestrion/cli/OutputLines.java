package io.orchestrion.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Cuts a program's output into lines that can be kept: a line ends with a line feed or, as that of
/// a progress bar does, with a carriage return; what is longer than the bound is cut; colours and
/// other steering of a terminal are taken out.
final class OutputLines {
    static final int LONGEST = 4_000;
    private static final Pattern STEERING =
            Pattern.compile("\u001b(\\[[0-9;:?]*[ -/]*[@-~]|[@-_])");

    private final Consumer<String> each;
    private final StringBuilder line = new StringBuilder();
    private long beyond;
    private boolean afterReturn;

    OutputLines(Consumer<String> each) {
        this.each = each;
    }

    /// Reads to the end.
    void read(InputStream output) throws IOException {
        Reader reader = new InputStreamReader(output, StandardCharsets.UTF_8);
        var buffer = new char[8_192];
        for (int count = reader.read(buffer); count >= 0; count = reader.read(buffer)) {
            for (int i = 0; i < count; i++) {
                take(buffer[i]);
            }
        }
        if (!line.isEmpty()) {
            end();
        }
    }

    private void take(char c) {
        boolean second = c == '\n' && afterReturn;
        afterReturn = c == '\r';
        if (c == '\n' || c == '\r') {
            if (!second) {
                end();
            }
        } else if (line.length() < LONGEST) {
            line.append(c);
        } else {
            beyond++;
        }
    }

    private void end() {
        String text = STEERING.matcher(line).replaceAll("");
        if (beyond > 0) {
            String note = "… (" + beyond + " more characters)";
            int keep = Math.min(text.length(), LONGEST - note.length());
            boolean half = keep > 0 && Character.isHighSurrogate(text.charAt(keep - 1));
            text = text.substring(0, half ? keep - 1 : keep) + note;
        }
        line.setLength(0);
        beyond = 0;
        each.accept(text);
    }
}
