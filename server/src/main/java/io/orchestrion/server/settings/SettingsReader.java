package io.orchestrion.server.settings;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.tools.Suggestion;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Reads the settings: option before environment before file before default. All faults are
/// reported at once, so that nobody has to correct one value at each start.
final class SettingsReader {
    private static final String PREFIX = "ORCHESTRION_";

    private final SettingsCatalogue catalogue;
    private final Map<String, String> environment;
    private final Path home;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, List<String>> faults = new LinkedHashMap<>();
    private final Map<Setting, Settings.Value> mended = new LinkedHashMap<>();

    SettingsReader(SettingsCatalogue catalogue, Map<String, String> environment, Path home) {
        this.catalogue = catalogue;
        this.environment = new TreeMap<>(environment);
        this.home = home;
    }

    Settings read(Map<Setting, String> flags) throws StartFailure {
        Map<Setting, Settings.Value> values = new LinkedHashMap<>();
        for (Setting setting : catalogue.all()) {
            String value = setting.defaultValue();
            if (value != null) {
                values.put(setting, new Settings.Value(value, new Origin.Default()));
            }
        }
        Map<Setting, Settings.Value> nearer = environmentValues();
        flags.forEach(
                (setting, value) -> nearer.put(setting, new Settings.Value(value, flag(setting))));
        values.putAll(fileValues(nearer, values));
        values.putAll(nearer);
        values.replaceAll(this::checked);
        values.putAll(mended);
        Map<Setting, String> secrets = new LinkedHashMap<>();
        for (Setting setting : catalogue.all()) {
            Setting least = setting.least();
            if (least != null) {
                checkOrder(values, least, setting);
            }
            Setting held = setting.held();
            if (held != null) {
                secret(values, held, setting, secrets);
                checkSecret(held, secrets.get(held));
            }
        }
        checkPayPal(values, secrets);
        checkOidc(values);
        if (!problems.isEmpty()) {
            throw new StartFailure(ExitCode.BAD_SETTINGS, String.join("\n", problems));
        }
        // The server starts all the same, so it must be seen.
        faults.forEach(
                (door, of) ->
                        of.forEach(
                                fault -> warnings.add("the " + door + " door is shut: " + fault)));
        return new Settings(catalogue, values, secrets, warnings, faults);
    }

    private static Origin flag(Setting setting) {
        String flag = setting.flag();
        return new Origin.Flag(flag == null ? setting.key() : flag);
    }

    private Map<Setting, Settings.Value> environmentValues() {
        Map<Setting, Settings.Value> values = new LinkedHashMap<>();
        Map<String, Setting> known = new TreeMap<>();
        for (Setting setting : catalogue.all()) {
            known.put(setting.env(), setting);
        }
        environment.forEach(
                (name, value) -> {
                    Setting setting = known.get(name);
                    if (setting == null) {
                        warnOfUnknown(name, known);
                    } else if (setting == Setting.PORT && value.startsWith("tcp://")) {
                        // Kubernetes sets this variable in every pod near a service called
                        // orchestrion.
                        warnings.add(
                                name + " comes from a Kubernetes service link and is passed over");
                    } else if (!value.isBlank()) {
                        // Compose files hand on variables that nobody set as empty ones.
                        values.put(
                                setting, new Settings.Value(value, new Origin.Environment(name)));
                    }
                });
        return values;
    }

    private void warnOfUnknown(String name, Map<String, Setting> known) {
        boolean kubernetes = name.matches("ORCHESTRION_(PORT_\\d+|SERVICE)_.*");
        List<String> others =
                Arrays.stream(LauncherVariable.values()).map(LauncherVariable::name).toList();
        if (name.startsWith(PREFIX) && !others.contains(name) && !kubernetes) {
            List<String> names = Stream.concat(known.keySet().stream(), others.stream()).toList();
            warnings.add(
                    "nothing reads the variable "
                            + name
                            + Suggestion.didYouMean(PREFIX, name, names));
        }
    }

    private Map<Setting, Settings.Value> fileValues(
            Map<Setting, Settings.Value> nearer, Map<Setting, Settings.Value> defaults) {
        Settings.Value named = nearer.get(Setting.CONFIG);
        if (named != null) {
            return SettingsFile.read(catalogue, absolute(named), problems, warnings);
        }
        Settings.Value data = nearer.getOrDefault(Setting.DATA, defaults.get(Setting.DATA));
        if (data == null || data.text().isBlank()) {
            return Map.of();
        }
        Path file = absolute(data).resolve("orchestrion.conf");
        if (!Files.exists(file)) {
            return Map.of();
        }
        Map<Setting, Settings.Value> values =
                SettingsFile.read(catalogue, file, problems, warnings);
        Settings.Value circle = values.remove(Setting.DATA);
        if (circle != null) {
            problems.add(
                    circle.origin()
                            + " sets data, but the file was found through it: name the file with"
                            + " --config, or the folder with --data");
        }
        return values;
    }

    private Settings.Value checked(Setting setting, Settings.Value value) {
        String text = setting.secret() ? value.text() : value.text().strip();
        String problem = setting.kind().problem(text);
        if (problem != null) {
            String told =
                    setting.key()
                            + " "
                            + problem
                            + ", not \""
                            + setting.shown(text)
                            + "\" ("
                            + value.origin()
                            + ")";
            tell(setting, told);
            if (setting.door() != null) {
                mended(setting);
            }
            return value;
        }
        return new Settings.Value(
                setting.path() ? absolute(value).toString() : text, value.origin());
    }

