package io.orchestrion.server.jobs;

import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Ranges;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.Waits;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.server.webhooks.WebhookOptions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Base64;
import java.util.List;

/// The settings of webhooks, which are managed at the jobs door, and how they are read.
public final class WebhookSetting {
    private WebhookSetting() {}

    public static final Setting WEBHOOKS_TIMEOUT_MILLIS =
            Setting.of(
                    "WEBHOOKS_TIMEOUT_MILLIS",
                    new Whole(100, 20_000),
                    "5000",
                    "Longest time for one whole call to a webhook's receiver, including the body of"
                            + " its answer.");

    public static final Setting WEBHOOKS_RETRIES =
            Setting.of(
                    "WEBHOOKS_RETRIES",
                    new Whole(0, 20),
                    "5",
                    "Retries of a failed delivery. After the last one the delivery has failed,"
                            + " unless webhooks-slow-retries adds more.");

    public static final Setting WEBHOOKS_BACKOFF_BASE_MILLIS =
            Setting.of(
                    "WEBHOOKS_BACKOFF_BASE_MILLIS",
                    new Whole(10, 3_600_000),
                    "1000",
                    "Wait before the first of these retries. Each further wait is twice as long.");

    public static final Setting WEBHOOKS_BACKOFF_MAX_MILLIS =
            Setting.of(
                            "WEBHOOKS_BACKOFF_MAX_MILLIS",
                            new Whole(10, 3_600_000),
                            "60000",
                            "Longest wait before one of these retries.")
                    .notLessThan(WEBHOOKS_BACKOFF_BASE_MILLIS);

    public static final Setting WEBHOOKS_SLOW_RETRIES =
            Setting.of(
                    "WEBHOOKS_SLOW_RETRIES",
                    new Waits(),
                    "none",
                    "Seconds to wait before each further retry, after those of webhooks-retries."
                        + " Example: 300,1800,7200,18000,36000 for a receiver that may be down for"
                        + " most of a day.");

    public static final Setting WEBHOOKS_ALLOW_PRIVATE =
            Setting.of(
                    "WEBHOOKS_ALLOW_PRIVATE",
                    new Ranges(),
                    null,
                    "Addresses that are not public and that webhooks and callbacks may call"
                        + " nevertheless. Without it no address of this machine or its networks is"
                        + " called.");

    public static final Setting WEBHOOKS_CONCURRENCY =
            Setting.of(
                    "WEBHOOKS_CONCURRENCY",
                    new Whole(1, 100),
                    "2",
                    "Calls to one receiver at once, by all servers together.");

    public static final Setting WEBHOOKS_IN_FLIGHT =
            Setting.of(
                    "WEBHOOKS_IN_FLIGHT",
                    new Whole(4, 10_000),
                    "64",
                    "Calls to receivers at once by this server.");

    public static final Setting WEBHOOKS_BREAKER_FAILURES =
            Setting.of(
                    "WEBHOOKS_BREAKER_FAILURES",
                    new Whole(1, 1000),
                    "10",
                    "Failures in a row after which calls to a receiver pause.");

    public static final Setting WEBHOOKS_BREAKER_SECONDS =
            Setting.of(
                    "WEBHOOKS_BREAKER_SECONDS",
                    new Whole(1, 3600),
                    "30",
                    "Length of the first such pause. Each further pause is twice as long.");

    public static final Setting WEBHOOKS_BREAKER_MAX_SECONDS =
            Setting.of(
                            "WEBHOOKS_BREAKER_MAX_SECONDS",
                            new Whole(1, 86_400),
                            "300",
                            "Longest such pause.")
                    .notLessThan(WEBHOOKS_BREAKER_SECONDS);

    public static final Setting WEBHOOKS_PAUSE_HOURS =
            Setting.of(
                    "WEBHOOKS_PAUSE_HOURS",
                    new Whole(1, 8760),
                    "72",
                    "Hours of failures without a success after which a webhook is paused.");

    public static final Setting WEBHOOKS_PENDING_MAX =
            Setting.of(
                    "WEBHOOKS_PENDING_MAX",
                    new Whole(10, 1_000_000),
                    "10000",
                    "Deliveries that may wait for one receiver. Further ones end at once, and the"
                            + " list of deliveries says so.");

