package io.orchestrion.server;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.billing.Billing;
import io.orchestrion.server.billing.BillingPages;
import io.orchestrion.server.billing.PaymentProvider;
import io.orchestrion.server.billing.PublicAddress;
import io.orchestrion.server.discovery.DiscoveryEndpoints;
import io.orchestrion.server.discovery.DiscoveryHandlers;
import io.orchestrion.server.discovery.Facts;
import io.orchestrion.server.door.SubjectDoorEvents;
import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.http.HttpServer;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.jobs.ClientEndpoints;
import io.orchestrion.server.jobs.ClientHandlers;
import io.orchestrion.server.jobs.JobDoorEvents;
import io.orchestrion.server.jobs.JobsDeadline;
import io.orchestrion.server.jobs.JobsDoor;
import io.orchestrion.server.jobs.JobsEndpoints;
import io.orchestrion.server.jobs.JobsGates;
import io.orchestrion.server.jobs.JobsHandlers;
import io.orchestrion.server.jobs.JobsReadiness;
import io.orchestrion.server.jobs.JobsSettings;
import io.orchestrion.server.jobs.ProblemPages;
import io.orchestrion.server.limits.Paces;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.observe.Metrics;
import io.orchestrion.server.observe.MetricsHandler;
import io.orchestrion.server.observe.ObserveOptions;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.oidc.JwtVerifier;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.server.queue.JobEventHandlers;
import io.orchestrion.server.queue.JobHolderHandlers;
import io.orchestrion.server.queue.QueueDoor;
import io.orchestrion.server.queue.QueueDoorEvents;
import io.orchestrion.server.queue.QueueEndpoints;
import io.orchestrion.server.queue.QueueGates;
import io.orchestrion.server.queue.QueueHandlers;
import io.orchestrion.server.queue.TokenEndpoints;
import io.orchestrion.server.queue.TokenHandlers;
import io.orchestrion.server.queue.WorkerAuthentication;
import io.orchestrion.server.schema.JsonSchemas;
import io.orchestrion.server.tasks.AuditHandlers;
import io.orchestrion.server.tasks.BatchEndpoints;
import io.orchestrion.server.tasks.BatchHandlers;
import io.orchestrion.server.tasks.BillingEndpoints;
import io.orchestrion.server.tasks.BillingHandlers;
import io.orchestrion.server.tasks.CallerScopes;
import io.orchestrion.server.tasks.EventEndpoints;
import io.orchestrion.server.tasks.EventHandlers;
import io.orchestrion.server.tasks.FlowEndpoints;
import io.orchestrion.server.tasks.FlowHandlers;
import io.orchestrion.server.tasks.HealthHandler;
import io.orchestrion.server.tasks.KeyEndpoints;
import io.orchestrion.server.tasks.KeyHandlers;
import io.orchestrion.server.tasks.OperationEndpoints;
import io.orchestrion.server.tasks.OperationHandlers;
import io.orchestrion.server.tasks.ScheduleEndpoints;
import io.orchestrion.server.tasks.ScheduleHandlers;
import io.orchestrion.server.tasks.TaskDoorEvents;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskGates;
import io.orchestrion.server.tasks.TaskHandlers;
import io.orchestrion.server.tasks.TasksDoor;
import io.orchestrion.server.tasks.TermsEndpoints;
import io.orchestrion.server.tasks.TypeEndpoints;
import io.orchestrion.server.tasks.TypeHandlers;
import io.orchestrion.server.tasks.TypeRules;
import io.orchestrion.server.webhooks.DeliveryHandlers;
import io.orchestrion.server.webhooks.WebhookEndpoints;
import io.orchestrion.server.webhooks.WebhookHandlers;
import io.orchestrion.server.webhooks.Webhooks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/// A kernel behind its doors, listening.
public final class OrchestrionServer implements AutoCloseable {
    private final Kernel kernel;
    private final Jobs jobs;
    private final Webhooks webhooks;
    private final HttpServer http;
    private final PaymentProvider payments;
    private final @Nullable JwtVerifier jwts;
    private final AtomicBoolean draining;

