package io.orchestrion.server.doors;

import io.orchestrion.postgres.PostgresHost;
import io.orchestrion.server.billing.BillingOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.jobs.JobsSettings;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.server.webhooks.WebhookOptions;

import org.jspecify.annotations.Nullable;

/// What a server is made of beside its kernel.
///
/// @param version of the product, as its answers show it
/// @param limits the rate limits that it publishes and enforces
/// @param billing who takes the money
/// @param host of the embedded database; null for an outside one
/// @param oidc whose tokens workers may show; null for nobody's
/// @param jobs what is set of the jobs door
/// @param webhooks how receivers are called
public record ServerOptions(
        HttpOptions http,
        String version,
        RateLimits limits,
        BillingOptions billing,
        @Nullable PostgresHost host,
        @Nullable OidcOptions oidc,
        JobsSettings jobs,
        WebhookOptions webhooks) {

    public static ServerOptions on(HttpOptions http, String version) {
        return new ServerOptions(
                http,
                version,
                RateLimits.PUBLISHED,
                BillingOptions.LOCAL,
                null,
                null,
                JobsSettings.DEFAULT,
                WebhookOptions.DEFAULT);
    }

    public ServerOptions withHttp(HttpOptions other) {
        return new ServerOptions(other, version, limits, billing, host, oidc, jobs, webhooks);
    }

    public ServerOptions withLimits(RateLimits others) {
        return new ServerOptions(http, version, others, billing, host, oidc, jobs, webhooks);
    }

    public ServerOptions withBilling(BillingOptions other) {
        return new ServerOptions(http, version, limits, other, host, oidc, jobs, webhooks);
    }

    public ServerOptions withHost(@Nullable PostgresHost other) {
        return new ServerOptions(http, version, limits, billing, other, oidc, jobs, webhooks);
    }

    public ServerOptions withOidc(@Nullable OidcOptions other) {
        return new ServerOptions(http, version, limits, billing, host, other, jobs, webhooks);
    }

    public ServerOptions withJobs(JobsSettings others) {
        return new ServerOptions(http, version, limits, billing, host, oidc, others, webhooks);
    }

    public ServerOptions withWebhooks(WebhookOptions others) {
        return new ServerOptions(http, version, limits, billing, host, oidc, jobs, others);
    }
}
