package io.orchestrion.bench;

import io.orchestrion.bench.report.Report;
import io.orchestrion.bench.report.Surroundings;
import io.orchestrion.bench.report.Table;
import io.orchestrion.bench.scenario.Bench;
import io.orchestrion.bench.scenario.Scale;
import io.orchestrion.bench.scenario.Scenario;
import io.orchestrion.bench.scenario.Scenarios;
import io.orchestrion.tools.Folder;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/// `orchestrion bench`: measures this version on this machine.
public final class BenchCommand implements Callable<Integer> {
    private static final BigDecimal SHORTEST = new BigDecimal("0.1");
    private static final BigDecimal LONGEST = BigDecimal.valueOf(3600);

    private final List<String> serverCommand;
    private final String version;
    private final PrintStream out;
    private final CommandSpec spec;

    /// @param serverCommand what starts the program, without its arguments
    public BenchCommand(List<String> serverCommand, String version, PrintStream out) {
        this.serverCommand = List.copyOf(serverCommand);
        this.version = version;
        this.out = out;
        spec = CommandSpec.wrapWithoutInspection(this).name("bench");
        spec.usageMessage()
                .sortOptions(false)
                .description(
                        "Measure this version on this machine: starts a database and servers of"
                                + " its own, puts them under load over HTTP and compares them with"
                                + " plain SQL on the same database.",
                        "");
        spec.addOption(
                OptionSpec.builder("--quick")
                        .type(boolean.class)
                        .arity("0")
                        .description(
                                "For a look, in two minutes: short windows, and without what"
                                        + " says nothing in so short a time ("
                                        + names(Scenarios.LONG)
                                        + ").")
                        .build());
        spec.addOption(
                OptionSpec.builder("--scenarios")
                        .type(String.class)
                        .paramLabel("NAMES")
                        .description(
                                "Only these, with commas between them: "
                                        + names(Scenarios.ALL)
                                        + ".")
                        .build());
        spec.addOption(
                OptionSpec.builder("--seconds")
                        .type(BigDecimal.class)
                        .paramLabel("N")
                        .description("The window of each measurement; its warm-up is as long.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--warm-up")
                        .type(BigDecimal.class)
                        .paramLabel("N")
                        .description("Seconds of load before each measurement.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--peers")
                        .type(String.class)
                        .arity("0..1")
                        .paramLabel("NAMES")
                        .fallbackValue(String.join(",", Peers.NAMES))
                        .description(
                                "Also measure other engines: these, with commas between them, or"
                                        + " all of "
                                        + String.join(", ", Peers.NAMES)
                                        + "; needs a checkout, Maven and, for some, Node.js.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--peers-folder")
                        .type(String.class)
                        .paramLabel("FOLDER")
                        .description("Where their programs are; bench/peers if not said.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--statements")
                        .type(boolean.class)
                        .arity("0")
                        .description(
                                "Also say what each SQL statement took; counting costs a little.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--out")
                        .type(String.class)
                        .paramLabel("FOLDER")
                        .description("Where the page and the JSON go; bench-report if not said.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--history")
                        .type(Long.class)
                        .paramLabel("ROWS")
                        .description(
                                "Finished tasks in store for the scenario history; %,d if not said."
                                        .formatted(Scale.full().history()))
                        .build());
        spec.addOption(
                OptionSpec.builder("--snapshot-seconds")
                        .type(BigDecimal.class)
                        .paramLabel("N")
                        .description(
                                "How long the scenario snapshot holds one, more than --seconds; %d if not said."
                                        .formatted(Scale.full().heldSnapshot().toSeconds()))
                        .build());
        spec.addOption(
                OptionSpec.builder("--creators")
                        .type(Integer.class)
                        .paramLabel("N")
                        .description(
                                "Connections that create as fast as they can in the scenario"
                                        + " overload; %d if not said."
                                                .formatted(Scale.full().creators()))
                        .build());
    }

