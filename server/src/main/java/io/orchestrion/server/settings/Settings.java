package io.orchestrion.server.settings;

import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.server.observe.ObserveOptions;
import io.orchestrion.server.oidc.OidcOptions;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;

/// The effective settings: every value checked, and knowing where it came from.
public final class Settings {
    /// A checked value and its origin. It prints nothing, so that no log shows a secret by
    /// accident.
    record Value(String text, Origin origin) {
        @Override
        public String toString() {
            return "(" + origin + ")";
        }
    }

    private final Map<Setting, Value> values;
    private final Map<Setting, String> secrets;
    private final List<String> warnings;
    private final SettingsCatalogue catalogue;
    private final Map<String, List<String>> faults;

    /// @param secrets as they count, whether they came in a setting or in a file
    /// @param faults what is wrong with the settings of doors, by their names
    Settings(
            SettingsCatalogue catalogue,
            Map<Setting, Value> values,
            Map<Setting, String> secrets,
            List<String> warnings,
            Map<String, List<String>> faults) {
        this.catalogue = catalogue;
        this.values = new LinkedHashMap<>(values);
        this.secrets = Map.copyOf(secrets);
        this.warnings = List.copyOf(warnings);
        this.faults = Map.copyOf(faults);
    }

    public String host() {
        return text(Setting.HOST);
    }

    public int port() {
        return whole(Setting.PORT);
    }

    public String adminHost() {
        return text(Setting.ADMIN_HOST);
    }

    /// Where what is for the server's operator is answered alone; null for the port of all else.
    public @Nullable Integer adminPort() {
        return find(Setting.ADMIN_PORT) == null ? null : whole(Setting.ADMIN_PORT);
    }

    public AddressRanges trustedProxies() {
        String ranges = find(Setting.TRUSTED_PROXIES);
        return ranges == null ? AddressRanges.NONE : AddressRanges.of(ranges);
    }

    /// Absolute; need not exist yet.
    public Path data() {
        return Path.of(text(Setting.DATA));
    }

    /// Where to find the outside database, without secrets; null for the embedded one.
    public @Nullable String databaseUrl() {
        DatabaseUrl url = database();
        return url == null ? null : url.jdbcUrl();
    }

    public @Nullable String databaseUser() {
        DatabaseUrl url = database();
        String own = find(Setting.DATABASE_USER);
        return own != null || url == null ? own : url.user();
    }

    public @Nullable String databasePassword() {
        DatabaseUrl url = database();
        String own = secrets.get(Setting.DATABASE_PASSWORD);
        return own != null || url == null ? own : url.password();
    }

    public int databaseWaitSeconds() {
        return whole(Setting.DATABASE_WAIT_SECONDS);
    }

    public int committers() {
        return whole(Setting.COMMITTERS);
    }

    public int poolSize() {
        return whole(Setting.POOL_SIZE);
    }

    public int inFlightPercent() {
        return whole(Setting.IN_FLIGHT_PERCENT);
    }

    public int queueBound() {
        return whole(Setting.QUEUE_BOUND);
    }

    public int requestTimeoutSeconds() {
        return whole(Setting.REQUEST_TIMEOUT_SECONDS);
    }

    public int drainSeconds() {
        return whole(Setting.DRAIN_SECONDS);
    }

    public int retentionDays() {
        return whole(Setting.RETENTION_DAYS);
    }

    /// What changes the published plans and limits; null when nothing does.
    public @Nullable Path plansFile() {
        String file = find(Setting.PLANS_FILE);
        return file == null ? null : Path.of(file);
    }

    public int sweepIntervalMillis() {
        return whole(Setting.SWEEP_INTERVAL_MILLIS);
    }

    public boolean wakeHints() {
        return text(Setting.WAKE_HINTS).equals("true");
    }

    /// Under which people reach this server; null for where it listens.
    public @Nullable URI publicUrl() {
        String url = find(Setting.PUBLIC_URL);
        return url == null ? null : URI.create(url);
    }

    public URI payPalUrl() {
        return URI.create(text(Setting.PAYPAL_URL));
    }

    /// Null where no money is taken; then there is no secret either.
    public @Nullable String payPalClientId() {
        return find(Setting.PAYPAL_CLIENT_ID);
    }

    public @Nullable String payPalClientSecret() {
        return secrets.get(Setting.PAYPAL_CLIENT_SECRET);
    }

