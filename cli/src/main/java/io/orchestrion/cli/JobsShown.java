package io.orchestrion.cli;

import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobState;
import io.orchestrion.sdk.SubmittedJob;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Jobs of `orchestrion jobs` as people read them.
final class JobsShown {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final List<String> HEAD =
            List.of("STATE", "KIND", "ID", "TYPE", "ATTEMPT", "CREATED", "NOTE");

    private JobsShown() {}

    static String state(JobState state, Invocation run) {
        return run.screen().state(state, state.name());
    }

    static String submitted(SubmittedJob job, Invocation run) {
        var card = new Card("Job " + job.id(), run);
        card.row("state", state(job.state(), run));
        card.time("created", job.createdAt());
        card.row("next", "orchestrion jobs watch " + job.id());
        return card.toString();
    }

    static String card(Job job, Invocation run) {
        var card = new Card("Job " + job.id(), run);
        card.row("state", state(job.state(), run));
        card.text("outcome", job.outcome());
        card.row("type", Screen.clean(job.type()));
        card.row("attempt", String.valueOf(job.attempt()));
        Job.Definition work = job.definition();
        if (work != null) {
            card.row(
                    "work",
                    Screen.clean(work.workKind())
                            + ", "
                            + work.durationMillis() / 1000.0
                            + " s, "
                            + work.payloadBytes() / 1024
                            + " KB"
                            + (work.shouldFail() ? ", fails" : ""));
        }
        Job.Failure failure = job.failure();
        if (failure != null) {
            String message = failure.message();
            card.row(
                    "failure",
                    Screen.clean(failure.code() + (message == null ? "" : ": " + message)));
        }
        card.time("due", job.executionAt());
        card.text("callback", job.callback());
        card.time("created", job.createdAt());
        card.time("changed", job.updatedAt());
        String next = next(job.state(), job.id());
        if (next != null) {
            card.row("next", next);
        }
        return card.toString();
    }

    private static @Nullable String next(JobState state, UUID id) {
        return switch (state) {
            case CREATED, QUEUED, ASSIGNED, RUNNING -> "orchestrion jobs watch " + id;
            case FAILED -> "orchestrion jobs retry " + id;
            case SUCCEEDED, CANCELED -> "orchestrion jobs report " + id;
            case UNKNOWN -> null;
        };
    }

    static PagedTable<Job> table(Invocation run) {
        Screen screen = run.screen();
        return new PagedTable<>(
                run,
                HEAD,
                job -> row(job, run.times()),
                (job, text) -> screen.state(job.state(), text));
    }

    private static List<String> row(Job job, Times times) {
        Job.Definition work = job.definition();
        Instant due = job.executionAt();
        return List.of(
                job.state().name(),
                work == null ? "" : Screen.clean(work.workKind()),
                job.id().toString(),
                Screen.clean(job.type()),
                String.valueOf(job.attempt()),
                times.relative(job.createdAt()),
                due == null || job.state() != JobState.CREATED ? "" : "due " + times.relative(due));
    }

    /// A line for each state that was met while looking.
    static String change(Job job, Invocation run) {
        return run.screen().faint(clock(job.updatedAt(), run))
                + "  "
                + state(job.state(), run)
                + (job.attempt() > 1 ? ", attempt " + job.attempt() : "");
    }

    private static String clock(Instant at, Invocation run) {
        return CLOCK.format(at.atZone(run.surroundings().zone()));
    }

    static String report(JobReport report, Invocation run) {
        var card = new Card("Report of job " + report.jobId(), run);
        String state = report.outcome().equals("SUCCESS") ? "SUCCEEDED" : report.outcome();
        card.row("outcome", run.screen().state(JobState.of(state), Screen.clean(report.outcome())));
        card.text("reason", report.reason());
        card.time("started", report.startedAt());
        card.time("finished", report.finishedAt());
        card.row("took", report.durationMillis() + " ms");
        var rows = new ArrayList<List<String>>();
        Instant before = null;
        for (JobReport.Event event : report.events()) {
            rows.add(
                    List.of(
                            clock(event.at(), run),
                            before == null
                                    ? ""
                                    : "+" + Duration.between(before, event.at()).toMillis() + " ms",
                            Screen.clean(event.nextState()),
                            Screen.clean(event.name())));
            before = event.at();
        }
        return card + "\n" + Screen.indented(rows);
    }
}
