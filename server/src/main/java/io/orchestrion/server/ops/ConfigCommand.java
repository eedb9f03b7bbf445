package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.ConfigurationPage;
import io.orchestrion.server.settings.SettingOptions;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.server.settings.SettingsCatalogue;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.PrintStream;
import java.util.concurrent.Callable;

/// `orchestrion config`: what the server would start with here and now, and why.
public final class ConfigCommand implements Callable<Integer> {
    private final SettingsCatalogue catalogue;
    private final PrintStream out;
    private final PrintStream err;
    private final CommandSpec spec;

    public ConfigCommand(SettingsCatalogue catalogue, PrintStream out, PrintStream err) {
        this.catalogue = catalogue;
        this.out = out;
        this.err = err;
        spec = CommandSpec.wrapWithoutInspection(this).name("config");
        spec.usageMessage()
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .description(
                        "Print every setting with its value and where the value came from. Takes"
                                + " the options of serve.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  orchestrion config",
                        "  orchestrion config --config /etc/orchestrion.conf",
                        "  orchestrion config --reference > configuration.md");
        spec.addOption(
                OptionSpec.builder("--reference")
                        .type(boolean.class)
                        .arity("0")
                        .description("Print the reference of all settings and exit codes instead.")
                        .build());
        SettingOptions.addTo(spec, catalogue.all());
    }

    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws StartFailure {
        var parsed = spec.commandLine().getParseResult();
        if (parsed.hasMatchedOption("--reference")) {
            out.print(ConfigurationPage.render(catalogue));
        } else {
            Settings settings = SettingOptions.read(catalogue, parsed);
            out.println(settings);
            settings.warnings().forEach(warning -> err.println("warning: " + warning));
        }
        out.flush();
        return ExitCode.OK.number();
    }
}