    public static final Setting WEBHOOKS_SECRET_KEY =
            Setting.of(
                            "WEBHOOKS_SECRET_KEY",
                            new Text("TEXT", "32 bytes in base64"),
                            null,
                            "Key with which the secrets of webhooks are encrypted in the database."
                                + " All servers need the same key. Without one the secrets are"
                                + " stored in plain text. It has no option, because every user of a"
                                + " machine can read command lines.")
                    .asSecret(WebhookSetting::keyProblem);

    public static final Setting WEBHOOKS_SECRET_KEY_FILE =
            Setting.of(
                            "WEBHOOKS_SECRET_KEY_FILE",
                            new Text("FILE", "a file"),
                            null,
                            "File whose first line is the key of webhooks-secret-key.")
                    .asPath()
                    .holding(WEBHOOKS_SECRET_KEY);

    public static final List<Setting> ALL =
            List.of(
                    WEBHOOKS_TIMEOUT_MILLIS,
                    WEBHOOKS_RETRIES,
                    WEBHOOKS_BACKOFF_BASE_MILLIS,
                    WEBHOOKS_BACKOFF_MAX_MILLIS,
                    WEBHOOKS_SLOW_RETRIES,
                    WEBHOOKS_ALLOW_PRIVATE,
                    WEBHOOKS_CONCURRENCY,
                    WEBHOOKS_IN_FLIGHT,
                    WEBHOOKS_BREAKER_FAILURES,
                    WEBHOOKS_BREAKER_SECONDS,
                    WEBHOOKS_BREAKER_MAX_SECONDS,
                    WEBHOOKS_PAUSE_HOURS,
                    WEBHOOKS_PENDING_MAX,
                    WEBHOOKS_SECRET_KEY,
                    WEBHOOKS_SECRET_KEY_FILE);

    private static final int SECRET_KEY_BYTES = 32;

    private static @Nullable String keyProblem(String key) {
        try {
            if (Base64.getDecoder().decode(key).length == SECRET_KEY_BYTES) {
                return null;
            }
        } catch (IllegalArgumentException e) {
            // Said below, in the same words as for one that is too short.
        }
        return "must be " + SECRET_KEY_BYTES + " bytes in base64";
    }

    /// How receivers are called.
    public static WebhookOptions read(Settings settings) {
        if (!settings.faults(JobsDoor.NAME).isEmpty()) {
            return WebhookOptions.DEFAULT;
        }
        String allowed = settings.find(WEBHOOKS_ALLOW_PRIVATE);
        List<Duration> slow = Waits.read(settings.text(WEBHOOKS_SLOW_RETRIES));
        String key = settings.secret(WEBHOOKS_SECRET_KEY);
        Duration base = Duration.ofMillis(settings.whole(WEBHOOKS_BACKOFF_BASE_MILLIS));
        Duration cap = Duration.ofMillis(settings.whole(WEBHOOKS_BACKOFF_MAX_MILLIS));
        return WebhookOptions.DEFAULT
                .withTimeout(Duration.ofMillis(settings.whole(WEBHOOKS_TIMEOUT_MILLIS)))
                .withTries(
                        settings.whole(WEBHOOKS_RETRIES),
                        base,
                        cap,
                        slow == null ? List.of() : slow)
                .withAddresses(
                        allowed == null ? AddressRanges.NONE : AddressRanges.of(allowed),
                        AddressGuard.Resolver.SYSTEM)
                .withBounds(
                        settings.whole(WEBHOOKS_CONCURRENCY),
                        settings.whole(WEBHOOKS_IN_FLIGHT),
                        new WebhookOptions.Breaker(
                                settings.whole(WEBHOOKS_BREAKER_FAILURES),
                                Duration.ofSeconds(settings.whole(WEBHOOKS_BREAKER_SECONDS)),
                                Duration.ofSeconds(settings.whole(WEBHOOKS_BREAKER_MAX_SECONDS)),
                                Duration.ofHours(settings.whole(WEBHOOKS_PAUSE_HOURS))),
                        settings.whole(WEBHOOKS_PENDING_MAX))
                .withSecretKey(key == null ? null : Base64.getDecoder().decode(key));
    }
}
