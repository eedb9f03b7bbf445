package io.orchestrion.simulator;

import io.orchestrion.simulator.history.Checker;
import io.orchestrion.simulator.history.Observed;
import io.orchestrion.simulator.history.Violation;
import io.orchestrion.simulator.log.LogSimulation;
import io.orchestrion.simulator.play.Progress;
import io.orchestrion.simulator.play.Scenario;
import io.orchestrion.simulator.play.Simulation;
import io.orchestrion.simulator.report.Summary;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/// `orchestrion simulate`: many clients at once, and a check of everything they saw.
public final class SimulateCommand implements Callable<Integer> {
    private static final int JOBS = 5_000;
    private static final int CLIENTS = 25;
    private static final int RESTARTS = 2;
    private static final double TIME_SCALE = 0.05;
    private static final int VIOLATED = 1;
    private static final String FOLDER = "simulation-report";

    private final List<String> program;
    private final PrintStream out;
    private final PrintStream err;
    private final boolean live;
    private final CommandSpec spec;

    /// @param program what starts the program, without its arguments
    /// @param live whether the last line of standard error can be written over
    public SimulateCommand(List<String> program, PrintStream out, PrintStream err, boolean live) {
        this.program = List.copyOf(program);
        this.out = out;
        this.err = err;
        this.live = live;
        spec = CommandSpec.wrapWithoutInspection(this).name("simulate");
        spec.usageMessage()
                .sortOptions(false)
                .description(
                        "Drive the jobs of a server as many clients at once, and check all that"
                                + " they saw against the state machine and the catalogue of work"
                                + " kinds.",
                        "")
                .footer(
                        "",
                        "Scenarios:",
                        Arrays.stream(Scenario.values())
                                .map(each -> String.format("  %-11s%s", each.word(), each.about()))
                                .collect(Collectors.joining("%n")))
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exits());
        option("--jobs", "N", Integer.class, "About so many jobs. Default: " + JOBS + ".");
        option("--clients", "N", Integer.class, "Clients, 2 to 200. Default: " + CLIENTS + ".");
        option(
                "--scenario",
                "NAMES",
                String.class,
                "Only these, with commas between them. Default: all.");
        option(
                "--seed",
                "N",
                Long.class,
                "Who does what comes from it; the same number, the same plan. Default: a new one.");
        option(
                "--server",
                "URL",
                String.class,
                "A server that is running. It must let receivers on this machine be reached, and"
                        + " be in no hurry to limit. Default: one of its own, on an empty folder.");
        option(
                "--restarts",
                "N",
                Integer.class,
                "How often its own server is killed (-9) on the way. Default: " + RESTARTS + ".");
        option(
                "--time-scale",
                "X",
                Double.class,
                "How much faster than told simulated work is on its own server, 0.001 to 1."
                        + " Default: "
                        + TIME_SCALE
                        + ".");
        option(
                "--tasks",
                "N",
                Integer.class,
                "Not jobs: so many tasks through two servers on one database, which are killed in"
                        + " turns, and a check of the event log.");
        option("--out", "FOLDER", String.class, "Where the reports go. Default: " + FOLDER + ".");
        option(
                "--check",
                "FILE",
                String.class,
                "Only check what an earlier run saw: its observed.json.");
    }

    private static LinkedHashMap<String, String> exits() {
        var list = new LinkedHashMap<String, String>();
        list.put(" 0", "Everything was as it must be.");
        list.put(" " + VIOLATED, "Something was not, or the run could not be played to its end.");
        list.put(" 64", "The command line is not right.");
        return list;
    }

    private void option(String name, String label, Class<?> type, String description) {
        spec.addOption(
                OptionSpec.builder(name)
                        .paramLabel(label)
                        .type(type)
                        .description(description)
                        .build());
    }

    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws Exception {
        ParseResult asked = spec.commandLine().getParseResult();
        Path folder = Path.of(asked.matchedOptionValue("--out", FOLDER));
        String file = asked.matchedOptionValue("--check", null);
        if (asked.hasMatchedOption("--tasks")) {
            return logged(asked);
        }
        if (file == null) {
            return told(simulated(asked), folder);
        }
        try {
            return told(Observed.read(Path.of(file)), folder);
        } catch (IOException e) {
            throw wrong("--check: " + e.getMessage());
        }
    }

    private int logged(ParseResult asked) throws Exception {
        for (String other :
                List.of(
                        "--jobs",
                        "--clients",
                        "--scenario",
                        "--server",
                        "--time-scale",
                        "--check")) {
            if (asked.hasMatchedOption(other)) {
                throw wrong(other + " is about jobs and does not go with --tasks");
            }
        }
        var options =
                new LogSimulation.Options(
                        number(asked, "--tasks", 0, 1, 1_000_000),
                        number(asked, "--restarts", RESTARTS, 0, 100),
                        seed(asked));
        out.printf(
                "Simulating %,d tasks on two servers, seed %d, %d kills.%n",
                options.tasks(), options.seed(), options.kills());
        LogSimulation.Outcome outcome = LogSimulation.run(program, options, err);
        outcome.violations().forEach(out::println);
        out.printf(
                "%,d tasks, %,d events, %d violations.%n",
                outcome.tasks(), outcome.events(), outcome.violations().size());
        return outcome.violations().isEmpty() ? 0 : VIOLATED;
    }

    private static long seed(ParseResult asked) {
        return asked.matchedOptionValue("--seed", ThreadLocalRandom.current().nextLong(1_000_000));
    }

    private Observed simulated(ParseResult asked) throws Exception {
        String url = asked.matchedOptionValue("--server", null);
        int restarts = number(asked, "--restarts", url == null ? RESTARTS : 0, 0, 20);
        if (url != null && restarts > 0) {
            throw wrong("--restarts is for a server of its own; it does not kill that of --server");
        }
        double scale = asked.matchedOptionValue("--time-scale", TIME_SCALE);
        if (!(scale >= 0.001 && scale <= 1)) {
            throw wrong("--time-scale must be 0.001 to 1, not " + scale);
        }
        var options =
                new Simulation.Options(
                        scenarios(asked),
                        number(asked, "--jobs", JOBS, 1, 1_000_000),
                        number(asked, "--clients", CLIENTS, 2, 200),
                        seed(asked),
                        restarts);
        out.println(
                "Simulating "
                        + options.jobs()
                        + " jobs of "
                        + options.clients()
                        + " clients, seed "
                        + options.seed()
                        + ": "
                        + options.scenarios().stream()
                                .map(Scenario::word)
                                .collect(Collectors.joining(", "))
                        + ".");
        if (url != null) {
            return played(address(url), null, options);
        }
        try (var own = OwnServer.start(program, scale)) {
            return played(own.address(), own, options);
        }
    }

    private Observed played(
            URI server, Simulation.@Nullable Killable killable, Simulation.Options options)
            throws Exception {
        try (var progress = new Progress(err, live);
                var simulation = new Simulation(server, killable, options, progress)) {
            return simulation.run();
        }
    }

    /// Writes the reports and says how it went.
    private int told(Observed seen, Path folder) throws IOException {
        List<Violation> violations = Checker.check(seen);
        var summary = Summary.of(seen, violations);
        Files.createDirectories(folder);
        seen.write(folder.resolve("observed.json"));
        summary.write(folder);
        out.println();
        out.println(summary.text());
        out.println(
                "Written to "
                        + folder.resolve("report.html")
                        + ", report.json and observed.json beside it.");
        return violations.isEmpty() ? 0 : VIOLATED;
    }

    private List<Scenario> scenarios(ParseResult asked) {
        String names = asked.matchedOptionValue("--scenario", "");
        if (names.isEmpty()) {
            return List.of(Scenario.values());
        }
        return Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .map(this::scenario)
                .distinct()
                .toList();
    }

    private Scenario scenario(String name) {
        return Arrays.stream(Scenario.values())
                .filter(each -> each.word().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                wrong(
                                        "--scenario knows "
                                                + Arrays.stream(Scenario.values())
                                                        .map(Scenario::word)
                                                        .collect(Collectors.joining(", "))
                                                + ", not \""
                                                + name
                                                + "\""));
    }

    private URI address(String url) {
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw wrong("--server must be like http://127.0.0.1:8080, not " + url);
        }
    }

    private int number(ParseResult asked, String option, int otherwise, int least, int most) {
        int number = asked.matchedOptionValue(option, otherwise);
        if (number < least || number > most) {
            throw wrong(option + " must be " + least + " to " + most + ", not " + number);
        }
        return number;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
