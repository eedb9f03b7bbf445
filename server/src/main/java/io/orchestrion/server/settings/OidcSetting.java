package io.orchestrion.server.settings;

import io.orchestrion.server.settings.SettingKind.Id;
import io.orchestrion.server.settings.SettingKind.Pairs;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.WebAddress;
import io.orchestrion.server.settings.SettingKind.Whole;

import java.util.List;

/// The settings of the issuer whose tokens workers may use.
public final class OidcSetting {
    private OidcSetting() {}

    public static final Setting OIDC_ISSUER =
            Setting.of(
                    "OIDC_ISSUER",
                    new WebAddress(true),
                    null,
                    "Issuer whose tokens (JWT) workers of the queue may show, exactly as its tokens"
                            + " name it in iss. Without one no JWT is taken.");

    public static final Setting OIDC_AUDIENCE =
            Setting.of(
                    "OIDC_AUDIENCE",
                    new Text("TEXT", "any text; several with commas between them"),
                    null,
                    "What a token must be for: one of these in its aud. Needed with an issuer.");

    public static final Setting OIDC_JWKS_URL =
            Setting.of(
                    "OIDC_JWKS_URL",
                    new WebAddress(true),
                    null,
                    "Where the issuer's keys are. Without it the issuer's discovery document says"
                            + " so.");

    public static final Setting OIDC_KEYS_REFRESH_SECONDS =
            Setting.of(
                    "OIDC_KEYS_REFRESH_SECONDS",
                    new Whole(30, 86_400),
                    "300",
                    "After how long the issuer's keys are fetched anew. A key that it no longer has"
                        + " is refused then; for a new one it is asked at once, twice a minute at"
                        + " most.");

    public static final Setting OIDC_CLOCK_SKEW_SECONDS =
            Setting.of(
                    "OIDC_CLOCK_SKEW_SECONDS",
                    new Whole(0, 300),
                    "60",
                    "How far the issuer's clock may be from the database's.");

    public static final Setting OIDC_LIFETIME_MAX_SECONDS =
            Setting.of(
                    "OIDC_LIFETIME_MAX_SECONDS",
                    new Whole(60, 604_800),
                    "86400",
                    "A token that ends later than this from now is refused.");

    public static final Setting OIDC_WORKER_CLAIM =
            Setting.of(
                    "OIDC_WORKER_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    "sub",
                    "Claim that holds the worker's id.");

    public static final Setting OIDC_ACCOUNT =
            Setting.of(
                    "OIDC_ACCOUNT",
                    new Id(),
                    "00000000-0000-7000-8000-000000000001",
                    "Account for which workers with a token of the issuer work. Default: the"
                            + " operator's own.");

    public static final Setting OIDC_ACCOUNT_CLAIM =
            Setting.of(
                    "OIDC_ACCOUNT_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    null,
                    "Claim that holds the account's id, where tokens are for several accounts. A"
                            + " token without it is refused then.");

    public static final Setting OIDC_REPOSITORIES_CLAIM =
            Setting.of(
                    "OIDC_REPOSITORIES_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    "allowed_repositories",
                    "Claim that lists the repositories that the worker may take jobs of, as a"
                            + " worker token does. Without the claim a token is not restricted.");

    public static final Setting OIDC_JOB_TYPES_CLAIM =
            Setting.of(
                    "OIDC_JOB_TYPES_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    "allowed_job_types",
                    "The same for the types of jobs.");

    public static final Setting OIDC_CAPABILITIES_CLAIM =
            Setting.of(
                    "OIDC_CAPABILITIES_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    "capabilities",
                    "The same for what the worker is capable of.");

    public static final Setting OIDC_REQUIRED_CLAIMS =
            Setting.of(
                    "OIDC_REQUIRED_CLAIMS",
                    new Pairs(),
                    null,
                    "Claims that a token must have, as they stand or as one of a list. For issuers"
                            + " that give tokens to anybody.");

    /// In the order of the reference.
    static final List<Setting> ALL =
            List.of(
                    OIDC_ISSUER,
                    OIDC_AUDIENCE,
                    OIDC_JWKS_URL,
                    OIDC_KEYS_REFRESH_SECONDS,
                    OIDC_CLOCK_SKEW_SECONDS,
                    OIDC_LIFETIME_MAX_SECONDS,
                    OIDC_WORKER_CLAIM,
                    OIDC_ACCOUNT,
                    OIDC_ACCOUNT_CLAIM,
                    OIDC_REPOSITORIES_CLAIM,
                    OIDC_JOB_TYPES_CLAIM,
                    OIDC_CAPABILITIES_CLAIM,
                    OIDC_REQUIRED_CLAIMS);
}