    /// A first wait that is longer than the longest means something else than it says.
    private void checkOrder(Map<Setting, Settings.Value> values, Setting smaller, Setting larger) {
        Settings.Value least = values.get(smaller);
        Settings.Value most = values.get(larger);
        if (least != null
                && most != null
                && Integer.parseInt(most.text()) < Integer.parseInt(least.text())) {
            tell(
                    larger,
                    larger.key()
                            + " must not be less than "
                            + smaller.key()
                            + ": "
                            + most.text()
                            + " ("
                            + most.origin()
                            + ") is less than "
                            + least.text()
                            + " ("
                            + least.origin()
                            + ")");
        }
    }

    /// A fault in a door's setting shuts the door; in any other, it ends the start.
    private void tell(Setting setting, String fault) {
        String door = setting.door();
        (door == null ? problems : faults.computeIfAbsent(door, _ -> new ArrayList<>())).add(fault);
    }

    /// Goes on as if the setting had not been given.
    private void mended(Setting setting) {
        String byDefault = setting.defaultValue();
        if (byDefault != null) {
            mended.put(setting, new Settings.Value(byDefault, new Origin.Default()));
        }
    }

    /// A path of the file counts from the file's folder: a service starts in any folder.
    private Path absolute(Settings.Value value) {
        String text = value.text().strip();
        if (text.equals("~") || text.startsWith("~/")) {
            return home.resolve(text.substring(Math.min(2, text.length()))).normalize();
        }
        Path path = Path.of(text);
        if (value.origin() instanceof Origin.FileLine(Path file, int _)) {
            path = file.toAbsolutePath().resolveSibling(path);
        }
        return path.toAbsolutePath().normalize();
    }

    /// A secret may stand in a setting or in a file of its own.
    private void secret(
            Map<Setting, Settings.Value> values,
            Setting setting,
            Setting fileSetting,
            Map<Setting, String> secrets) {
        Settings.Value own = values.get(setting);
        Settings.Value file = values.get(fileSetting);
        if (own != null && file != null) {
            problems.add(
                    setting.key()
                            + " ("
                            + own.origin()
                            + ") and "
                            + fileSetting.key()
                            + " ("
                            + file.origin()
                            + ") are both set: keep one");
        } else if (own != null) {
            secrets.put(setting, own.text());
        } else if (file != null) {
            try (Stream<String> lines = Files.lines(Path.of(file.text()))) {
                secrets.put(setting, lines.findFirst().orElse(""));
            } catch (IOException | UncheckedIOException e) {
                problems.add(
                        fileSetting.key()
                                + " ("
                                + file.origin()
                                + ") cannot be read: "
                                + file.text());
            }
        }
    }

    /// An issuer without an audience would let in what is meant for others, and the rest without an
    /// issuer would do nothing and look as if it did.
    private void checkOidc(Map<Setting, Settings.Value> values) {
        Settings.Value issuer = values.get(OidcSetting.OIDC_ISSUER);
        Settings.Value audience = values.get(OidcSetting.OIDC_AUDIENCE);
        if (issuer != null && audience == null) {
            problems.add(
                    OidcSetting.OIDC_ISSUER.key()
                            + " ("
                            + issuer.origin()
                            + ") is set and "
                            + OidcSetting.OIDC_AUDIENCE.key()
                            + " is not: set both or none");
        }
        if (audience != null && audience.text().replace(",", "").isBlank()) {
            problems.add(OidcSetting.OIDC_AUDIENCE.key() + " must not be empty");
        }
        if (issuer == null) {
            for (Setting setting : catalogue.all()) {
                Settings.Value value = values.get(setting);
                if (setting.key().startsWith("oidc-")
                        && value != null
                        && !(value.origin() instanceof Origin.Default)) {
                    problems.add(
                            setting.key()
                                    + " ("
                                    + value.origin()
                                    + ") is set and "
                                    + OidcSetting.OIDC_ISSUER.key()
                                    + " is not");
                }
            }
        }
    }

    private void checkSecret(Setting setting, @Nullable String value) {
        String problem = value == null ? null : setting.secretProblem(value);
        if (problem != null) {
            problems.add(setting.key() + " " + problem);
        }
    }

    /// Half of the credentials would take no money and look as if it did.
    private void checkPayPal(Map<Setting, Settings.Value> values, Map<Setting, String> secrets) {
        Settings.Value id = values.get(Setting.PAYPAL_CLIENT_ID);
        Settings.Value file = values.get(Setting.PAYPAL_CLIENT_SECRET_FILE);
        String secret = secrets.get(Setting.PAYPAL_CLIENT_SECRET);
        if (id != null && secret == null && file == null) {
            problems.add(
                    Setting.PAYPAL_CLIENT_ID.key()
                            + " ("
                            + id.origin()
                            + ") is set and "
                            + Setting.PAYPAL_CLIENT_SECRET.key()
                            + " is not: set both or none");
        } else if (id == null && secret != null) {
            problems.add(
                    Setting.PAYPAL_CLIENT_SECRET.key()
                            + " is set and "
                            + Setting.PAYPAL_CLIENT_ID.key()
                            + " is not: set both or none");
        } else if (secret != null && secret.isBlank()) {
            problems.add(Setting.PAYPAL_CLIENT_SECRET.key() + " must not be empty");
        }
    }
}