    /// Every endpoint of every door.
    public static final Catalogue CATALOGUE =
            Catalogue.of(
                    List.of(
                            KeyEndpoints.CATALOGUE,
                            TaskEndpoints.CATALOGUE,
                            ScheduleEndpoints.CATALOGUE,
                            OperationEndpoints.CATALOGUE,
                            AuditHandlers.CATALOGUE,
                            TermsEndpoints.CATALOGUE,
                            FlowEndpoints.CATALOGUE,
                            EventEndpoints.CATALOGUE,
                            TypeEndpoints.CATALOGUE,
                            BatchEndpoints.CATALOGUE,
                            BillingEndpoints.CATALOGUE,
                            BillingPages.CATALOGUE,
                            DiscoveryEndpoints.CATALOGUE,
                            QueueEndpoints.CATALOGUE,
                            TokenEndpoints.CATALOGUE,
                            JobsEndpoints.CATALOGUE,
                            WebhookEndpoints.CATALOGUE,
                            ClientEndpoints.CATALOGUE,
                            ProblemPages.CATALOGUE,
                            MetricsHandler.CATALOGUE));

    private OrchestrionServer(
            Kernel kernel,
            Jobs jobs,
            Webhooks webhooks,
            HttpServer http,
            PaymentProvider payments,
            @Nullable JwtVerifier jwts,
            AtomicBoolean draining) {
        this.kernel = kernel;
        this.jobs = jobs;
        this.webhooks = webhooks;
        this.http = http;
        this.payments = payments;
        this.jwts = jwts;
        this.draining = draining;
    }

    /// Starts listening; the kernel's schema is there, and its own loops are the caller's to
    /// start.
    public static OrchestrionServer start(Kernel kernel, ServerOptions options) {
        var limiter =
                new RateLimiter(
                        options.limits(),
                        kernel.allowances(),
                        kernel.standings(),
                        kernel.database());
        var paces = new Paces(CATALOGUE, limiter);
        var router =
                Router.of(CATALOGUE, new TasksDoor(JobsDoor::writeNotFound))
                        .door(new QueueDoor())
                        .door(new JobsDoor(TasksDoor::writeNotFound))
                        .around(
                                handler ->
                                        JobsDeadline.during(
                                                CallerScopes.during(handler, paces),
                                                options.jobs().requestTime()));
        for (Gate gate : TaskGates.of(kernel.identity(), limiter)) {
            router.gate(gate);
        }
        JwtVerifier jwts = jwts(kernel, options.oidc());
        var authentication =
                new WorkerAuthentication(kernel.identity(), kernel.workerTokens(), jwts);
        for (Gate gate : QueueGates.of(authentication, limiter)) {
            router.gate(gate);
        }
        // Whoever listens to the kernel hears of the calls too.
        Observer observer =
                kernel.signals() instanceof Observer own
                        ? own
                        : new Observer(ObserveOptions.DEFAULT, options.version());
        AddressGuard guard = options.webhooks().guard();
        Jobs jobs = jobs(kernel, options.jobs(), router, limiter, guard, observer.metrics());
        var webhooks =
                new Webhooks(
                        kernel,
                        Stream.concat(
                                        Stream.of(
                                                new TaskDoorEvents(),
                                                new QueueDoorEvents(),
                                                new JobDoorEvents()),
                                        SubjectDoorEvents.all(kernel.subjects().kinds()).stream())
                                .toList(),
                        options.webhooks(),
                        guard,
                        options.version());
        new WebhookHandlers(webhooks).addTo(router);
        new DeliveryHandlers(webhooks, JobDoorEvents.look(jobs)).addTo(router);
        new TokenHandlers(kernel.workerTokens()).addTo(router);
        new QueueHandlers(kernel.work(), kernel.deadLetters()).addTo(router);
        new JobHolderHandlers(kernel.work(), authentication::again).addTo(router);
        new JobEventHandlers(kernel.work(), kernel.jobEvents(), kernel.identity()).addTo(router);
        new KeyHandlers(kernel.identity(), kernel.keys()).addTo(router);
        var rules =
                new TypeRules(
                        kernel.types(),
                        kernel.work(),
                        new JsonSchemas(kernel.database().failpoints()));
        new TaskHandlers(kernel.work(), kernel.ids(), rules).addTo(router);
        new TypeHandlers(kernel.types(), rules).addTo(router);
        new ScheduleHandlers(kernel.schedules(), rules).addTo(router);
        new OperationHandlers(kernel.bulk()).addTo(router);
        new AuditHandlers(kernel.audit()).addTo(router);
        new FlowHandlers(kernel.flows()).addTo(router);
        new EventHandlers(
                        kernel.events(),
                        kernel.work(),
                        kernel.identity(),
                        kernel.subjects().kinds())
                .addTo(router);
        new BatchHandlers(kernel.work(), limiter, rules).addTo(router);
        var draining = new AtomicBoolean();
        new HealthHandler(
                        kernel,
                        options.version(),
                        options.host(),
                        options.jobs().fault() != null,
                        draining::get)
                .addTo(router);
        var address =
                new PublicAddress(
                        options.billing().publicUrl(),
                        options.http().host(),
                        options.http().port());
        PaymentProvider payments = options.billing().provider(kernel, address);
        var billing = new Billing(kernel, payments);
        kernel.add(billing.settler());
        new BillingHandlers(billing, limiter).addTo(router);
        new BillingPages(billing).addTo(router);
        new DiscoveryHandlers(facts(kernel, options, payments)).addTo(router);
        new MetricsHandler(observer.metrics(), TasksDoor::notForThisKey).addTo(router);
        HttpServer http = HttpServer.start(options.http(), router.build(), observer);
        observer.metrics().show(kernel, options.version(), http::inFlight);
        address.listensOn(options.http().host(), http.port());
        return new OrchestrionServer(kernel, jobs, webhooks, http, payments, jwts, draining);
    }

