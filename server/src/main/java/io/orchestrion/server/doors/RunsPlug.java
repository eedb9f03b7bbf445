package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.artifact.ArtifactListener;
import io.orchestrion.runs.check.Patrol;
import io.orchestrion.runs.credit.Credits;
import io.orchestrion.runs.engine.RunsOptions.Given;
import io.orchestrion.runs.engine.RunsOptions.OnCallLine;
import io.orchestrion.runs.escalation.OnCallOptions;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.output.Outputs;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.server.egress.GuardedEgress;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.observe.Metric;
import io.orchestrion.server.runs.AskedHandlers;
import io.orchestrion.server.runs.OutputEndpoints;
import io.orchestrion.server.runs.OutputHandlers;
import io.orchestrion.server.runs.PartHandlers;
import io.orchestrion.server.runs.RunErrorForm;
import io.orchestrion.server.runs.RunGates;
import io.orchestrion.server.runs.RunLimits;
import io.orchestrion.server.runs.RunOnce;
import io.orchestrion.server.runs.RunReadEndpoints;
import io.orchestrion.server.runs.RunReadHandlers;
import io.orchestrion.server.runs.RunSetting;
import io.orchestrion.server.runs.RunSettings;
import io.orchestrion.server.runs.RunTotals;
import io.orchestrion.server.runs.RunWriteEndpoints;
import io.orchestrion.server.runs.RunWriteHandlers;
import io.orchestrion.server.runs.RunsDoor;
import io.orchestrion.server.runs.TreeHandlers;
import io.orchestrion.server.runs.artifacts.ArtifactEndpoints;
import io.orchestrion.server.runs.artifacts.ArtifactSetting;
import io.orchestrion.server.runs.artifacts.ArtifactSettings;
import io.orchestrion.server.runs.artifacts.OpenArtifacts;
import io.orchestrion.server.runs.credits.CheckHandlers;
import io.orchestrion.server.runs.credits.CreditEndpoints;
import io.orchestrion.server.runs.credits.CreditHandlers;
import io.orchestrion.server.runs.llm.ModelPlanner;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// `/api/v1`: runs of agents, what they cost, and what they leave behind.
public final class RunsPlug extends DoorPlug {
    /// How many stuck runs are counted.
    private static final int STUCK_MAX = 1_000;

    private static final String SETTINGS_INVALID = "runs_settings_invalid";

    RunsPlug() {
        super(
                RunsDoor.NAME,
                new RunErrorForm(),
                null,
                RunWriteEndpoints.CATALOGUE,
                RunReadEndpoints.CATALOGUE,
                OutputEndpoints.CATALOGUE,
                CreditEndpoints.CATALOGUE,
                ArtifactEndpoints.CATALOGUE);
    }

    /// The open door.
    public static final class Open implements OpenDoor {
        private final RunSettings settings;
        private final Runs engine;
        private final Outputs outputs;
        private final OpenArtifacts artifacts;
        private final @Nullable ModelPlanner model;
        private final @Nullable GuardedEgress onCall;

        private Open(
                RunSettings settings,
                Runs engine,
                Outputs outputs,
                OpenArtifacts artifacts,
                @Nullable ModelPlanner model,
                @Nullable GuardedEgress onCall) {
            this.settings = settings;
            this.engine = engine;
            this.outputs = outputs;
            this.artifacts = artifacts;
            this.model = model;
            this.onCall = onCall;
        }

        public Runs engine() {
            return engine;
        }

        @Override
        public @Nullable String fault() {
            return settings.fault() == null && artifacts.fault() == null ? null : SETTINGS_INVALID;
        }

        @Override
        public void close() {
            outputs.close();
            artifacts.close();
            if (model != null) {
                model.close();
            }
            if (onCall != null) {
                onCall.close();
            }
        }
    }

    @Override
    public List<Setting> settings() {
        return Stream.concat(RunSetting.ALL.stream(), ArtifactSetting.ALL.stream()).toList();
    }

    @Override
    public ServerOptions configured(ServerOptions options, Settings settings) {
        return options.withDoor(RunSetting.read(settings)).withDoor(ArtifactSetting.read(settings));
    }

