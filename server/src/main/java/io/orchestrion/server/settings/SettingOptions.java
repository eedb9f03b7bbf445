package io.orchestrion.server.settings;

import io.orchestrion.server.exit.StartFailure;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// The catalogue as options of a command.
public final class SettingOptions {
    private SettingOptions() {}

    /// @param wanted those that the command has a use for
    public static void addTo(CommandSpec command, Collection<Setting> wanted) {
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

    public static Settings read(SettingsCatalogue catalogue, ParseResult parsed)
            throws StartFailure {
        Map<Setting, String> flags = new LinkedHashMap<>();
        for (Setting setting : catalogue.all()) {
            String flag = setting.flag();
            if (flag != null && parsed.hasMatchedOption(flag)) {
                flags.put(setting, parsed.matchedOptionValue(flag, ""));
            }
        }
        return new SettingsReader(
                        catalogue, System.getenv(), Path.of(System.getProperty("user.home")))
                .read(flags);
    }
}
