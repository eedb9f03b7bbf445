package io.orchestrion.cli;

import io.orchestrion.sdk.Orchestrations;
import io.orchestrion.sdk.OrchestrionClient;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `orchestrion orchestrations`: definitions, executions, and what asks for a person.
final class OrchestrationCommands {
    private final Surroundings surroundings;

    OrchestrationCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        CommandSpec group = Group.of("orchestrations", "Run processes of several steps.");
        Group.with(group, new DefinitionCommands(surroundings).specs());
        Group.with(group, new ExecutionCommands(surroundings).specs());
        return Group.with(group, new ReviewCommands(surroundings).specs());
    }

    static Orchestrations of(Invocation run) {
        OrchestrionClient client = run.client();
        return client.orchestrations();
    }

    /// Without what tells programs how to go on.
    static JsonNode known(JsonNode answer) {
        return without(answer, "agent_contract");
    }

    static JsonNode without(JsonNode answer, String... fields) {
        JsonNode copy = answer.deepCopy();
        if (copy instanceof ObjectNode object) {
            for (String field : fields) {
                object.remove(field);
            }
        }
        return copy;
    }
}