    /// Whose tokens workers may show; null for nobody's.
    public @Nullable OidcOptions oidc() {
        String issuer = find(OidcSetting.OIDC_ISSUER);
        String audience = find(OidcSetting.OIDC_AUDIENCE);
        if (issuer == null || audience == null) {
            return null;
        }
        String keys = find(OidcSetting.OIDC_JWKS_URL);
        String required = find(OidcSetting.OIDC_REQUIRED_CLAIMS);
        Map<String, String> pairs = required == null ? null : SettingKind.Pairs.read(required);
        return new OidcOptions(
                issuer,
                Arrays.stream(audience.split(","))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList(),
                keys == null ? null : URI.create(keys),
                Duration.ofSeconds(whole(OidcSetting.OIDC_CLOCK_SKEW_SECONDS)),
                Duration.ofSeconds(whole(OidcSetting.OIDC_LIFETIME_MAX_SECONDS)),
                new OidcOptions.Claims(
                        text(OidcSetting.OIDC_WORKER_CLAIM),
                        find(OidcSetting.OIDC_ACCOUNT_CLAIM),
                        text(OidcSetting.OIDC_REPOSITORIES_CLAIM),
                        text(OidcSetting.OIDC_JOB_TYPES_CLAIM),
                        text(OidcSetting.OIDC_CAPABILITIES_CLAIM)),
                UUID.fromString(text(OidcSetting.OIDC_ACCOUNT)),
                pairs == null ? Map.of() : pairs,
                OidcOptions.Pace.every(
                        Duration.ofSeconds(whole(OidcSetting.OIDC_KEYS_REFRESH_SECONDS))));
    }

    /// What is observed and where it goes.
    public ObserveOptions observe() {
        String otlp = find(ObserveSetting.OTLP_ENDPOINT);
        return new ObserveOptions(
                switch (text(ObserveSetting.LOG_DETAIL)) {
                    case "none" -> ObserveOptions.Detail.NONE;
                    case "all" -> ObserveOptions.Detail.ALL;
                    default -> ObserveOptions.Detail.USUAL;
                },
                otlp == null ? null : URI.create(otlp),
                whole(ObserveSetting.TRACE_SAMPLE_PERCENT));
    }

    public String metricsHost() {
        return text(ObserveSetting.METRICS_HOST);
    }

    /// Where metrics are read without a key; null for nowhere.
    public @Nullable Integer metricsPort() {
        return find(ObserveSetting.METRICS_PORT) == null
                ? null
                : whole(ObserveSetting.METRICS_PORT);
    }

    public boolean logJson() {
        return text(ObserveSetting.LOG_FORMAT).equals("json");
    }

    public String logLevel() {
        return text(ObserveSetting.LOG_LEVEL);
    }

    /// What the operator should know and the start goes on without, such as a variable nobody
    /// reads.
    public List<String> warnings() {
        return warnings;
    }

    public @Nullable DatabaseUrl database() {
        String url = find(Setting.DATABASE_URL);
        return url == null ? null : DatabaseUrl.parse(url);
    }

    @Nullable Value value(Setting setting) {
        return values.get(setting);
    }

    /// Null for what is not set.
    public @Nullable String find(Setting setting) {
        Value value = values.get(setting);
        return value == null ? null : value.text();
    }

    /// Of a setting that always has a value.
    public String text(Setting setting) {
        String text = find(setting);
        if (text == null) {
            throw new IllegalStateException(setting.key() + " has neither a value nor a default");
        }
        return setting.kind() instanceof SettingKind.Choice ? text.toLowerCase(Locale.ROOT) : text;
    }

    /// A secret as it counts, whether it came in a setting or in a file; null for none.
    public @Nullable String secret(Setting setting) {
        return secrets.get(setting);
    }

    /// What is wrong with the settings of a door, in words for the operator.
    public List<String> faults(String door) {
        return faults.getOrDefault(door, List.of());
    }

    public int whole(Setting setting) {
        return Integer.parseInt(text(setting));
    }

    /// Key, value and origin of every setting, with secrets starred.
    @Override
    public String toString() {
        var lines = new StringJoiner("\n");
        for (Setting setting : catalogue.all()) {
            Value value = values.get(setting);
            lines.add(
                    "%-26s%-34s%s"
                            .formatted(
                                    setting.key(),
                                    value == null ? "-" : setting.shown(value.text()),
                                    value == null ? "not set" : value.origin())
                            .stripTrailing());
        }
        return lines.toString();
    }
}
