package io.orchestrion.cli;

import io.orchestrion.sdk.Health;

import picocli.CommandLine.Model.CommandSpec;

import java.util.List;
import java.util.stream.Collectors;

/// All commands that talk to a server.
public final class ClientCommands {
    private ClientCommands() {}

    private static final List<String> NAMES =
            List.of(
                    "tasks",
                    "batch",
                    "events",
                    "schedules",
                    "types",
                    "operations",
                    "queue",
                    "jobs",
                    "orchestrations",
                    "runs",
                    "credits",
                    "webhooks",
                    "worker",
                    "worker-tokens",
                    "keys",
                    "clients",
                    "audit",
                    "billing",
                    "health",
                    "describe");

    /// No table of functions: Java would make each of them at every start.
    private static CommandSpec spec(String name, Surroundings around) {
        return switch (name) {
            case "tasks" -> new TaskCommands(around).spec();
            case "batch" -> new BatchCommands(around).spec();
            case "events" -> new LogCommands(around).events();
            case "schedules" -> new ScheduleCommands(around).spec();
            case "types" -> new TypeCommands(around).spec();
            case "operations" -> new OperationCommands(around).spec();
            case "queue" -> new QueueCommands(around).spec();
            case "jobs" -> new JobsCommands(around).spec();
            case "orchestrations" -> new OrchestrationCommands(around).spec();
            case "runs" -> new RunCommands(around).spec();
            case "credits" -> new CreditCommands(around).spec();
            case "webhooks" -> new WebhookCommands(around).spec();
            case "worker" -> new WorkerCommand(around).spec();
            case "worker-tokens" -> new TokenCommands(around).spec();
            case "keys" -> new KeyCommands(around).spec();
            case "clients" -> new ServerCommands(around).clients();
            case "audit" -> new LogCommands(around).audit();
            case "billing" -> new BillingCommands(around).spec();
            case "health" -> health(around);
            case "describe" -> new ServerCommands(around).describe();
            default -> throw new IllegalArgumentException("there is no command " + name);
        };
    }

    /// The first words of all commands that talk to a server.
    public static List<String> names() {
        return NAMES;
    }

    /// Adds everything that talks to a server to a program.
    public static void addTo(CommandSpec root, Surroundings surroundings) {
        names().forEach(name -> addTo(root, surroundings, name));
    }

    /// Adds the command that begins with this word: one that is not wanted costs time, too.
    public static void addTo(CommandSpec root, Surroundings surroundings, String name) {
        // Otherwise --payload @file would be taken for a file of arguments.
        root.parser().expandAtFiles(false);
        root.addSubcommand(name, spec(name, surroundings));
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