    private static String names(List<Scenario> scenarios) {
        return scenarios.stream().map(Scenario::name).collect(Collectors.joining(", "));
    }

    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws Exception {
        ParseResult asked = spec.commandLine().getParseResult();
        List<Scenario> scenarios = chosen(asked);
        List<String> peers = peers(asked);
        Scale scale = scale(asked);
        Path folder = Files.createTempDirectory("orchestrion-bench");
        try (Lab lab =
                Lab.open(
                        folder,
                        serverCommand,
                        asked.matchedOptionValue("--statements", false),
                        line -> out.println("  " + line))) {
            var bench = new Bench(lab, scale, out::println);
            for (Scenario scenario : scenarios) {
                bench.say("== " + scenario.name() + ": " + scenario.about());
                scenario.run(bench);
            }
            if (!peers.isEmpty()) {
                bench.say("== peers: other engines on the same database, without HTTP");
                Peers.run(
                        Path.of(asked.matchedOptionValue("--peers-folder", "bench/peers")),
                        peers,
                        bench);
            }
            var report = new Report(surroundings(lab), bench.results());
            out.println();
            out.println(Table.paces(report).text());
            out.println(Table.latencies(report).text());
            out.println(Table.costs(report).text());
            Path into = Path.of(asked.matchedOptionValue("--out", "bench-report"));
            report.write(into);
            out.println("Written to " + into.resolve("bench.html") + " and bench.json beside it.");
        } finally {
            Folder.delete(folder);
        }
        return 0;
    }

    private Surroundings surroundings(Lab lab) throws SQLException {
        long memory =
                ManagementFactory.getOperatingSystemMXBean()
                                instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getTotalMemorySize()
                        : 0;
        return new Surroundings(
                version,
                Runtime.version().toString(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                memory >> 20,
                lab.postgresVersion(),
                lab.durability(),
                lab.now());
    }

    private List<Scenario> chosen(ParseResult asked) {
        String names = asked.matchedOptionValue("--scenarios", "");
        if (names.isEmpty()) {
            return asked.matchedOptionValue("--quick", false) ? Scenarios.QUICK : Scenarios.ALL;
        }
        return Arrays.stream(names.split(",", -1)).map(String::strip).map(this::named).toList();
    }

    private Scenario named(String name) {
        return Scenarios.ALL.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ParameterException(
                                        spec.commandLine(),
                                        "--scenarios knows "
                                                + names(Scenarios.ALL)
                                                + ", not \""
                                                + name
                                                + "\""));
    }

    private List<String> peers(ParseResult asked) {
        String names = asked.matchedOptionValue("--peers", "");
        if (names.isEmpty()) {
            return List.of();
        }
        List<String> peers = Arrays.stream(names.split(",", -1)).map(String::strip).toList();
        for (String name : peers) {
            if (!Peers.NAMES.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--peers knows "
                                + String.join(", ", Peers.NAMES)
                                + ", not \""
                                + name
                                + "\"");
            }
        }
        return peers;
    }

    private @Nullable Duration seconds(ParseResult asked, String option) {
        BigDecimal seconds = asked.matchedOptionValue(option, null);
        if (seconds != null
                && (seconds.compareTo(SHORTEST) < 0 || seconds.compareTo(LONGEST) > 0)) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be 0.1 to 3600, not " + seconds);
        }
        return seconds == null ? null : Duration.ofMillis(seconds.movePointRight(3).longValue());
    }

    private Scale scale(ParseResult asked) {
        Scale scale = asked.matchedOptionValue("--quick", false) ? Scale.quick() : Scale.full();
        Duration seconds = seconds(asked, "--seconds");
        Duration warmUp = seconds(asked, "--warm-up");
        if (seconds != null) {
            scale = scale.withWarmUp(seconds).withCounted(seconds);
        }
        if (warmUp != null) {
            scale = scale.withWarmUp(warmUp);
        }
        Long history = asked.matchedOptionValue("--history", null);
        if (history != null) {
            if (history < 1 || history > 100_000_000) {
                throw new ParameterException(
                        spec.commandLine(), "--history must be 1 to 100000000, not " + history);
            }
            scale = scale.withHistory(history);
        }
        Integer creators = asked.matchedOptionValue("--creators", null);
        if (creators != null) {
            if (creators < 1 || creators > 20_000) {
                throw new ParameterException(
                        spec.commandLine(), "--creators must be 1 to 20000, not " + creators);
            }
            scale = scale.withCreators(creators);
        }
        Duration snapshot = seconds(asked, "--snapshot-seconds");
        if (snapshot != null) {
            // The window is the last part of the time for which the snapshot is held.
            if (snapshot.compareTo(scale.counted()) <= 0) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--snapshot-seconds must be more than the window of "
                                + Scale.inSeconds(scale.counted())
                                + ", not "
                                + Scale.inSeconds(snapshot));
            }
            scale = scale.withHeldSnapshot(snapshot);
        }
        return scale;
    }
}