    @Override
    public List<RateLimit> limits() {
        return RunLimits.ALL;
    }

    @Override
    public boolean logsEach() {
        return true;
    }

    @Override
    public Map<String, Function<UUID, String>> ids() {
        return Map.of(
                "run_id", PublicId.RUN::of,
                "agent_id", PublicId.AGENT::of,
                "task_id", PublicId.TASK::of,
                "step_id", PublicId.STEP::of,
                "ticket_id", PublicId.TICKET::of,
                "artifact_id", PublicId.ARTIFACT::of,
                "escalation_id", PublicId.TICKET::of,
                "approval_id", UUID::toString);
    }

    @Override
    public String group(Endpoint endpoint) {
        return name();
    }

    @Override
    public String groupMeaning(String group) {
        return "Everything under /api/v1: runs of agents, their credits and their artifacts.";
    }

    @Override
    public List<SubjectKind> subjects() {
        return Runs.SUBJECTS;
    }

    @Override
    public List<SchemaPart> schema() {
        return List.of(RunsSchema.PART);
    }

    @Override
    public boolean administers(Endpoint endpoint) {
        return endpoint.path().startsWith(RunsDoor.ADMIN + "/");
    }

    @Override
    public UnaryOperator<Handler> around(Opening opening) {
        return RunGates::operatorsAlone;
    }

    private static int stuck(RunReads reads, AskedHandlers.StuckAfter after) {
        return reads.stuck(after.silentMs(), after.runningMs(), null, null, STUCK_MAX).size();
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        RunSettings settings = opening.options().ofDoor(RunSettings.class, RunSettings.DEFAULT);
        OnCallOptions toTell = settings.onCall();
        GuardedEgress onCall =
                toTell == null
                        ? null
                        : GuardedEgress.ofOperator(Duration.ofMillis(toTell.retries().timeoutMs()));
        var engine =
                new Runs(
                        kernel,
                        settings.tuning()
                                .with(
                                        new Given(
                                                opening.schemas(),
                                                new Random(),
                                                toTell == null || onCall == null
                                                        ? null
                                                        : new OnCallLine(onCall, toTell))));
        var credits = new Credits(kernel, engine.ledger());
        var once = new RunOnce(kernel.keyedVerbs());
        OpenArtifacts artifacts =
                OpenArtifacts.open(
                        kernel,
                        opening.options().ofDoor(ArtifactSettings.class, ArtifactSettings.NOWHERE));
        engine.add(new ArtifactListener(kernel.subjects()));
        String fault = settings.fault() == null ? artifacts.fault() : settings.fault();
        Router.Builder router = opening.router();
        router.door(new RunsDoor())
                .gates(name(), RunGates.of(kernel.identity(), opening.limiter(), fault));
        opening.observer().metrics().counter(Metric.IDEMPOTENCY_REPLAYS, once::replays);
        var reads = new RunReads(kernel);
        var patrol = new Patrol(kernel.database(), () -> stuck(reads, settings.stuckAfter()));
        kernel.add(patrol);
        opening.observer().metrics().add(new RunTotals(patrol)::of);
        new RunReadHandlers(reads).addTo(router);
        new TreeHandlers(reads).addTo(router);
        new RunWriteHandlers(engine, once, settings.tuning().usual(), settings.llm() != null)
                .addTo(router);
        new PartHandlers(engine, once).addTo(router);
        new AskedHandlers(reads, settings.stuckAfter()).addTo(router);
        new CreditHandlers(credits, once).addTo(router);
        new CheckHandlers(kernel.database(), credits).addTo(router);
        var outputs = new Outputs(kernel, settings.tuning().stepOutputBytes());
        new OutputHandlers(outputs, reads, once, kernel.identity()).addTo(router);
        artifacts.addTo(router, once, opening.address());
        ModelPlanner model =
                settings.llm() == null
                        ? null
                        : ModelPlanner.open(
                                kernel, opening.schemas(), settings.llm(), PlanLimits.USUAL);
        return new Open(settings, engine, outputs, artifacts, model, onCall);
    }
}
