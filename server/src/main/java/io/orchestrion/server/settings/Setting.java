package io.orchestrion.server.settings;

import io.orchestrion.server.settings.SettingKind.Choice;
import io.orchestrion.server.settings.SettingKind.DatabaseAddress;
import io.orchestrion.server.settings.SettingKind.Ranges;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.WebAddress;
import io.orchestrion.server.settings.SettingKind.Whole;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// One setting, and those of the server itself; doors declare their own. Options, environment
/// variables, the keys of the settings file, their checks, `orchestrion config` and
/// `docs/reference/configuration.md` are all read from the declarations ([SettingsCatalogue]).
public final class Setting {
    public static final Setting HOST =
            of(
                    "HOST",
                    text("ADDRESS", "a name or address of this machine"),
                    "127.0.0.1",
                    "Address to listen on. With the default only this machine can connect. With"
                        + " 0.0.0.0 every network can: put a proxy with TLS in front of the server"
                        + " then.");

    public static final Setting PORT =
            of(
                    "PORT",
                    new Whole(0, 65535),
                    "8080",
                    "Port to listen on. 0 chooses a free port, which the banner names.");

    public static final Setting ADMIN_HOST =
            of(
                    "ADMIN_HOST",
                    text("ADDRESS", "a name or address of this machine"),
                    "127.0.0.1",
                    "Address of the separate listener for administration, which admin-port"
                            + " starts.");

    public static final Setting ADMIN_PORT =
            of(
                    "ADMIN_PORT",
                    new Whole(0, 65535),
                    null,
                    "Port of a separate listener for the endpoints under /api/v1/admin, which need"
                        + " the same key there. The server's own port does not answer them then. 0"
                        + " chooses a free port, which the log names. Without it the server's own"
                        + " port answers them.");

    public static final Setting TRUSTED_PROXIES =
            of(
                    "TRUSTED_PROXIES",
                    new Ranges(),
                    null,
                    "Proxies in front of the server. The server trusts their X-Forwarded-For or"
                        + " Forwarded headers for the address of the client. From anybody else it"
                        + " ignores these headers.");

    public static final Setting DATA =
            of(
                            "DATA",
                            text("FOLDER", "a folder"),
                            "~/.orchestrion",
                            "Folder of the embedded database, the key file and the settings file.")
                    .asPath();

    public static final Setting CONFIG =
            of(
                            "CONFIG",
                            text("FILE", "a file"),
                            null,
                            "Settings file. Without it, orchestrion.conf in the data folder is read"
                                    + " if there is one.")
                    .asPath();

    public static final Setting DATABASE_URL =
            of(
                    "DATABASE_URL",
                    new DatabaseAddress(),
                    null,
                    "PostgreSQL server to use in place of the embedded one. Any number of servers"
                            + " may share it.");

    public static final Setting DATABASE_USER =
            of(
                    "DATABASE_USER",
                    text("NAME", "a name"),
                    null,
                    "Database user, when the address does not name one.");

    public static final Setting DATABASE_PASSWORD =
            of(
                            "DATABASE_PASSWORD",
                            text("TEXT", "any text"),
                            null,
                            "Database password. It has no option, because every user of a machine"
                                    + " can read command lines.")
                    .asSecret();

    public static final Setting DATABASE_PASSWORD_FILE =
            of(
                            "DATABASE_PASSWORD_FILE",
                            text("FILE", "a file"),
                            null,
                            "File whose first line is the database password.")
                    .asPath()
                    .holding(DATABASE_PASSWORD);

    public static final Setting DATABASE_WAIT_SECONDS =
            of(
                    "DATABASE_WAIT_SECONDS",
                    new Whole(0, 600),
                    "10",
                    "How long to wait at the start for a database that does not answer yet.");

    public static final Setting COMMITTERS =
            of(
                    "COMMITTERS",
                    new Whole(1, 16),
                    "2",
                    "Threads that write to the database, each with its own connection. More of them"
                            + " help only when the database has idle processors.");

    public static final Setting POOL_SIZE =
            of(
                    "POOL_SIZE",
                    new Whole(2, 200),
                    "8",
                    "Database connections for everything except the batched writes.");

