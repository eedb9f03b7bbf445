package io.orchestrion.runs.artifact;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.regex.Pattern;

/// What an artifact may be called. Names are never part of a path of ours, but they become names of
/// files on the machines of those who download: what no file can be called anywhere, what leads out
/// of a folder, and what looks like another name, is refused.
public final class ArtifactName {
    /// As long as a file's name may be.
    private static final int BYTES_MAX = 255;

    private static final String NO_FILE_HAS = "/\\:*?\"<>|";

    /// Windows takes these for devices, in whatever case and whatever follows a dot.
    private static final Pattern DEVICE =
            Pattern.compile(
                    "(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])"
                            + " *(\\..*)?",
                    Pattern.CASE_INSENSITIVE);

    private ArtifactName() {}

    /// The same name in the one form in which it is stored and compared.
    public static String normal(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC);
    }

    /// What is wrong with a name, as a sentence; null when nothing is.
    public static @Nullable String fault(String name) {
        if (name.isEmpty()) {
            return "name must not be empty.";
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            return "name must be at most " + BYTES_MAX + " bytes in UTF-8.";
        }
        if (name.codePoints().anyMatch(ArtifactName::isUnseen)) {
            return "name must not have control, format or private characters, or line breaks.";
        }
        if (name.chars().anyMatch(each -> NO_FILE_HAS.indexOf(each) >= 0)) {
            return "name must not have any of / \\ : * ? \" < > |";
        }
        if (isSpace(name.codePointAt(0)) || isSpace(name.codePointBefore(name.length()))) {
            return "name must not begin or end with a space.";
        }
        if (name.endsWith(".")) {
            return "name must not end with a dot.";
        }
        if (DEVICE.matcher(name).matches()) {
            return "name must not be that of a device on some machines, such as con, nul or com1.";
        }
        return null;
    }

    private static boolean isSpace(int character) {
        return Character.isSpaceChar(character);
    }

    private static boolean isUnseen(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> false;
        };
    }
}
