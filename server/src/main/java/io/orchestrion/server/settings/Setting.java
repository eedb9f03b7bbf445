package io.orchestrion.server.settings;

import io.orchestrion.server.settings.SettingKind.Choice;
import io.orchestrion.server.settings.SettingKind.DatabaseAddress;
import io.orchestrion.server.settings.SettingKind.Decimal;
import io.orchestrion.server.settings.SettingKind.Id;
import io.orchestrion.server.settings.SettingKind.Numbers;
import io.orchestrion.server.settings.SettingKind.Pairs;
import io.orchestrion.server.settings.SettingKind.Ranges;
import io.orchestrion.server.settings.SettingKind.Some;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.Waits;
import io.orchestrion.server.settings.SettingKind.WebAddress;
import io.orchestrion.server.settings.SettingKind.Whole;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// The catalogue of settings. Options, environment variables, the keys of the settings file, their
/// checks, `orchestrion config` and `docs/reference/configuration.md` are all read from here.
public enum Setting {
    HOST(
            text("ADDRESS", "a name or address of this machine"),
            "127.0.0.1",
            "Address to listen on. The default lets only this machine in; 0.0.0.0 lets every"
                    + " network in: put a proxy with TLS in front of it then."),
    PORT(
            new Whole(0, 65535),
            "8080",
            "Port to listen on. 0 takes a free one, which the banner names."),
    TRUSTED_PROXIES(
            new Ranges(),
            null,
            "Proxies in front of the server: what they say in X-Forwarded-For or Forwarded about"
                    + " where a request comes from is believed. From anybody else it is passed"
                    + " over."),
    DATA(
            text("FOLDER", "a folder"),
            "~/.orchestrion",
            "Folder of the embedded database, the key file and the settings file."),
    CONFIG(
            text("FILE", "a file"),
            null,
            "Settings file. Without it, orchestrion.conf in the data folder is read if there is"
                    + " one."),
    DATABASE_URL(
            new DatabaseAddress(),
            null,
            "PostgreSQL server to use in place of the embedded one. Any number of servers may share"
                    + " it."),
    DATABASE_USER(
            text("NAME", "a name"), null, "Database user, when the address does not name one."),
    DATABASE_PASSWORD(
            text("TEXT", "any text"),
            null,
            "Database password. It has no option, because every user of a machine can read command"
                    + " lines."),
    DATABASE_PASSWORD_FILE(
            text("FILE", "a file"), null, "File whose first line is the database password."),
    DATABASE_WAIT_SECONDS(
            new Whole(0, 600),
            "10",
            "How long to wait at the start for a database that does not answer yet."),
    COMMITTERS(
            new Whole(1, 16),
            "2",
            "Threads that write to the database, each with a connection of its own. More help only"
                    + " when the database has idle processors."),
    POOL_SIZE(
            new Whole(2, 200),
            "8",
            "Database connections for everything that is not written in batches."),
    QUEUE_BOUND(
            new Whole(100, 1_000_000),
            "10000",
            "Requests that may wait for the database; the next one is answered 503 with"
                    + " Retry-After."),
    IN_FLIGHT_PERCENT(
            new Whole(5, 70),
            "40",
            "Part of the heap that requests and answers may hold at once; beyond it a request is"
                    + " answered 503 with Retry-After. One account may hold a quarter of it; beyond"
                    + " that its requests are answered 429."),
    REQUEST_TIMEOUT_SECONDS(
            new Whole(1, 600),
            "30",
            "Longest time a request may take, waiting for work not included."),
    DRAIN_SECONDS(
            new Whole(0, 600),
            "20",
            "How long a stop waits for requests in flight. A second signal cuts it short."),
    RETENTION_DAYS(
            new Whole(1, 36_500), "90", "Days for which finished work and its history are kept."),
    PLANS_FILE(
            text("FILE", "a JSON file"),
            null,
            "File that changes or adds plans and changes rate limits; see docs/guides/plans.md."),
    // Ten seconds at most, so that an expired lease is back well within the published 30 s.
    SWEEP_INTERVAL_MILLIS(
            new Whole(50, 10_000),
            "1000",
            "Pause between two looks for expired leases, due work and timers."),
    WAKE_HINTS(
            new Choice(List.of("true", "false")),
            "true",
            "Tell other servers on the same database about new work at once (LISTEN/NOTIFY)."
                + " Without it they find it at their next look; switch it off for databases that"
                + " lack it."),
    PUBLIC_URL(
            new WebAddress(false),
            null,
            "Address under which people reach this server, for the links they are sent. Default:"
                    + " where it listens."),
    PAYPAL_URL(
            new WebAddress(true),
            "https://api-m.paypal.com",
            "PayPal's API; https://api-m.sandbox.paypal.com takes play money."),
    PAYPAL_CLIENT_ID(
            text("TEXT", "any text"),
            null,
            "Client id of a PayPal app. Without one no money is taken: the operator approves orders"
                    + " with orchestrion billing approve."),
    PAYPAL_CLIENT_SECRET(
            text("TEXT", "any text"),
            null,
            "Secret of that app. It has no option, because every user of a machine can read command"
                    + " lines."),
    PAYPAL_CLIENT_SECRET_FILE(
            text("FILE", "a file"), null, "File whose first line is that secret."),
    OIDC_ISSUER(
            new WebAddress(true),
            null,
            "Issuer whose tokens (JWT) workers of the queue may show, exactly as its tokens name it"
                    + " in iss. Without one no JWT is taken."),
    OIDC_AUDIENCE(
            text("TEXT", "any text; several with commas between them"),
            null,
            "What a token must be for: one of these in its aud. Needed with an issuer."),
    OIDC_JWKS_URL(
            new WebAddress(true),
            null,
            "Where the issuer's keys are. Without it the issuer's discovery document says so."),
    OIDC_KEYS_REFRESH_SECONDS(
            new Whole(30, 86_400),
            "300",
            "After how long the issuer's keys are fetched anew. A key that it no longer has is"
                    + " refused then; for a new one it is asked at once, twice a minute at most."),
    OIDC_CLOCK_SKEW_SECONDS(
            new Whole(0, 300), "60", "How far the issuer's clock may be from the database's."),
    OIDC_LIFETIME_MAX_SECONDS(
            new Whole(60, 604_800),
            "86400",
            "A token that ends later than this from now is refused."),
    OIDC_WORKER_CLAIM(
            text("NAME", "the name of a claim"), "sub", "Claim that holds the worker's id."),
    OIDC_ACCOUNT(
            new Id(),
            "00000000-0000-7000-8000-000000000001",
            "Account for which workers with a token of the issuer work. Default: the operator's"
                    + " own."),
    OIDC_ACCOUNT_CLAIM(
            text("NAME", "the name of a claim"),
            null,
            "Claim that holds the account's id, where tokens are for several accounts. A token"
                    + " without it is refused then."),
    OIDC_REPOSITORIES_CLAIM(
            text("NAME", "the name of a claim"),
            "allowed_repositories",
            "Claim that lists the repositories that the worker may take jobs of, as a worker token"
                    + " does. Without the claim a token is not restricted."),
    OIDC_JOB_TYPES_CLAIM(
            text("NAME", "the name of a claim"),
            "allowed_job_types",
            "The same for the types of jobs."),
    OIDC_CAPABILITIES_CLAIM(
            text("NAME", "the name of a claim"),
            "capabilities",
            "The same for what the worker is capable of."),
    OIDC_REQUIRED_CLAIMS(
            new Pairs(),
            null,
            "Claims that a token must have, as they stand or as one of a list. For issuers that"
                    + " give tokens to anybody."),
    JOBS_RUNNERS(
            new Whole(0, 256),
            "1",
            "Jobs that the runner in this process does at a time; 0 for none here, where runners"
                    + " are processes of their own (orchestrion runner)."),
    JOBS_HANDLERS(
            text("FOLDER", "a folder"),
            null,
            "Folder of jar files with handlers for real work, for the runner in this process."),
    JOBS_TYPES(
            new Some(List.of("EXECUTE", "DEFERRED", "EMIT_EVENT")),
            "EXECUTE,DEFERRED,EMIT_EVENT",
            "Types of jobs that clients may submit."),
    JOBS_MAX_RETRIES(new Whole(0, 100), "3", "How often a failed job may be tried again."),
    JOBS_BACKOFF_BASE_MILLIS(
            new Whole(1, 3_600_000),
            "1000",
            "How long the first retry of a job waits, give or take; each further one twice as"
                    + " long."),
    JOBS_BACKOFF_MAX_MILLIS(
            new Whole(1, 86_400_000), "60000", "The longest that a retry of a job waits."),
    JOBS_MAX_RUNTIME_SECONDS(
            new Whole(1, 86_400), "120", "The longest that one attempt of a job may run."),
    JOBS_FAILURE_PROBABILITY(
            new Decimal(0, 1),
            "0.2",
            "Share of failing jobs among those that do not say what they simulate."),
    JOBS_TIME_SCALE(
            new Decimal(0.0001, 1),
            "1",
            "What the duration of simulated work is multiplied with; less than 1 for tests."),
    JOBS_MAX_ACTIVE(
            new Whole(1, 100_000),
            "1000",
            "Jobs that are assigned or running at a time, over all clients and servers; others"
                    + " wait."),
    JOBS_MAX_QUEUED(
            new Whole(1, 10_000_000),
            "100000",
            "Jobs that may wait, over all clients and servers; the next one is answered 503 with"
                    + " Retry-After."),
    JOBS_FAIR_SHARE(
            new Whole(0, 100_000),
            "0",
            "Jobs of one client that may be active while another client's wait; 0 is strictly first"
                    + " in, first out."),
    JOBS_PAYLOAD_BYTES(new Whole(2, 262_144), "262144", "The largest payload of a job."),
    JOBS_RETENTION_DAYS(
            new Whole(1, 36_500),
            "30",
            "Days for which a job is kept after its end, with its events and report."),
    JOBS_REJECT_WITHOUT_RUNNERS(
            new Choice(List.of("true", "false")),
            "false",
            "Whether a job is refused while no runner is there; otherwise it waits."),
    JOBS_REQUEST_TIMEOUT_MILLIS(
            new Whole(10, 600_000),
            "30000",
            "The longest that a request of the jobs door may take; then nothing is done and 504"
                    + " answered."),
    JOBS_REQUESTS_PER_MINUTE(
            new Whole(1, 1_000_000),
            "1200",
            "Requests of one client to the jobs door in a minute."),
    JOBS_REQUESTS_PER_DAY(
            new Whole(1, 1_000_000_000),
            "500000",
            "Requests of one client to the jobs door in a day."),
    JOBS_CLIENT_LIMITS(
            new Numbers(1, 1_000_000),
            null,
            "Requests in a minute for clients that have a number of their own."),
    JOBS_CLIENTS_PER_HOUR(
            new Whole(1, 1_000_000),
            "200",
            "Clients that may be made from one address in an hour."),
    JOBS_KEY_DAYS(
            new Whole(1, 3650), "90", "Days for which a client's key works before it is renewed."),
    WEBHOOKS_TIMEOUT_MILLIS(
            new Whole(100, 20_000),
            "5000",
            "Longest time for one whole call of a webhook's receiver, the body of its answer"
                    + " included."),
    WEBHOOKS_RETRIES(
            new Whole(0, 20),
            "5",
            "Retries of a delivery that failed; after the last it has failed, unless there are"
                    + " slow ones."),
    WEBHOOKS_BACKOFF_BASE_MILLIS(
            new Whole(10, 3_600_000),
            "1000",
            "Wait before the first quick retry; each further one waits twice as long."),
    WEBHOOKS_BACKOFF_MAX_MILLIS(
            new Whole(10, 3_600_000), "60000", "Longest wait before a quick retry."),
    WEBHOOKS_SLOW_RETRIES(
            new Waits(),
            "none",
            "Seconds to wait before each of further retries, after the quick ones, such as"
                    + " 300,1800,7200,18000,36000 for a receiver that may be away for most of a"
                    + " day."),
    WEBHOOKS_ALLOW_PRIVATE(
            new Ranges(),
            null,
            "Addresses that webhooks and callbacks may lead to though they are not public. Without"
                    + " it none of this machine or its networks is called."),
    WEBHOOKS_CONCURRENCY(
            new Whole(1, 100), "2", "Calls to one receiver at a time, by all servers together."),
    WEBHOOKS_IN_FLIGHT(new Whole(4, 10_000), "64", "Calls of receivers at a time by this server."),
    WEBHOOKS_BREAKER_FAILURES(
            new Whole(1, 1000),
            "10",
            "Failures in a row after which a receiver is left alone for a while."),
    WEBHOOKS_BREAKER_SECONDS(
            new Whole(1, 3600),
            "30",
            "For how long, the first time; twice as long each time after."),
    WEBHOOKS_BREAKER_MAX_SECONDS(new Whole(1, 86_400), "300", "For how long at the most."),
    WEBHOOKS_PAUSE_HOURS(
            new Whole(1, 8760),
            "72",
            "A webhook that has failed for so long without a success is paused."),
    WEBHOOKS_PENDING_MAX(
            new Whole(10, 1_000_000),
            "10000",
            "Deliveries that may wait for one receiver; more end at once, and are listed so."),
    WEBHOOKS_SECRET_KEY(
            text("TEXT", "32 bytes in base64"),
            null,
            "Key that the secrets of webhooks are sealed with in the database; the same on all"
                    + " servers. Without one they lie there open. It has no option, because every"
                    + " user of a machine can read command lines."),
    WEBHOOKS_SECRET_KEY_FILE(text("FILE", "a file"), null, "File whose first line is that key."),
    LOG_FORMAT(
            new Choice(List.of("text", "json")),
            "text",
            "Lines for people, or one JSON object a line. Logs go to standard error."),
    LOG_LEVEL(
            new Choice(List.of("error", "warn", "info", "debug", "trace")),
            "info",
            "Least severe messages that are logged."),
    LOG_DETAIL(
            new Choice(List.of("none", "jobs", "all")),
            "jobs",
            "Of which doors every request and every state change is logged, at level info: of"
                    + " none, of the jobs door, or of all. The tasks and queue doors do tens of"
                    + " thousands in a second, so all is for looking into something."),
    METRICS_HOST(
            text("ADDRESS", "a name or address of this machine"),
            "127.0.0.1",
            "Address of the listener for metrics, if metrics-port names one."),
    METRICS_PORT(
            new Whole(0, 65535),
            null,
            "Port on which GET /metrics is answered without a key, and nothing else; 0 takes a"
                    + " free one, which the log names. Without it the metrics are at the server's"
                    + " own port for the key in the key file."),
    OTLP_ENDPOINT(
            new WebAddress(false),
            null,
            "Where spans are sent, by OTLP over HTTP: http://localhost:4318 for a collector on"
                    + " this machine. Without it no spans are kept."),
    TRACE_SAMPLE_PERCENT(
            new Whole(0, 100),
            "100",
            "How many of the traces that begin here are kept. One that a client began is kept when"
                    + " its traceparent says so.");

