package io.orchestrion.cli;

import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobAnswer;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobSearch;
import io.orchestrion.sdk.JobState;
import io.orchestrion.sdk.JobSubmission;
import io.orchestrion.sdk.Jobs;
import io.orchestrion.sdk.SubmittedJob;
import io.orchestrion.sdk.Webhooks;
import io.orchestrion.sdk.WorkKind;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// `orchestrion jobs`: jobs that the server's own runners do.
final class JobsCommands {
    private static final int WAIT_SECONDS = 600;
    private static final String STATES =
            Arrays.stream(JobState.values())
                    .filter(state -> state != JobState.UNKNOWN)
                    .map(JobState::name)
                    .collect(Collectors.joining(", "));
    private static final List<String> OUTCOMES = List.of("SUCCESS", "FAILED", "CANCELED");

    private final Surroundings surroundings;

    JobsCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "jobs",
                "Submit jobs that the server's own runners do, and look after them.",
                submit(),
                list(),
                get(),
                watch(),
                report(),
                cancel(),
                retry(),
                delete(),
                deliveries(),
                kinds());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private ClientCommand onJob(String name, String description) {
        return command(name, description).id(true, "The job's id.");
    }

    private CommandSpec submit() {
        return command("submit", "Submit a job.")
                .option(
                        "--kind",
                        "NAME",
                        String.class,
                        "What simulated work it is; orchestrion jobs kinds lists them. Default: the"
                                + " server chooses.")
                .option(
                        "--handler",
                        "NAME",
                        String.class,
                        "Real work instead: a handler of the server, or queue:TYPE for workers of"
                                + " the queue.")
                .option(
                        "--payload",
                        "JSON",
                        String.class,
                        "What the handler gets: as it stands, @FILE, or - for standard input.")
                .option(
                        "--at",
                        "TIME",
                        String.class,
                        "Run it then: 2030-01-31T08:30:00Z, or without an offset in the local"
                                + " zone. Default: as soon as possible.")
                .flag("--emit", "Its success is the event job.emitted.")
                .option(
                        "--callback",
                        "URL",
                        String.class,
                        "Gets a POST for each change of the job's state.")
                .flag("--auto-retry", "A failure is retried without being asked for.")
                .option(
                        "--key",
                        "KEY",
                        String.class,
                        "Idempotency key: a name of yours for this one request, so that sending"
                                + " it again makes no second job.")
                .footer(
                        "",
                        "Examples:",
                        "  orchestrion jobs submit --kind SUCCESS_FAST",
                        "  orchestrion jobs submit --kind RETRY_ON_FAIL --auto-retry --callback"
                                + " https://example.com/hook")
                .does(
                        run -> {
                            SubmittedJob made = run.client().jobs().submit(submission(run));
                            run.show(() -> JobsShown.submitted(made, run));
                        });
    }

    private static JobSubmission submission(Invocation run) {
        String at = run.value("--at");
        if (at != null && run.has("--emit")) {
            throw run.misused("--emit runs as soon as possible; it does not go with --at");
        }
        JobSubmission job =
                at != null
                        ? JobSubmission.deferred(run.time("--at", at))
                        : run.has("--emit") ? JobSubmission.emitEvent() : JobSubmission.execute();
        String kind = run.value("--kind");
        if (kind != null) {
            job = job.withWorkKind(kind.toUpperCase(Locale.ROOT));
        }
        String handler = run.value("--handler");
        if (handler != null) {
            job = job.withHandler(handler);
        }
        String payload = run.document("--payload");
        if (payload != null) {
            job = job.withPayload(payload);
        }
        String callback = run.value("--callback");
        if (callback != null) {
            job = job.withCallback(URI.create(callback));
        }
        if (run.has("--auto-retry")) {
            job = job.withAutoRetry();
        }
        String key = run.value("--key");
        return key == null ? job : job.withIdempotencyKey(key);
    }

    private CommandSpec list() {
        return command("list", "List jobs, newest first.")
                .option("--state", "STATE", String.class, "One of " + STATES + ".")
                .option(
                        "--outcome",
                        "OUTCOME",
                        String.class,
                        "One of " + String.join(", ", OUTCOMES) + ".")
                .option("--limit", "N", Integer.class, "Jobs on a page.")
                .flag("--all", "Every page, not only the first.")
                .does(JobsCommands::list);
    }

    private static void list(Invocation run) {
        JobSearch search = search(run);
        JobsShown.table(run)
                .pages(
                        cursor ->
                                run.client()
                                        .jobs()
                                        .list(cursor == null ? search : search.after(cursor)),
                        Jobs.Page::jobs,
                        Jobs.Page::nextCursor,
                        "No jobs.");
    }

    private static JobSearch search(Invocation run) {
        JobSearch search = JobSearch.ALL;
        String state = run.value("--state");
        if (state != null) {
            search = search.withState(state(run, state));
        }
        String outcome = run.value("--outcome");
        if (outcome != null) {
            String wanted = outcome.toUpperCase(Locale.ROOT);
            if (!OUTCOMES.contains(wanted)) {
                throw run.misused(
                        "--outcome must be one of "
                                + String.join(", ", OUTCOMES)
                                + ", not "
                                + outcome);
            }
            search = search.withOutcome(wanted);
        }
        Integer limit = run.value("--limit");
        return limit == null ? search : search.withLimit(limit);
    }

    private static JobState state(Invocation run, String written) {
        JobState state = JobState.of(written.toUpperCase(Locale.ROOT));
        if (state == JobState.UNKNOWN) {
            throw run.misused("--state must be one of " + STATES + ", not " + written);
        }
        return state;
    }

    private CommandSpec get() {
        return onJob("get", "Show a job.")
                .does(
                        run -> {
                            Job job = run.client().jobs().get(run.id());
                            run.show(() -> JobsShown.card(job, run));
                        });
    }

    private CommandSpec watch() {
        return onJob("watch", "Follow a job until it has ended; with 1 if it did not succeed.")
                .option(
                        "--seconds",
                        "N",
                        Integer.class,
                        "For at most so long. Default: " + WAIT_SECONDS + ".")
                .does(JobsCommands::watch);
    }

    private static void watch(Invocation run) {
        UUID id = run.id();
        Duration within = Duration.ofSeconds(run.number("--seconds", WAIT_SECONDS));
        Optional<Job> ended =
                run.client()
                        .jobs()
                        .await(
                                id,
                                within,
                                job -> {
                                    if (run.json()) {
                                        run.show(() -> "");
                                    } else {
                                        run.out().println(JobsShown.change(job, run));
                                    }
                                    run.out().flush();
                                });
        if (ended.isEmpty() && !run.json()) {
            run.out().println("It has not ended within " + Times.length(within.toSeconds()) + ".");
        }
        if (ended.isEmpty() || ended.get().state() != JobState.SUCCEEDED) {
            throw new ClientCommand.NotAsHoped();
        }
    }

    private CommandSpec report() {
        return onJob("report", "Show what came of a job, and every change on the way.")
                .does(
                        run -> {
                            JobReport report = run.client().jobs().report(run.id());
                            run.show(() -> JobsShown.report(report, run));
                        });
    }

    private CommandSpec cancel() {
        return onJob("cancel", "Cancel a job; the runner of a running one stops.")
                .footer("", "It ends with 1 when the job had ended otherwise before.")
                .does(
                        run ->
                                answered(
                                        run,
                                        run.client().jobs().cancel(run.id()),
                                        EnumSet.of(JobState.CANCELED)));
    }

    private CommandSpec retry() {
        return onJob("retry", "Put a failed job back in line.")
                .footer("", "It ends with 1 when the job cannot be tried again.")
                .does(
                        run ->
                                answered(
                                        run,
                                        run.client().jobs().retry(run.id()),
                                        EnumSet.complementOf(
                                                EnumSet.of(
                                                        JobState.SUCCEEDED, JobState.CANCELED))));
    }

    /// @param hoped the states that show that it was done, now or before
    private static void answered(Invocation run, JobAnswer answer, Set<JobState> hoped) {
        Integer attempt = answer.attempt();
        run.show(
                () ->
                        "Job "
                                + answer.id()
                                + " is "
                                + JobsShown.state(answer.state(), run)
                                + (attempt == null ? "" : ", attempt " + attempt)
                                + ".");
        if (!hoped.contains(answer.state())) {
            throw new ClientCommand.NotAsHoped();
        }
    }

    private CommandSpec delete() {
        return onJob("delete", "Remove a job that has ended, and all that is known about it.")
                .does(
                        run -> {
                            run.client().jobs().delete(run.id());
                            run.show(() -> "Job " + run.id() + " is gone.");
                        });
    }

    private CommandSpec deliveries() {
        return onJob("deliveries", "Show what was sent about a job, and what became of it.")
                .flag("--all", "Every page, not only the first.")
                .does(
                        run ->
                                WebhookCommands.deliveryTable(run)
                                        .pages(
                                                cursor ->
                                                        run.client()
                                                                .jobs()
                                                                .deliveries(run.id(), cursor),
                                                Webhooks.DeliveryPage::deliveries,
                                                Webhooks.DeliveryPage::nextCursor,
                                                "Nothing was sent."));
    }

    private CommandSpec kinds() {
        return command("kinds", "List the kinds of simulated work.").does(JobsCommands::kinds);
    }

    private static void kinds(Invocation run) {
        List<WorkKind> kinds = run.client().jobs().catalogue();
        run.show(
                () -> {
                    var rows = new ArrayList<List<String>>();
                    rows.add(List.of("KIND", "TAKES", "OUTPUT", "ENDS AS", "NEEDS"));
                    for (WorkKind kind : kinds) {
                        rows.add(
                                List.of(
                                        Screen.clean(kind.name()),
                                        kind.durationMillis() / 1000.0 + " s",
                                        kind.payloadBytes() / 1024 + " KB",
                                        Screen.clean(kind.expected()),
                                        needs(kind.needs())));
                    }
                    return run.screen().table(rows);
                });
    }

    private static String needs(@Nullable String word) {
        return word == null || word.equals("NOTHING")
                ? ""
                : Screen.clean(word.toLowerCase(Locale.ROOT));
    }
}
