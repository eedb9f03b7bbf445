package io.orchestrion.server.settings;

import io.orchestrion.tools.Suggestion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads `key = value` lines. A line that starts with `#` is a comment; later ones on a line are
/// part of the value, because passwords hold that sign.
final class SettingsFile {
    private SettingsFile() {}

    static Map<Setting, Settings.Value> read(
            SettingsCatalogue catalogue, Path file, List<String> problems, List<String> warnings) {
        Map<Setting, Settings.Value> values = new LinkedHashMap<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            problems.add("the settings file " + file + " does not exist");
            return values;
        } catch (IOException e) {
            problems.add("the settings file " + file + " cannot be read: " + e.getMessage());
            return values;
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                readLine(catalogue, line, new Origin.FileLine(file, i + 1), values, problems);
            }
        }
        if (values.keySet().stream().anyMatch(Setting::secret) && othersMayRead(file)) {
            warnings.add(file + " holds a password and every user may read it: chmod 600 " + file);
        }
        return values;
    }

    private static void readLine(
            SettingsCatalogue catalogue,
            String line,
            Origin.FileLine origin,
            Map<Setting, Settings.Value> values,
            List<String> problems) {
        int equals = line.indexOf('=');
        if (equals < 0) {
            // The line itself stays out of the message: it may be a password.
            problems.add(origin + " has no '=': write key = value");
            return;
        }
        String key = line.substring(0, equals).strip();
        Setting setting = catalogue.ofKey(key);
        if (setting == null || setting == Setting.CONFIG) {
            problems.add(
                    origin
                            + " sets "
                            + key
                            + ", which is no setting of the file"
                            + Suggestion.didYouMean(key, catalogue.keys()));
            return;
        }
        String value = line.substring(equals + 1).strip();
        Settings.Value before = values.put(setting, new Settings.Value(value, origin));
        if (before != null) {
            problems.add(origin + " sets " + key + " again, after " + before.origin());
        }
    }

    private static boolean othersMayRead(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
