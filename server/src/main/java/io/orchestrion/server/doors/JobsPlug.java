package io.orchestrion.server.doors;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.RetentionRule;
import io.orchestrion.server.door.DoorItems;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.jobs.BuiltInRunner;
import io.orchestrion.server.jobs.ClientEndpoints;
import io.orchestrion.server.jobs.ClientHandlers;
import io.orchestrion.server.jobs.DeliveryHandlers;
import io.orchestrion.server.jobs.JobDoorEvents;
import io.orchestrion.server.jobs.JobItems;
import io.orchestrion.server.jobs.JobsDeadline;
import io.orchestrion.server.jobs.JobsDoor;
import io.orchestrion.server.jobs.JobsEndpoints;
import io.orchestrion.server.jobs.JobsErrorForm;
import io.orchestrion.server.jobs.JobsGates;
import io.orchestrion.server.jobs.JobsHandlers;
import io.orchestrion.server.jobs.JobsLimits;
import io.orchestrion.server.jobs.JobsReadiness;
import io.orchestrion.server.jobs.JobsSetting;
import io.orchestrion.server.jobs.JobsSettings;
import io.orchestrion.server.jobs.ProblemPages;
import io.orchestrion.server.jobs.RunnerGauges;
import io.orchestrion.server.jobs.WebhookEndpoints;
import io.orchestrion.server.jobs.WebhookHandlers;
import io.orchestrion.server.jobs.WebhookSetting;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

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

    /// The open door with its engine, and with the runner inside the server once it is started.
    public static final class Open implements OpenDoor {
        private final Kernel kernel;
        private final Jobs jobs;
        private final JobsSettings settings;
        private volatile @Nullable BuiltInRunner runner;

        private Open(Kernel kernel, Jobs jobs, JobsSettings settings) {
            this.kernel = kernel;
            this.jobs = jobs;
            this.settings = settings;
        }

        public Jobs jobs() {
            return jobs;
        }

        @Override
        public @Nullable String fault() {
            return settings.fault() == null ? null : SETTINGS_INVALID;
        }

        @Override
        public void start() throws StartFailure {
            runner = BuiltInRunner.of(kernel, jobs, settings);
        }

        @Override
        public void drain(Duration atMost) {
            BuiltInRunner running = runner;
            if (running != null) {
                running.stop(atMost);
            }
        }

        @Override
        public void close() {
            BuiltInRunner running = runner;
            if (running != null) {
                running.close();
            }
            jobs.close();
        }
    }

    @Override
    public List<Setting> settings() {
        return Stream.concat(JobsSetting.ALL.stream(), WebhookSetting.ALL.stream()).toList();
    }

    @Override
    public ServerOptions configured(ServerOptions options, Settings settings) {
        return options.withDoor(JobsSetting.read(settings))
                .withLimits(JobsSetting.limits(settings, options.limits()))
                .withWebhooks(WebhookSetting.read(settings));
    }

    @Override
    public RetentionRule retention(RetentionRule rule, Settings settings) {
        return rule.keeping(Profiles.JOBS, JobsSetting.retention(settings));
    }

    @Override
    public List<RateLimit> limits() {
        return JobsLimits.ALL;
    }

    @Override
    public DoorItems items() {
        return new JobItems();
    }

    @Override
    public Map<String, String> questions() {
        return Map.of(
                "which scenarios fail",
                "max by (work_kind) (rate(jobs_failed_total{door=\"jobs\"}[5m]))");
    }

    @Override
    public boolean logsEach() {
        return true;
    }

    /// The verb alone: submit, cancel, retry, get, report.
    @Override
    public String action(Endpoint endpoint) {
        return endpoint.name()
                .replaceFirst("^getJobReport$", "report")
                .replaceFirst("Jobs?$", "")
                .replaceAll("([a-z])([A-Z])", "$1_$2")
                .toLowerCase(Locale.ROOT);
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
        Duration time = set(opening).requestTime();
        return handler -> JobsDeadline.during(handler, time);
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        Router.Builder router = opening.router();
        JobsSettings settings = set(opening);
        router.door(new JobsDoor((out, call) -> router.writeNotFoundOfOthers(name(), out, call)))
                .gates(
                        name(),
                        JobsGates.of(kernel.identity(), opening.limiter(), settings.fault()));
        var runners = new Runners(kernel.database());
        var jobs = new Jobs(kernel, settings.engine(), settings.definitions());
        jobs.runnersKnownBy(() -> runners.available().any());
        new RunnerGauges(runners::available).addTo(opening.observer().metrics());
        new JobsHandlers(jobs, opening.egress()).addTo(router);
        new JobsReadiness(runners).addTo(router);
        new ClientHandlers(kernel.clients(), kernel.identity(), settings.keyLife()).addTo(router);
        new ProblemPages().addTo(router);
        new WebhookHandlers(opening.webhooks()).addTo(router);
        new DeliveryHandlers(opening.webhooks(), JobDoorEvents.look(jobs)).addTo(router);
        return new Open(kernel, jobs, settings);
    }

    private static JobsSettings set(Opening opening) {
        return opening.options().ofDoor(JobsSettings.class, JobsSettings.DEFAULT);
    }
}
