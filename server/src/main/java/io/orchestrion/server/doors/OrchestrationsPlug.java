package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.orchestrations.execution.Orchestrations;
import io.orchestrion.orchestrations.execution.OrchestrationsOptions;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.orchestrations.ApprovalEndpoints;
import io.orchestrion.server.orchestrations.ApprovalHandlers;
import io.orchestrion.server.orchestrations.DeadLetterHandlers;
import io.orchestrion.server.orchestrations.DefinitionEndpoints;
import io.orchestrion.server.orchestrations.DefinitionHandlers;
import io.orchestrion.server.orchestrations.ExecutionEndpoints;
import io.orchestrion.server.orchestrations.ExecutionHandlers;
import io.orchestrion.server.orchestrations.OrchestrationErrorForm;
import io.orchestrion.server.orchestrations.OrchestrationGates;
import io.orchestrion.server.orchestrations.OrchestrationLimits;
import io.orchestrion.server.orchestrations.OrchestrationSetting;
import io.orchestrion.server.orchestrations.OrchestrationSettings;
import io.orchestrion.server.orchestrations.OrchestrationsDoor;
import io.orchestrion.server.orchestrations.ReviewEndpoints;
import io.orchestrion.server.orchestrations.ReviewHandlers;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;

/// `/v1/orchestrations`: work in steps that a definition describes, with retries, approvals and
/// compensation.
public final class OrchestrationsPlug extends DoorPlug {
    private static final String SETTINGS_INVALID = "orchestrations_settings_invalid";

    OrchestrationsPlug() {
        super(
                OrchestrationsDoor.NAME,
                new OrchestrationErrorForm(),
                null,
                DefinitionEndpoints.CATALOGUE,
                ExecutionEndpoints.CATALOGUE,
                ApprovalEndpoints.CATALOGUE,
                ReviewEndpoints.CATALOGUE);
    }

    /// The open door with its engine.
    public static final class Open implements OpenDoor {
        private final Orchestrations engine;
        private final OrchestrationSettings settings;

        private Open(Orchestrations engine, OrchestrationSettings settings) {
            this.engine = engine;
            this.settings = settings;
        }

        public Orchestrations engine() {
            return engine;
        }

        @Override
        public @Nullable String fault() {
            return settings.fault() == null ? null : SETTINGS_INVALID;
        }

        @Override
        public void close() {
            engine.close();
        }
    }

    @Override
    public List<Setting> settings() {
        return OrchestrationSetting.ALL;
    }

    @Override
    public ServerOptions configured(ServerOptions options, Settings settings) {
        return options.withDoor(OrchestrationSetting.read(settings));
    }

    @Override
    public List<RateLimit> limits() {
        return OrchestrationLimits.ALL;
    }

    @Override
    public boolean logsEach() {
        return true;
    }

    @Override
    public Map<String, Function<UUID, String>> ids() {
        return Map.of("execution_id", UUID::toString);
    }

    @Override
    public String group(Endpoint endpoint) {
        return name();
    }

    @Override
    public String groupMeaning(String group) {
        return "Everything under /v1/orchestrations: definitions of work in steps, and their"
                + " executions.";
    }

    @Override
    public List<SubjectKind> subjects() {
        return Orchestrations.SUBJECTS;
    }

    @Override
    public List<SchemaPart> schema() {
        return List.of(Orchestrations.SCHEMA);
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        Router.Builder router = opening.router();
        OrchestrationSettings settings =
                opening.options()
                        .ofDoor(OrchestrationSettings.class, OrchestrationSettings.DEFAULT);
        var engine =
                new Orchestrations(
                        kernel,
                        new OrchestrationsOptions(
                                opening.egress(),
                                opening.schemas(),
                                new Random(),
                                settings.calls(),
                                settings.callsPerAccount(),
                                settings.dependencyFactor(),
                                settings.kept()));
        router.door(new OrchestrationsDoor())
                .gates(
                        name(),
                        OrchestrationGates.of(
                                kernel.identity(), opening.limiter(), settings.fault()));
        new DefinitionHandlers(engine.definitions()).addTo(router);
        new ExecutionHandlers(engine).addTo(router);
        new ApprovalHandlers(engine.approvals()).addTo(router);
        new DeadLetterHandlers(engine).addTo(router);
        new ReviewHandlers(engine).addTo(router);
        return new Open(engine, settings);
    }
}
