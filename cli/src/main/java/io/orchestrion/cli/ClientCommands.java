package io.orchestrion.cli;

import io.orchestrion.sdk.Health;

import picocli.CommandLine.Model.CommandSpec;

import java.util.stream.Collectors;

/// All commands that talk to a server.
public final class ClientCommands {
    private ClientCommands() {}

    /// Adds everything that talks to a server to a program.
    public static void addTo(CommandSpec root, Surroundings surroundings) {
        // Otherwise --payload @file would be taken for a file of arguments.
        root.parser().expandAtFiles(false);
        root.addSubcommand("tasks", new TaskCommands(surroundings).spec());
        root.addSubcommand("queue", new QueueCommands(surroundings).spec());
        root.addSubcommand("jobs", new JobsCommands(surroundings).spec());
        root.addSubcommand("webhooks", new WebhookCommands(surroundings).spec());
        root.addSubcommand("worker", new WorkerCommand(surroundings).spec());
        root.addSubcommand("worker-tokens", new TokenCommands(surroundings).spec());
        root.addSubcommand("billing", new BillingCommands(surroundings).spec());
        root.addSubcommand("keys", new KeyCommands(surroundings).spec());
        root.addSubcommand("health", health(surroundings));
    }

    private static CommandSpec health(Surroundings surroundings) {
        return ClientCommand.keyless("health", "Ask a server how it is.", surroundings)
                .footer("", "It ends with 1 when a duty of the server is not done.")
                .does(ClientCommands::health);
    }

    private static void health(Invocation run) {
        Health health = run.client().health();
        run.show(() -> words(health, run.screen()));
        if (!health.ok()) {
            throw new ClientCommand.NotAsHoped();
        }
    }

    private static String words(Health health, Screen screen) {
        int width = health.jobs().stream().mapToInt(job -> job.name().length()).max().orElse(0);
        String head =
                screen.strong(Screen.clean(health.status()))
                        + (health.status().equals("degraded")
                                ? " (the database is away or the disk nearly full; --json tells)"
                                : "")
                        + ", version "
                        + Screen.clean(health.version());
        return health.jobs().stream()
                .map(
                        job ->
                                "\n  "
                                        + Screen.padded(Screen.clean(job.name()), width)
                                        + (job.healthy() ? "  ok         " : "  unhealthy  ")
                                        + ran(job))
                .collect(Collectors.joining("", head, ""));
    }

    private static String ran(Health.Job job) {
        return job.ran()
                ? "ran " + Times.length(job.secondsSinceLastRun()) + " ago"
                : "has not run yet";
    }
}