    private static Jobs jobs(
            Kernel kernel,
            JobsSettings settings,
            Router.Builder router,
            RateLimiter limiter,
            AddressGuard guard,
            Metrics metrics) {
        for (Gate gate : JobsGates.of(kernel.identity(), limiter, settings.fault())) {
            router.gate(gate);
        }
        var runners = new Runners(kernel.database());
        var jobs = new Jobs(kernel, settings.engine(), settings.definitions());
        jobs.runnersKnownBy(() -> runners.available().any());
        metrics.runnersKnownBy(runners::available);
        new JobsHandlers(jobs, guard).addTo(router);
        new JobsReadiness(runners).addTo(router);
        new ClientHandlers(kernel.clients(), kernel.identity(), settings.keyLife()).addTo(router);
        new ProblemPages().addTo(router);
        return jobs;
    }

    private static @Nullable JwtVerifier jwts(Kernel kernel, @Nullable OidcOptions oidc) {
        return oidc == null
                ? null
                : new JwtVerifier(
                        oidc, kernel.identity()::exists, kernel.database()::aboutNowMillis);
    }

    private static Facts facts(Kernel kernel, ServerOptions options, PaymentProvider payments) {
        return Facts.of(
                CATALOGUE,
                options.limits(),
                kernel.standings().plans(),
                payments.title(),
                options.version());
    }

    public int port() {
        return http.port();
    }

    /// Calls being served now.
    public int inFlight() {
        return http.inFlight();
    }

    /// Bytes that calls hold now.
    public long bytesInFlight() {
        return http.bytesInFlight();
    }

    public Kernel kernel() {
        return kernel;
    }

    /// For the runners of this process.
    public Jobs jobs() {
        return jobs;
    }

    /// Who is told of events.
    public Webhooks webhooks() {
        return webhooks;
    }

    /// No more claims, then no more requests; what is under way ends, within the given time.
    public void drain(Duration atMost) {
        draining.set(true);
        kernel.pool().stopTaking();
        kernel.work().closeClaims();
        http.stop(atMost);
    }

    @Override
    public void close() {
        http.close();
        // Before the kernel: a duty that waits for an answer need not be waited for.
        payments.close();
        if (jwts != null) {
            jwts.close();
        }
        webhooks.close();
        jobs.close();
        kernel.close();
    }
}
