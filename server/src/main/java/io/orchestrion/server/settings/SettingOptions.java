package io.orchestrion.server.settings;

import io.orchestrion.server.exit.StartFailure;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// The catalogue as options of a command.
public final class SettingOptions {
    private SettingOptions() {}

    public static void addTo(CommandSpec command) {
        addTo(command, EnumSet.allOf(Setting.class));
    }

    /// Only those that the command has a use for.
    public static void addTo(CommandSpec command, Set<Setting> wanted) {
        for (Setting setting : wanted) {
            String flag = setting.flag();
            if (flag == null) {
                continue;
            }
            String byDefault = setting.defaultValue();
            // Values stay text here: one place checks them, whichever way they come in.
            command.addOption(
                    OptionSpec.builder(flag)
                            .type(String.class)
                            .paramLabel(setting.kind().label())
                            .description(
                                    // Picocli reads a percent sign as the start of a format.
                                    (setting.doc()
                                                    + (byDefault == null
                                                            ? ""
                                                            : " Default: " + byDefault + "."))
                                            .replace("%", "%%"))
                            .build());
        }
    }

    public static Settings read(ParseResult parsed) throws StartFailure {
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String flag = setting.flag();
            if (flag != null && parsed.hasMatchedOption(flag)) {
                flags.put(setting, parsed.matchedOptionValue(flag, ""));
            }
        }
        return new SettingsReader(System.getenv(), Path.of(System.getProperty("user.home")))
                .read(flags);
    }
}
