package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationAction.CHECK_DEFINITION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CREATE_VERSION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.DEPRECATE_DEFINITION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.FIX_REQUEST;
import static io.orchestrion.server.orchestrations.OrchestrationAction.PUBLISH_DEFINITION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.REPLACE_DEFINITION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.VALIDATE_DEFINITION;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.orchestrations.execution.DefinitionVersion;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;

import java.util.ArrayList;
import java.util.List;

/// The guidance on answers about definitions: what can be done next with a version as it stands.
final class DefinitionGuidance {
    private DefinitionGuidance() {}

    /// What is known of a version beside its row.
    enum Known {
        /// It was found by its number, and there may be newer ones.
        ALONE,
        /// No version is newer.
        NEWEST
    }

    /// For a version that was looked at. Whether a draft can be published is found by validating
    /// it.
    static AgentContract of(DefinitionVersion version, Known known) {
        var actions = new ArrayList<NextAction>();
        switch (version.status()) {
            case DRAFT -> {
                actions.add(validate().best());
                actions.add(replace(version));
            }
            case PUBLISHED -> {
                actions.add(OrchestrationActions.createExecution().best());
                actions.add(verb(DEPRECATE_DEFINITION, version, "deprecate"));
            }
            case DEPRECATED -> actions.add(OrchestrationActions.listDefinitions().best());
        }
        if (known == Known.NEWEST && version.status() != DefinitionVersion.Status.DRAFT) {
            actions.add(NextAction.call(CREATE_VERSION, "POST", path(version) + "/versions"));
        }
        return new AgentContract(true, actions, AgentContract.Details.NONE);
    }

    /// For a version that was just changed.
    ///
    /// @param retryable whether the same request may be sent again
    static AgentContract changed(
            DefinitionVersion version, List<Finding> findings, boolean retryable) {
        if (version.status() != DefinitionVersion.Status.DRAFT) {
            return new AgentContract(
                    retryable, of(version, Known.ALONE).actions(), AgentContract.Details.NONE);
        }
        boolean publishable = findings.stream().noneMatch(Finding::refusesPublishing);
        return publishable
                ? AgentContract.of(
                        retryable,
                        verb(PUBLISH_DEFINITION, version, "publish").best(),
                        replace(version))
                : AgentContract.of(retryable, replace(version).best(), validate());
    }

    static AgentContract validated(boolean publishable, boolean taken) {
        return publishable || taken
                ? AgentContract.of(true, OrchestrationActions.createDefinition().best())
                : AgentContract.of(true, NextAction.act(FIX_REQUEST).best(), validate());
    }

    static AgentContract listed() {
        return AgentContract.of(
                true,
                OrchestrationActions.createDefinition().best(),
                OrchestrationActions.listExecutions());
    }

    /// For what a version's status does not allow.
    static AgentContract refused(DefinitionVersion version) {
        return AgentContract.of(
                false,
                NextAction.call(CHECK_DEFINITION, "GET", versionPath(version)).best(),
                OrchestrationActions.listDefinitions());
    }

    /// For a draft that stands in the way of another.
    static AgentContract draft(DefinitionVersion draft) {
        return AgentContract.of(false, replace(draft).best(), validate());
    }

    private static NextAction validate() {
        return NextAction.call(
                VALIDATE_DEFINITION,
                "POST",
                OrchestrationsDoor.DEFINITIONS + "/validate",
                "name",
                "steps",
                "input_schema");
    }

    private static NextAction replace(DefinitionVersion version) {
        return NextAction.call(
                REPLACE_DEFINITION, "PUT", versionPath(version), "name", "steps", "input_schema");
    }

    private static NextAction verb(
            OrchestrationAction action, DefinitionVersion version, String verb) {
        return NextAction.call(action, "POST", versionPath(version) + "/" + verb);
    }

    private static String path(DefinitionVersion version) {
        return OrchestrationsDoor.DEFINITIONS + "/" + version.id();
    }

    static String versionPath(DefinitionVersion version) {
        return path(version) + "/versions/" + version.version();
    }
}
