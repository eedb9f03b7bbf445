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
                    "Issuer of the tokens (JWT) that workers of the queue may send, exactly as the"
                            + " claim iss names it. Without an issuer no JWT is accepted.");

    public static final Setting OIDC_AUDIENCE =
            Setting.of(
                    "OIDC_AUDIENCE",
                    new Text("TEXT", "any text; several with commas between them"),
                    null,
                    "Accepted audiences. The claim aud of a token must contain one of them."
                            + " Required with an issuer.");

    public static final Setting OIDC_JWKS_URL =
            Setting.of(
                    "OIDC_JWKS_URL",
                    new WebAddress(true),
                    null,
                    "Address of the issuer's keys. Default: the address in the issuer's discovery"
                            + " document.");

    public static final Setting OIDC_KEYS_REFRESH_SECONDS =
            Setting.of(
                    "OIDC_KEYS_REFRESH_SECONDS",
                    new Whole(30, 86_400),
                    "300",
                    "Time after which the issuer's keys are fetched again. A key that the issuer"
                        + " has removed is refused from then on. For an unknown key the server asks"
                        + " the issuer at once, at most twice a minute.");

    public static final Setting OIDC_CLOCK_SKEW_SECONDS =
            Setting.of(
                    "OIDC_CLOCK_SKEW_SECONDS",
                    new Whole(0, 300),
                    "60",
                    "How much the issuer's clock may differ from the database's clock.");

    public static final Setting OIDC_LIFETIME_MAX_SECONDS =
            Setting.of(
                    "OIDC_LIFETIME_MAX_SECONDS",
                    new Whole(60, 604_800),
                    "86400",
                    "Longest remaining lifetime of a token. A token that expires later is"
                            + " refused.");

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
                    "Account whose jobs workers with a token of the issuer take. Default: the"
                            + " operator's own account.");

    public static final Setting OIDC_ACCOUNT_CLAIM =
            Setting.of(
                    "OIDC_ACCOUNT_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    null,
                    "Claim that holds the account's id, for an issuer that serves several accounts."
                            + " A token without the claim is then refused.");

    public static final Setting OIDC_REPOSITORIES_CLAIM =
            Setting.of(
                    "OIDC_REPOSITORIES_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    "allowed_repositories",
                    "Claim that lists the repositories whose jobs the worker may take. A token"
                            + " without the claim is not restricted.");

    public static final Setting OIDC_JOB_TYPES_CLAIM =
            Setting.of(
                    "OIDC_JOB_TYPES_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    "allowed_job_types",
                    "Claim that lists the types of jobs that the worker may take. A token without"
                            + " the claim is not restricted.");

    public static final Setting OIDC_CAPABILITIES_CLAIM =
            Setting.of(
                    "OIDC_CAPABILITIES_CLAIM",
                    new Text("NAME", "the name of a claim"),
                    "capabilities",
                    "Claim that lists the capabilities of the worker. A token without the claim is"
                            + " not restricted.");

    public static final Setting OIDC_REQUIRED_CLAIMS =
            Setting.of(
                    "OIDC_REQUIRED_CLAIMS",
                    new Pairs(),
                    null,
                    "Claims that a token must have. The claim must equal the value, or be a list"
                            + " that contains it. Meant for issuers that give tokens to anybody.");

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