    public static final Setting QUEUE_BOUND =
            of(
                    "QUEUE_BOUND",
                    new Whole(100, 1_000_000),
                    "10000",
                    "Requests that may wait for the database. Further ones are answered with 503"
                            + " and Retry-After.");

    public static final Setting IN_FLIGHT_PERCENT =
            of(
                    "IN_FLIGHT_PERCENT",
                    new Whole(5, 70),
                    "40",
                    "Share of the heap that requests and answers may occupy at once. Beyond it a"
                        + " request is answered with 503 and Retry-After. One account may occupy a"
                        + " quarter of that share. Beyond it the account's requests are answered"
                        + " with 429.");

    public static final Setting REQUEST_TIMEOUT_SECONDS =
            of(
                    "REQUEST_TIMEOUT_SECONDS",
                    new Whole(1, 600),
                    "30",
                    "Longest time a request may take. The time for which a claim waits for work is"
                            + " not included.");

    public static final Setting DRAIN_SECONDS =
            of(
                    "DRAIN_SECONDS",
                    new Whole(0, 600),
                    "20",
                    "How long a stop waits for requests in flight. A second signal ends the wait.");

    public static final Setting RETENTION_DAYS =
            of(
                    "RETENTION_DAYS",
                    new Whole(1, 36_500),
                    "90",
                    "Days for which finished work and its history are kept.");

    public static final Setting PLANS_FILE =
            of(
                            "PLANS_FILE",
                            text("FILE", "a JSON file"),
                            null,
                            "File that changes or adds plans and changes rate limits; see"
                                    + " docs/guides/plans.md.")
                    .asPath();

    // Ten seconds at most, so that an expired lease is back well within the published 30 s.
    public static final Setting SWEEP_INTERVAL_MILLIS =
            of(
                    "SWEEP_INTERVAL_MILLIS",
                    new Whole(50, 10_000),
                    "1000",
                    "Pause between two searches for expired leases, due work and due timers.");

    public static final Setting WAKE_HINTS =
            of(
                    "WAKE_HINTS",
                    new Choice(List.of("true", "false")),
                    "true",
                    "Whether other servers on the same database are told at once about new work"
                        + " (LISTEN/NOTIFY). Otherwise they find it at their next search. Switch it"
                        + " off for databases that lack LISTEN/NOTIFY.");

    public static final Setting PUBLIC_URL =
            of(
                    "PUBLIC_URL",
                    new WebAddress(false),
                    null,
                    "Address under which people reach this server. The links that the server sends"
                            + " use it. Default: the address it listens on.");

    public static final Setting PAYPAL_URL =
            of(
                    "PAYPAL_URL",
                    new WebAddress(true),
                    "https://api-m.paypal.com",
                    "Address of PayPal's API. https://api-m.sandbox.paypal.com is the sandbox, in"
                            + " which no real money moves.");

    public static final Setting PAYPAL_CLIENT_ID =
            of(
                    "PAYPAL_CLIENT_ID",
                    text("TEXT", "any text"),
                    null,
                    "Client id of a PayPal app. Without one the server takes no payments, and the"
                            + " operator approves orders with orchestrion billing approve.");

    public static final Setting PAYPAL_CLIENT_SECRET =
            of(
                            "PAYPAL_CLIENT_SECRET",
                            text("TEXT", "any text"),
                            null,
                            "Secret of the PayPal app. It has no option, because every user of a"
                                    + " machine can read command lines.")
                    .asSecret();

    public static final Setting PAYPAL_CLIENT_SECRET_FILE =
            of(
                            "PAYPAL_CLIENT_SECRET_FILE",
                            text("FILE", "a file"),
                            null,
                            "File whose first line is the secret of the PayPal app.")
                    .asPath()
                    .holding(PAYPAL_CLIENT_SECRET);

