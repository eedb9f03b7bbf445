package io.orchestrion.server.doors;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.WorkOwner;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.jobs.ClientEndpoints;
import io.orchestrion.server.jobs.ClientHandlers;
import io.orchestrion.server.jobs.JobDoorEvents;
import io.orchestrion.server.jobs.JobsDeadline;
import io.orchestrion.server.jobs.JobsDoor;
import io.orchestrion.server.jobs.JobsEndpoints;
import io.orchestrion.server.jobs.JobsErrorForm;
import io.orchestrion.server.jobs.JobsGates;
import io.orchestrion.server.jobs.JobsHandlers;
import io.orchestrion.server.jobs.JobsReadiness;
import io.orchestrion.server.jobs.JobsSettings;
import io.orchestrion.server.jobs.ProblemPages;
import io.orchestrion.server.webhooks.DeliveryHandlers;
import io.orchestrion.server.webhooks.WebhookEndpoints;
import io.orchestrion.server.webhooks.WebhookHandlers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/// `/v1/jobs`, `/v1/clients` and `/v1/webhooks`: work that runners of the product do.
public final class JobsPlug extends DoorPlug {
    private static final String SETTINGS_INVALID = "jobs_settings_invalid";

    JobsPlug() {
        super(
                JobsDoor.NAME,
                new JobsErrorForm(),
                new JobDoorEvents(),
                JobsEndpoints.CATALOGUE,
                WebhookEndpoints.CATALOGUE,
                ClientEndpoints.CATALOGUE,
                ProblemPages.CATALOGUE);
    }

    /// The open door with its engine, for runners inside the server.
    ///
    /// @param fault null when the settings are valid
    public record Open(Jobs jobs, @Nullable String fault) implements OpenDoor {
        @Override
        public void close() {
            jobs.close();
        }
    }

    @Override
    public String group(Endpoint endpoint) {
        return endpoint.path().split("/")[endpoint.path().startsWith("/v1/") ? 2 : 1];
    }

    @Override
    public String groupMeaning(String group) {
        return "Everything under /v1/" + group + ".";
    }

    @Override
    public List<WorkOwner> owners() {
        return List.of(Jobs.owner());
    }

    @Override
    public UnaryOperator<Handler> around(Opening opening) {
        Duration time = opening.options().jobs().requestTime();
        return handler -> JobsDeadline.during(handler, time);
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        Router.Builder router = opening.router();
        JobsSettings settings = opening.options().jobs();
        router.door(new JobsDoor((out, call) -> router.writeNotFoundOfOthers(name(), out, call)))
                .gates(
                        name(),
                        JobsGates.of(kernel.identity(), opening.limiter(), settings.fault()));
        var runners = new Runners(kernel.database());
        var jobs = new Jobs(kernel, settings.engine(), settings.definitions());
        jobs.runnersKnownBy(() -> runners.available().any());
        opening.observer().metrics().runnersKnownBy(runners::available);
        new JobsHandlers(jobs, opening.egress()).addTo(router);
        new JobsReadiness(runners).addTo(router);
        new ClientHandlers(kernel.clients(), kernel.identity(), settings.keyLife()).addTo(router);
        new ProblemPages().addTo(router);
        new WebhookHandlers(opening.webhooks()).addTo(router);
        new DeliveryHandlers(opening.webhooks(), JobDoorEvents.look(jobs)).addTo(router);
        return new Open(jobs, settings.fault() == null ? null : SETTINGS_INVALID);
    }
}
