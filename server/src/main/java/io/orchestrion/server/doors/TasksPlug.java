package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.billing.Billing;
import io.orchestrion.server.billing.BillingPages;
import io.orchestrion.server.billing.PaymentProvider;
import io.orchestrion.server.checkout.BillingEndpoints;
import io.orchestrion.server.checkout.BillingHandlers;
import io.orchestrion.server.contract.CallerScopes;
import io.orchestrion.server.discovery.DiscoveryEndpoints;
import io.orchestrion.server.discovery.DiscoveryHandlers;
import io.orchestrion.server.discovery.Facts;
import io.orchestrion.server.door.DoorItems;
import io.orchestrion.server.events.EventEndpoints;
import io.orchestrion.server.events.EventHandlers;
import io.orchestrion.server.events.TaskDoorEvents;
import io.orchestrion.server.health.HealthEndpoints;
import io.orchestrion.server.health.HealthHandler;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.keys.AuditEventHandlers;
import io.orchestrion.server.keys.AuditHandlers;
import io.orchestrion.server.keys.KeyEndpoints;
import io.orchestrion.server.keys.KeyHandlers;
import io.orchestrion.server.limits.Paces;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.observe.MetricsHandler;
import io.orchestrion.server.operations.OperationEndpoints;
import io.orchestrion.server.operations.OperationHandlers;
import io.orchestrion.server.schedules.ScheduleEndpoints;
import io.orchestrion.server.schedules.ScheduleHandlers;
import io.orchestrion.server.taskdoor.TaskErrorForm;
import io.orchestrion.server.taskdoor.TasksDoor;
import io.orchestrion.server.tasks.BatchEndpoints;
import io.orchestrion.server.tasks.BatchHandlers;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskGates;
import io.orchestrion.server.tasks.TaskHandlers;
import io.orchestrion.server.tasks.TaskItems;
import io.orchestrion.server.tasks.TermsEndpoints;
import io.orchestrion.server.types.FlowEndpoints;
import io.orchestrion.server.types.FlowHandlers;
import io.orchestrion.server.types.TypeEndpoints;
import io.orchestrion.server.types.TypeHandlers;
import io.orchestrion.server.types.TypeRules;

import java.util.List;
import java.util.function.UnaryOperator;

/// `/v1/tasks` and what belongs to the account and the service: keys, billing, discovery, health.
final class TasksPlug extends DoorPlug {
    private static final String SERVICE_GROUP = "service";

    TasksPlug() {
        super(
                TasksDoor.NAME,
                new TaskErrorForm(),
                new TaskDoorEvents(),
                KeyEndpoints.CATALOGUE,
                TaskEndpoints.CATALOGUE,
                HealthEndpoints.CATALOGUE,
                ScheduleEndpoints.CATALOGUE,
                OperationEndpoints.CATALOGUE,
                AuditHandlers.CATALOGUE,
                AuditEventHandlers.CATALOGUE,
                TermsEndpoints.CATALOGUE,
                FlowEndpoints.CATALOGUE,
                EventEndpoints.CATALOGUE,
                TypeEndpoints.CATALOGUE,
                BatchEndpoints.CATALOGUE,
                BillingEndpoints.CATALOGUE,
                BillingPages.CATALOGUE,
                DiscoveryEndpoints.CATALOGUE,
                MetricsHandler.CATALOGUE);
    }

    @Override
    public List<RateLimit> limits() {
        return RateLimits.OF_TASKS;
    }

    @Override
    public DoorItems items() {
        return new TaskItems();
    }

    /// Paths with nothing below them are about the service itself.
    @Override
    public String group(Endpoint endpoint) {
        String[] segments = endpoint.path().split("/");
        if (segments.length < 3 || !segments[1].equals("v1")) {
            return SERVICE_GROUP;
        }
        String below = "/v1/" + segments[2] + "/";
        return catalogue().endpoints().stream().anyMatch(each -> each.path().startsWith(below))
                ? segments[2]
                : SERVICE_GROUP;
    }

    @Override
    public String groupMeaning(String group) {
        return group.equals(SERVICE_GROUP)
                ? "What the service is and how it fares."
                : "Everything under /v1/" + group + ".";
    }

    @Override
    public UnaryOperator<Handler> around(Opening opening) {
        var paces = new Paces(Doors.catalogue(opening.options().doors()), opening.limiter());
        return handler -> CallerScopes.during(handler, paces);
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        Router.Builder router = opening.router();
        router.door(new TasksDoor((out, call) -> router.writeNotFoundOfOthers(name(), out, call)))
                .gates(name(), TaskGates.of(kernel.identity(), opening.limiter()));
        var rules = new TypeRules(kernel.types(), kernel.work(), opening.schemas());
        new KeyHandlers(kernel.identity(), kernel.keys()).addTo(router);
        new TaskHandlers(kernel.work(), kernel.ids(), rules).addTo(router);
        new TypeHandlers(kernel.types(), rules).addTo(router);
        new ScheduleHandlers(kernel.schedules(), rules).addTo(router);
        new OperationHandlers(kernel.bulk()).addTo(router);
        new AuditHandlers(kernel.audit()).addTo(router);
        new AuditEventHandlers(kernel.auditTrail()).addTo(router);
        new FlowHandlers(kernel.flows()).addTo(router);
        new EventHandlers(
                        kernel.events(),
                        kernel.work(),
                        kernel.identity(),
                        kernel.subjects().kinds())
                .addTo(router);
        new BatchHandlers(kernel.work(), opening.limiter(), rules).addTo(router);
        new HealthHandler(
                        kernel,
                        opening.options().version(),
                        opening.options().host(),
                        opening.state().faults(),
                        opening.state().draining())
                .addTo(router);
        new MetricsHandler(opening.observer().metrics(), TasksDoor::notForThisKey).addTo(router);
        return billed(opening);
    }

    /// Billing, and the documents, which name who takes the money.
    private static OpenDoor billed(Opening opening) {
        Kernel kernel = opening.kernel();
        PaymentProvider payments = opening.options().billing().provider(kernel, opening.address());
        var billing = new Billing(kernel, payments);
        kernel.add(billing.settler());
        new BillingHandlers(billing, opening.limiter()).addTo(opening.router());
        new BillingPages(billing).addTo(opening.router());
        new DiscoveryHandlers(
                        Facts.of(
                                opening.options().doors(),
                                opening.options().limits(),
                                kernel.standings().plans(),
                                payments.title(),
                                opening.options().version()))
                .addTo(opening.router());
        return new OpenDoor() {
            @Override
            public void close() {
                payments.close();
            }
        };
    }
}
