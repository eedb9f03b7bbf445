package io.orchestrion.server.settings;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.tools.ClientExit;

/// Writes `docs/reference/configuration.md` from the catalogues of settings, variables and exit
/// codes.
public final class ConfigurationPage {
    private ConfigurationPage() {}

    public static String render(SettingsCatalogue catalogue) {
        var page = new StringBuilder();
        page.append(
                """
                # Configuration

                <!-- Generated from Setting.java, LauncherVariable.java and ExitCode.java; ConfigurationPageTest
                     fails when it is out of date. To write it anew:
                     ./mvnw -pl server -am test -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dorchestrion.generate=true -->

                A server needs no settings: `./orchestrion serve` listens on 127.0.0.1:8080 and keeps its data in
                `~/.orchestrion`. Every setting can be given in three ways; the first of them that names it wins:

                1. an option: `./orchestrion serve --port 9000`
                2. an environment variable: `ORCHESTRION_PORT=9000`
                3. a line of the settings file: `port = 9000`

                The settings file is the one that `--config` names, or else `orchestrion.conf` in the data folder. It
                holds one `key = value` a line; a line that starts with `#` is a comment. Paths in it count from its own
                folder. An unknown key or a value that is not allowed ends the start with a message that names the line; an
                unknown `ORCHESTRION_` variable is warned of. An empty variable counts as not set.

                `./orchestrion config` prints the settings in effect and where each came from, with passwords starred.

                ## Settings

                | key | option | variable | default | allowed |
                |---|---|---|---|---|
                """);
        for (Setting setting : catalogue.all()) {
            String flag = setting.flag();
            String byDefault = setting.defaultValue();
            page.append(
                    "| %s | %s | `%s` | %s | %s |\n"
                            .formatted(
                                    code(setting.key()),
                                    flag == null ? "none" : code(flag),
                                    setting.env(),
                                    byDefault == null ? "" : code(byDefault),
                                    setting.kind().allowed()));
        }
        page.append("\nWhat they are for:\n\n");
        for (Setting setting : catalogue.all()) {
            page.append("- **")
                    .append(setting.key())
                    .append("**: ")
                    .append(setting.doc())
                    .append('\n');
        }
        page.append(
                """

                ## Variables of the launcher

                Read before there is a program to read settings; they have neither option nor key.

                | variable | meaning |
                |---|---|
                """);
        for (LauncherVariable variable : LauncherVariable.values()) {
            page.append("| `%s` | %s |\n".formatted(variable.name(), variable.doc()));
        }
        page.append(
                """

                `NO_COLOR` switches colours off.

                ## Exit codes

                | code | name | meaning | what to do next | may a restart help |
                |---|---|---|---|---|
                """);
        for (ExitCode code : ExitCode.values()) {
            page.append(
                    "| %d | %s | %s | %s | %s |\n"
                            .formatted(
                                    code.number(),
                                    code.name(),
                                    code.meaning(),
                                    code.advice(),
                                    code.restartHelps() ? "yes" : "no"));
        }
        page.append(
                """

                A client command, which talks to a server, ends with one of these:

                | code | name | meaning |
                |---|---|---|
                """);
        for (ClientExit code : ClientExit.values()) {
            page.append("| %d | %s | %s |\n".formatted(code.number(), code.name(), code.meaning()));
        }
        page.append(
                """

                ## Signals

                SIGTERM and SIGINT stop the server: it takes no more claims, lets requests in flight end (at most
                `drain-seconds`), stops its database and ends with 0. A second signal ends the waiting, a third one ends
                the process on the spot; leases that were held then run out as after a crash.
                """);
        return page.toString();
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
