package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.DocumentParser;
import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.Findings;
import io.orchestrion.kernel.document.SchemaReader;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.schema.JsonSchemas;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

/// Reads plans: of requests, of planners and of agents that plan for themselves.
public final class PlanReader {
    private final JsonSchemas schemas;

    public PlanReader(JsonSchemas schemas) {
        this.schemas = schemas;
    }

    /// Reads a plan and finds all that is wrong with it. A bad one is an answer and no exception.
    /// Schemas may take a while: no transaction should be open.
    ///
    /// @param account whose plan it is: long checks of schemas take turns by account
    /// @throws io.orchestrion.kernel.schema.ChecksBusy if schemas take long and too many others
    /// wait
    public ReadPlan read(UUID account, String json, PlanLimits limits) {
        return plan(json, limits, SchemaReader.checking(schemas, account, new CheckBudget()));
    }

    /// Reads what an agent planned for itself: `{"tasks": […], "continue": true}`.
    public ReadTasks readTasks(UUID account, String json, PlanLimits limits, Earlier earlier) {
        return tasks(
                json, limits, earlier, SchemaReader.checking(schemas, account, new CheckBudget()));
    }

    /// A plan that was read before without findings and stored. Its schemas are not checked again.
    ///
    /// @throws IllegalStateException if the text is none of a plan
    public static Plan stored(String json, PlanLimits limits) {
        ReadPlan read = plan(json, limits, new SchemaReader(_ -> null));
        if (read.plan() == null) {
            throw new IllegalStateException(
                    "The stored document is no plan: " + read.findings().getFirst().message());
        }
        return read.plan();
    }

    private static ReadPlan plan(String json, PlanLimits limits, SchemaReader schemas) {
        var findings = new Findings();
        Fields document = document(json, limits, findings);
        List<AgentPlan> agents =
                document == null ? List.of() : new AgentReader(limits, schemas, 0).agents(document);
        return findings.refusesDocument()
                ? new ReadPlan(findings.list(), null)
                : new ReadPlan(List.of(), new Plan(agents));
    }

    private static ReadTasks tasks(
            String json, PlanLimits limits, Earlier earlier, SchemaReader schemas) {
        var findings = new Findings();
        Fields document = document(json, limits, findings);
        ReadTasks.Round round =
                document == null
                        ? null
                        : new AgentReader(limits, schemas, earlier.steps())
                                .round(document, earlier);
        return findings.refusesDocument()
                ? new ReadTasks(findings.list(), null)
                : new ReadTasks(List.of(), round);
    }

    private static @Nullable Fields document(String json, PlanLimits limits, Findings findings) {
        JsonNode document = new DocumentParser(limits.bounds(), findings).parse(json);
        return document == null || findings.refusesDocument()
                ? null
                : new Fields(document, "", findings);
    }
}