    private final SettingKind kind;
    private final @Nullable String defaultValue;
    private final String doc;

    Setting(SettingKind kind, @Nullable String defaultValue, String doc) {
        this.kind = kind;
        this.defaultValue = defaultValue;
        this.doc = doc;
    }

    private static SettingKind text(String label, String allowed) {
        return new Text(label, allowed);
    }

    /// The name in the settings file: `sweep-interval-millis`.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The option: `--sweep-interval-millis`; null where a command line is no place for the value.
    public @Nullable String flag() {
        return secret() ? null : "--" + key();
    }

    /// The environment variable: `ORCHESTRION_SWEEP_INTERVAL_MILLIS`.
    public String env() {
        return "ORCHESTRION_" + name();
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
        return this == DATABASE_PASSWORD
                || this == PAYPAL_CLIENT_SECRET
                || this == WEBHOOKS_SECRET_KEY;
    }

    /// Whether it is of the jobs door alone. An invalid one shuts that door and no other.
    boolean ofJobs() {
        return name().startsWith("JOBS_") || name().startsWith("WEBHOOKS_");
    }

    boolean path() {
        return this == DATA
                || this == CONFIG
                || this == DATABASE_PASSWORD_FILE
                || this == PLANS_FILE
                || this == JOBS_HANDLERS
                || this == WEBHOOKS_SECRET_KEY_FILE
                || this == PAYPAL_CLIENT_SECRET_FILE;
    }

    /// The value as people may see it.
    public String shown(String value) {
        if (secret()) {
            return "****";
        }
        return this == DATABASE_URL ? DatabaseUrl.masked(value) : value;
    }

    static @Nullable Setting ofKey(String key) {
        for (Setting setting : values()) {
            if (setting.key().equals(key)) {
                return setting;
            }
        }
        return null;
    }
}
