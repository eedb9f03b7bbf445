package io.orchestrion.cli;

import io.orchestrion.sdk.Directives;
import io.orchestrion.sdk.JobStatus;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.QueueJob;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskReport;
import io.orchestrion.sdk.WorkerEvent;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.UUID;

/// What is printed at a worker's terminal: a line for each event, and the children's own output
/// between them.
final class WorkerScreen {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final int ID_SHOWN = 8;

    private final Surroundings surroundings;
    private final Screen screen;
    private final boolean quiet;
    private String trouble = "";

    WorkerScreen(Surroundings surroundings, boolean quiet) {
        this.surroundings = surroundings;
        screen = new Screen(surroundings.colour());
        this.quiet = quiet;
    }

    private synchronized void print(PrintStream to, String id, String text) {
        String time = CLOCK.format(surroundings.clock().instant().atZone(surroundings.zone()));
        to.println(screen.faint(time) + "  " + Screen.padded(id, ID_SHOWN) + "  " + text);
        to.flush();
    }

    private static String begin(UUID id) {
        // The end tells more: ids made in the same moment begin alike.
        String text = id.toString();
        return text.substring(text.length() - ID_SHOWN);
    }

    void say(String text) {
        print(surroundings.out(), "", text);
    }

    void say(UUID id, String text) {
        print(surroundings.out(), begin(id), text);
    }

    void output(UUID id, boolean error, String line) {
        if (!quiet) {
            String text = "| " + Screen.clean(line);
            say(id, error ? screen.status(JobStatus.FAILED, text) : text);
        }
    }

    /// Prints an event about a job.
    void told(WorkerEvent<QueueJob> event) {
        switch (event) {
            case WorkerEvent.Idle<QueueJob>() -> answers();
            case WorkerEvent.ClaimFailed<QueueJob>(var e) -> troubled(e);
            case WorkerEvent.Claimed<QueueJob>(var job) ->
                    started(job.id(), job.type(), job.attempt(), job.maxAttempts());
            case WorkerEvent.Completed<QueueJob>(var job) ->
                    say(job.id(), screen.status(job.status(), job.status().word()));
            case WorkerEvent.Cancelled<QueueJob>(var job) ->
                    say(job.id(), screen.status(job.status(), job.status().word()));
            case WorkerEvent.Directed<QueueJob>(var job, var directives) ->
                    directed(job.id(), directives);
            case WorkerEvent.Failed<QueueJob>(var job, var reason, _) ->
                    say(job.id(), failed(reason) + next(job));
            case WorkerEvent.LeaseLost<QueueJob>(var job, var why) -> lost(job.id(), why);
            case WorkerEvent.ReportFailed<QueueJob>(var job, var e) -> unreported(job.id(), e);
        }
    }

    /// Prints an event about a task.
    void toldOfTask(WorkerEvent<Task> event) {
        switch (event) {
            case WorkerEvent.Idle<Task>() -> answers();
            case WorkerEvent.ClaimFailed<Task>(var e) -> troubled(e);
            case WorkerEvent.Claimed<Task>(var task) ->
                    started(task.id(), task.type(), task.attemptCount(), task.maxAttempts());
            case WorkerEvent.Completed<Task>(var task) ->
                    say(task.id(), screen.status(task.status(), task.status().word()));
            case WorkerEvent.Cancelled<Task>(var task) ->
                    say(task.id(), screen.status(task.status(), task.status().word()));
            case WorkerEvent.Directed<Task>(var task, var directives) ->
                    directed(task.id(), directives);
            case WorkerEvent.Failed<Task>(var task, var reason, var error) ->
                    say(task.id(), failed(reason) + told(error) + next(task));
            case WorkerEvent.LeaseLost<Task>(var task, var why) -> lost(task.id(), why);
            case WorkerEvent.ReportFailed<Task>(var task, var e) -> unreported(task.id(), e);
        }
    }

    private void started(UUID id, String type, int attempt, int most) {
        answers();
        say(
                id,
                screen.status(JobStatus.RUNNING, "started")
                        + " "
                        + screen.strong(Screen.clean(type))
                        + ", attempt "
                        + attempt
                        + " of "
                        + most);
    }

    private String failed(String reason) {
        String first = reason.lines().findFirst().orElse("");
        return screen.status(JobStatus.FAILED, "failed") + ": " + Screen.clean(first);
    }

    /// ` (rate_limited, HTTP 429); something of it was done`, for what a program reported.
    private static String told(TaskReport.@Nullable ReportedError error) {
        if (error == null) {
            return "";
        }
        Integer status = error.httpStatus();
        return " ("
                + Screen.clean(error.code())
                + (status == null ? "" : ", HTTP " + status)
                + ")"
                + (Boolean.TRUE.equals(error.partialSideEffect())
                        ? "; something of it was done"
                        : "");
    }

    private String next(Task task) {
        return switch (task.status()) {
            case DEAD_LETTER -> "; it is a dead letter";
            case FAILED -> "; its engine decides what follows";
            case PENDING -> {
                Instant at = task.scheduledAt();
                Instant now = surroundings.clock().instant();
                yield at != null && at.isAfter(now)
                        ? "; it is tried again " + new Times(surroundings.zone(), now).relative(at)
                        : "; it is tried again";
            }
            case CLAIMED, COMPLETED, CANCELLED, UNKNOWN -> "; it is " + task.status().word();
        };
    }

    private void directed(UUID id, Directives directives) {
        say(
                id,
                directives.cancelRequested()
                        ? screen.status(JobStatus.QUEUED, "asked to stop") + ": it was cancelled"
                        : directives.pauseRequested()
                                ? screen.status(JobStatus.QUEUED, "asked to pause")
                                        + "; what it reports still counts"
                                : "asked to go on");
    }

    /// Reports what a program wrote for the server and could not be used.
    void complain(UUID id, String text) {
        print(surroundings.err(), begin(id), Screen.clean(text));
    }

    private String next(QueueJob job) {
        return switch (job.status()) {
            case QUEUED -> {
                var at = job.nextAttemptAt();
                var times = new Times(surroundings.zone(), surroundings.clock().instant());
                yield "; the next attempt " + (at == null ? "is due" : times.relative(at));
            }
            case DEAD_LETTER -> "; it is a dead letter";
            case FAILED -> "; no other attempt";
            case RUNNING, SUCCEEDED, CANCELLED, UNKNOWN -> "; it is " + job.status().word();
        };
    }

    private void lost(UUID id, String why) {
        say(id, screen.status(JobStatus.FAILED, "lease lost") + ": " + Screen.clean(why));
    }

    private void unreported(UUID id, OrchestrionException e) {
        say(
                id,
                screen.status(JobStatus.FAILED, "not reported")
                        + ": "
                        + Screen.clean(String.valueOf(e.getMessage())));
    }

    /// Prints the same trouble only once.
    private synchronized void troubled(OrchestrionException e) {
        String text = Screen.clean(String.valueOf(e.getMessage()));
        if (!text.equals(trouble)) {
            trouble = text;
            print(surroundings.err(), "", "cannot ask for work: " + text + "; trying again");
        }
    }

    private synchronized void answers() {
        if (!trouble.isEmpty()) {
            trouble = "";
            say("the server answers again");
        }
    }
}
