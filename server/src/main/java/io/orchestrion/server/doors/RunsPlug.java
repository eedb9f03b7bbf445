package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.credit.Credits;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.runs.output.Outputs;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.runs.AskedHandlers;
import io.orchestrion.server.runs.OutputEndpoints;
import io.orchestrion.server.runs.OutputHandlers;
import io.orchestrion.server.runs.RunErrorForm;
import io.orchestrion.server.runs.RunGates;
import io.orchestrion.server.runs.RunLimits;
import io.orchestrion.server.runs.RunOnce;
import io.orchestrion.server.runs.RunReadEndpoints;
import io.orchestrion.server.runs.RunReadHandlers;
import io.orchestrion.server.runs.RunSetting;
import io.orchestrion.server.runs.RunSettings;
import io.orchestrion.server.runs.RunsDoor;
import io.orchestrion.server.runs.TreeHandlers;
import io.orchestrion.server.runs.credits.CheckHandlers;
import io.orchestrion.server.runs.credits.CreditEndpoints;
import io.orchestrion.server.runs.credits.CreditHandlers;
import io.orchestrion.server.runs.llm.ModelPlanner;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.UnaryOperator;

/// `/api/v1`: runs of agents, what they cost, and what they leave behind.
public final class RunsPlug extends DoorPlug {
    private static final String SETTINGS_INVALID = "runs_settings_invalid";

    RunsPlug() {
        super(
                RunsDoor.NAME,
                new RunErrorForm(),
                null,
                RunReadEndpoints.CATALOGUE,
                OutputEndpoints.CATALOGUE,
                CreditEndpoints.CATALOGUE);
    }

    /// The open door.
    public static final class Open implements OpenDoor {
        private final RunSettings settings;
        private final Outputs outputs;
        private final @Nullable ModelPlanner model;

        private Open(RunSettings settings, Outputs outputs, @Nullable ModelPlanner model) {
            this.settings = settings;
            this.outputs = outputs;
            this.model = model;
        }

        @Override
        public @Nullable String fault() {
            return settings.fault() == null ? null : SETTINGS_INVALID;
        }

        @Override
        public void close() {
            outputs.close();
            if (model != null) {
                model.close();
            }
        }
    }

    @Override
    public List<Setting> settings() {
        return RunSetting.ALL;
    }

    @Override
    public ServerOptions configured(ServerOptions options, Settings settings) {
        return options.withDoor(RunSetting.read(settings));
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
    public UnaryOperator<Handler> around(Opening opening) {
        return RunGates::operatorsAlone;
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        RunSettings settings = opening.options().ofDoor(RunSettings.class, RunSettings.DEFAULT);
        var ledger = new Ledger(kernel.ids(), settings.grants());
        var credits = new Credits(kernel, ledger);
        var once = new RunOnce(kernel.keyedVerbs());
        Router.Builder router = opening.router();
        router.door(new RunsDoor())
                .gates(name(), RunGates.of(kernel.identity(), opening.limiter(), settings.fault()));
        var reads = new RunReads(kernel);
        new RunReadHandlers(reads).addTo(router);
        new TreeHandlers(reads).addTo(router);
        new AskedHandlers(reads, settings.stuckAfter()).addTo(router);
        new CreditHandlers(credits, once).addTo(router);
        new CheckHandlers(kernel.database(), credits).addTo(router);
        var outputs = new Outputs(kernel, settings.stepOutputBytes());
        new OutputHandlers(outputs, reads, once, kernel.identity()).addTo(router);
        ModelPlanner model =
                settings.llm() == null
                        ? null
                        : ModelPlanner.open(
                                kernel, opening.schemas(), settings.llm(), PlanLimits.USUAL);
        return new Open(settings, outputs, model);
    }
}
