package io.orchestrion.cli;

import io.orchestrion.sdk.Health;

import picocli.CommandLine.Model.CommandSpec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// All commands that talk to a server.
public final class ClientCommands {
    private ClientCommands() {}

    private static final Map<String, Function<Surroundings, CommandSpec>> ALL = all();

    private static Map<String, Function<Surroundings, CommandSpec>> all() {
        var all = new LinkedHashMap<String, Function<Surroundings, CommandSpec>>();
        all.put("tasks", around -> new TaskCommands(around).spec());
        all.put("batch", around -> new BatchCommands(around).spec());
        all.put("events", around -> new LogCommands(around).events());
        all.put("schedules", around -> new ScheduleCommands(around).spec());
        all.put("types", around -> new TypeCommands(around).spec());
        all.put("operations", around -> new OperationCommands(around).spec());
        all.put("queue", around -> new QueueCommands(around).spec());
        all.put("jobs", around -> new JobsCommands(around).spec());
        all.put("webhooks", around -> new WebhookCommands(around).spec());
        all.put("worker", around -> new WorkerCommand(around).spec());
        all.put("worker-tokens", around -> new TokenCommands(around).spec());
        all.put("keys", around -> new KeyCommands(around).spec());
        all.put("clients", around -> new ServerCommands(around).clients());
        all.put("audit", around -> new LogCommands(around).audit());
        all.put("billing", around -> new BillingCommands(around).spec());
        all.put("health", ClientCommands::health);
        all.put("describe", around -> new ServerCommands(around).describe());
        return all;
    }

    /// The first words of all commands that talk to a server.
    public static Set<String> names() {
        return Collections.unmodifiableSet(ALL.keySet());
    }

    /// Adds everything that talks to a server to a program.
    public static void addTo(CommandSpec root, Surroundings surroundings) {
        names().forEach(name -> addTo(root, surroundings, name));
    }

    /// Adds the command that begins with this word: one that is not wanted costs time, too.
    public static void addTo(CommandSpec root, Surroundings surroundings, String name) {
        // Otherwise --payload @file would be taken for a file of arguments.
        root.parser().expandAtFiles(false);
        root.addSubcommand(name, Objects.requireNonNull(ALL.get(name)).apply(surroundings));
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
