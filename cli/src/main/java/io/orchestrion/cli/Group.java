package io.orchestrion.cli;

import picocli.CommandLine.Model.CommandSpec;

/// A command that only leads to others: `orchestrion tasks …`.
final class Group {
    private Group() {}

    static CommandSpec of(String name, String description, CommandSpec... verbs) {
        CommandSpec group = CommandSpec.create().name(name);
        group.usageMessage()
                .description(description, "")
                .synopsisSubcommandLabel("COMMAND")
                .commandListHeading("%nCommands:%n");
        for (CommandSpec verb : verbs) {
            group.addSubcommand(verb.name(), verb);
        }
        return group;
    }
}