    /// Those of this class, in the order of the reference.
    static final List<Setting> OWN =
            List.of(
                    HOST,
                    PORT,
                    ADMIN_HOST,
                    ADMIN_PORT,
                    TRUSTED_PROXIES,
                    DATA,
                    CONFIG,
                    DATABASE_URL,
                    DATABASE_USER,
                    DATABASE_PASSWORD,
                    DATABASE_PASSWORD_FILE,
                    DATABASE_WAIT_SECONDS,
                    COMMITTERS,
                    POOL_SIZE,
                    QUEUE_BOUND,
                    IN_FLIGHT_PERCENT,
                    REQUEST_TIMEOUT_SECONDS,
                    DRAIN_SECONDS,
                    RETENTION_DAYS,
                    PLANS_FILE,
                    SWEEP_INTERVAL_MILLIS,
                    WAKE_HINTS,
                    PUBLIC_URL,
                    PAYPAL_URL,
                    PAYPAL_CLIENT_ID,
                    PAYPAL_CLIENT_SECRET,
                    PAYPAL_CLIENT_SECRET_FILE);

    private final String name;
    private final SettingKind kind;
    private final @Nullable String defaultValue;
    private final String doc;
    private @Nullable String door;
    private boolean secret;
    private boolean path;
    private boolean forRunners;
    private @Nullable Setting held;
    private @Nullable Setting least;
    private Function<String, @Nullable String> secretProblem = _ -> null;

    private Setting(String name, SettingKind kind, @Nullable String defaultValue, String doc) {
        this.name = name;
        this.kind = kind;
        this.defaultValue = defaultValue;
        this.doc = doc;
    }

    /// @param name as the environment variable has it behind its prefix: `SWEEP_INTERVAL_MILLIS`
    /// @param defaultValue null for none
    /// @param doc a sentence for people
    public static Setting of(
            String name, SettingKind kind, @Nullable String defaultValue, String doc) {
        return new Setting(name, kind, defaultValue, doc);
    }

    private static SettingKind text(String label, String allowed) {
        return new Text(label, allowed);
    }

    /// A setting of a door. An invalid one shuts that door and no other.
    Setting ofDoor(String owner) {
        door = owner;
        return this;
    }

    /// A value that nobody may see and that no command line is a place for.
    public Setting asSecret() {
        secret = true;
        return this;
    }

    /// @param problem what is wrong with the secret, wherever it came from, as the end of a
    ///     sentence that starts with the setting; null for nothing. It ends the start
    public Setting asSecret(Function<String, @Nullable String> problem) {
        secretProblem = problem;
        return asSecret();
    }

    /// A file or folder, which counts from where it was set.
    public Setting asPath() {
        path = true;
        return this;
    }

    /// A file whose first line is the value of a secret.
    public Setting holding(Setting secretSetting) {
        held = secretSetting;
        return this;
    }

    /// A whole number that must not be less than that of another setting.
    public Setting notLessThan(Setting smaller) {
        least = smaller;
        return this;
    }

    /// One that processes which run jobs need, too.
    public Setting forRunners() {
        forRunners = true;
        return this;
    }

    /// The name in the settings file: `sweep-interval-millis`.
    public String key() {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The option: `--sweep-interval-millis`; null where a command line is no place for the value.
    public @Nullable String flag() {
        return secret() ? null : "--" + key();
    }

    /// The environment variable: `ORCHESTRION_SWEEP_INTERVAL_MILLIS`.
    public String env() {
        return "ORCHESTRION_" + name;
    }

    public String name() {
        return name;
    }

    SettingKind kind() {
        return kind;
    }

    public @Nullable String defaultValue() {
        return defaultValue;
    }

    public String doc() {
        return doc;
    }

    public boolean secret() {
        return secret;
    }

    /// The door that it is of alone; null for the server itself.
    @Nullable String door() {
        return door;
    }

    boolean path() {
        return path;
    }

    public boolean ofRunners() {
        return forRunners;
    }

    /// The secret that its file holds; null for a setting that names no such file.
    @Nullable Setting held() {
        return held;
    }

    /// The setting that it must not be less than; null for none.
    @Nullable Setting least() {
        return least;
    }

    @Nullable String secretProblem(String value) {
        return secretProblem.apply(value);
    }

    /// The value as people may see it.
    public String shown(String value) {
        if (secret()) {
            return "****";
        }
        if (kind() instanceof WebAddress) {
            // A password in it is refused, and may be a real one.
            return value.replaceAll("//.*@", "//****@");
        }
        return this == DATABASE_URL ? DatabaseUrl.masked(value) : value;
    }

    @Override
    public String toString() {
        return key();
    }
}
