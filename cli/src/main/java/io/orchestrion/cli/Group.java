package io.orchestrion.cli;

import picocli.CommandLine.Model.CommandSpec;

/// A command that only leads to others: `orchestrion tasks …`.
final class Group {
    private Group() {}

    /// With those of others behind its own.
    static CommandSpec with(CommandSpec group, CommandSpec... more) {
        for (CommandSpec verb : more) {
            group.addSubcommand(verb.name(), verb);
        }
        return group;
    }

    static CommandSpec of(String name, String description, CommandSpec... verbs) {
        CommandSpec group = CommandSpec.create().name(name);
        group.usageMessage()
                .description(description, "")
                .synopsisSubcommandLabel("COMMAND")
                .commandListHeading("%nCommands:%n");
        return with(group, verbs);
    }
}
