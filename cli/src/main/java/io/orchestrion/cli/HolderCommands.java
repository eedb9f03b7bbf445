package io.orchestrion.cli;

import io.orchestrion.sdk.ClaimedJob;
import io.orchestrion.sdk.JobClaim;
import io.orchestrion.sdk.JobEventLevel;
import io.orchestrion.sdk.QueueJob;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// What a worker does with jobs of the queue, step by step and by hand. `orchestrion worker` does
/// all of it by itself.
final class HolderCommands {
    private static final int LEASE_SECONDS = 120;
    private static final String LEVELS =
            Arrays.stream(JobEventLevel.values())
                    .map(JobEventLevel::word)
                    .collect(Collectors.joining(", "));

    private final Surroundings surroundings;

    HolderCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec[] specs() {
        return new CommandSpec[] {claim(), heartbeat(), complete(), fail(), log()};
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings)
                .required("--worker", "NAME", "Who holds the job; the one a token is bound to.")
                .withToken();
    }

    private ClientCommand holder(String name, String description) {
        return command(name, description)
                .id(true, "The job's id.")
                .option(
                        "--lease-token",
                        "TOKEN",
                        UUID.class,
                        "The lease token of the claim; with it, a lease that another has taken over"
                                + " is left alone.");
    }

    private static ClientCommand withLease(ClientCommand command) {
        return command.option(
                "--lease-seconds",
                "N",
                Integer.class,
                "How long the job stays held from now on, 1 to 3600. Default: "
                        + LEASE_SECONDS
                        + ".");
    }

    private static Duration lease(Invocation run) {
        return Duration.ofSeconds(run.number("--lease-seconds", LEASE_SECONDS));
    }

    private static @Nullable UUID token(Invocation run) {
        return run.value("--lease-token");
    }

    private CommandSpec claim() {
        return withLease(command("claim", "Claim jobs by hand."))
                .option("--types", "TYPES", String.class, "Only these, with commas between them.")
                .option("--capabilities", "WORDS", String.class, "What the worker can do.")
                .option(
                        "--count",
                        "N",
                        Integer.class,
                        "How many at the most, 1 to 100. Default: 1.")
                .option(
                        "--wait-seconds",
                        "N",
                        Integer.class,
                        "Wait so long for a job when there is none, at most 30.")
                .does(HolderCommands::claim);
    }

    private static void claim(Invocation run) {
        var claim =
                new JobClaim(
                        run.text("--worker"),
                        lease(run),
                        set(run.words("--types")),
                        set(run.words("--capabilities")),
                        Duration.ofSeconds(run.number("--wait-seconds", 0)));
        List<ClaimedJob> claimed = run.client().queue().claim(claim, run.number("--count", 1));
        run.show(
                () -> {
                    if (claimed.isEmpty()) {
                        return "Nothing to claim.";
                    }
                    var rows = new ArrayList<List<String>>();
                    rows.add(List.of("JOB", "TYPE", "LEASE TOKEN", "ATTEMPT"));
                    for (ClaimedJob each : claimed) {
                        rows.add(
                                List.of(
                                        each.id().toString(),
                                        Screen.clean(each.job().type()),
                                        each.leaseToken() == null
                                                ? ""
                                                : each.leaseToken().toString(),
                                        each.job().attempt() + "/" + each.job().maxAttempts()));
                    }
                    return run.screen().table(rows);
                });
    }

    private static @Nullable Set<String> set(@Nullable List<String> words) {
        return words == null ? null : Set.copyOf(words);
    }

    private static void show(Invocation run, QueueJob job) {
        run.show(() -> JobCard.of(job, run));
    }

    private CommandSpec heartbeat() {
        return withLease(holder("heartbeat", "Renew the lease on a job, and hear of a cancel."))
                .does(
                        run ->
                                show(
                                        run,
                                        run.client()
                                                .queue()
                                                .heartbeat(
                                                        run.id(),
                                                        run.text("--worker"),
                                                        token(run),
                                                        lease(run))));
    }

    private CommandSpec complete() {
        return holder("complete", "Say that a job succeeded.")
                .option("--summary", "TEXT", String.class, "Result of the work.")
                .does(
                        run ->
                                show(
                                        run,
                                        run.client()
                                                .queue()
                                                .complete(
                                                        run.id(),
                                                        run.text("--worker"),
                                                        token(run),
                                                        run.value("--summary"))));
    }

    private CommandSpec fail() {
        return holder("fail", "Say that a job failed: it is tried again, or dead-lettered.")
                .required("--message", "TEXT", "Why, in at most 4000 characters.")
                .flag("--fatal", "It is not tried again.")
                .does(
                        run ->
                                show(
                                        run,
                                        run.client()
                                                .queue()
                                                .fail(
                                                        run.id(),
                                                        run.text("--worker"),
                                                        token(run),
                                                        run.text("--message"),
                                                        !run.has("--fatal"))));
    }

    private CommandSpec log() {
        return holder("log", "Write to the log of a job that is held.")
                .required("--message", "TEXT", "What is said, in at most 4000 characters.")
                .option(
                        "--level",
                        "LEVEL",
                        String.class,
                        "One of " + LEVELS + ". Default: " + JobEventLevel.INFO.word() + ".")
                .option("--payload", "JSON", String.class, "An object that goes with it.")
                .does(
                        run -> {
                            var event =
                                    run.client()
                                            .queue()
                                            .append(
                                                    run.id(),
                                                    run.text("--worker"),
                                                    token(run),
                                                    level(run),
                                                    run.text("--message"),
                                                    run.document("--payload"));
                            run.show(() -> "Event " + event.id());
                        });
    }

    private static JobEventLevel level(Invocation run) {
        String word = run.value("--level");
        if (word == null) {
            return JobEventLevel.INFO;
        }
        return Arrays.stream(JobEventLevel.values())
                .filter(level -> level.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () -> run.misused("--level must be one of " + LEVELS + ", not " + word));
    }
}
