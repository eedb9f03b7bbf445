package io.orchestrion.cli;

import io.orchestrion.sdk.JobEvent;
import io.orchestrion.sdk.JobEventPage;
import io.orchestrion.sdk.JobPage;
import io.orchestrion.sdk.JobQuery;
import io.orchestrion.sdk.JobStatus;
import io.orchestrion.sdk.NewJob;
import io.orchestrion.sdk.QueueJob;
import io.orchestrion.sdk.RequeuedJobs;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/// `orchestrion queue`: handing jobs in and looking after them; doing them is `orchestrion worker`.
final class QueueCommands {
    private static final int REQUEUE_LIMIT = 100;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final String STATUSES =
            Arrays.stream(JobStatus.values())
                    .filter(status -> status != JobStatus.UNKNOWN)
                    .map(JobStatus::word)
                    .collect(Collectors.joining(", "));

    private final Surroundings surroundings;

    QueueCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.with(own(), new HolderCommands(surroundings).specs());
    }

    private CommandSpec own() {
        return Group.of(
                "queue",
                "Hand in jobs for workers, look after them, or do them by hand.",
                submit(),
                list(),
                get(),
                events(),
                cancel(),
                requeue(),
                deadLetters());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec submit() {
        return command("submit", "Put a job into the queue.")
                .required("--type", "TYPE", "Type of the work. Workers claim tasks by type.")
                .option(
                        "--payload",
                        "JSON",
                        String.class,
                        "What the worker gets, a JSON object: as it stands, @FILE, or - for"
                                + " standard input. Default: {}.")
                .option(
                        "--repository",
                        "OWNER/NAME",
                        String.class,
                        "Put into the payload; workers may be limited to some.")
                .option(
                        "--requires",
                        "WORDS",
                        String.class,
                        "Capabilities a worker must have, with commas between them; put into the"
                                + " payload.")
                .option("--priority", "N", Integer.class, "Higher is claimed first.")
                .option(
                        "--max-attempts",
                        "N",
                        Integer.class,
                        "Attempts before a failure is final, 1 to 10. Default: 3.")
                .option(
                        "--key",
                        "KEY",
                        String.class,
                        "Idempotency key: a name of yours for this one request, so that sending"
                                + " it again makes no second job.")
                .footer(
                        "",
                        "Example:",
                        "  orchestrion queue submit --type codex_exec --repository me/project"
                                + " --requires git \\",
                        "      --payload '{\"codex\":{\"effort\":\"high\"},\"prompt\":\"…\"}'")
                .does(run -> show(run.client().queue().submit(newJob(run)), run));
    }

    private static NewJob newJob(Invocation run) {
        NewJob job = NewJob.ofType(run.text("--type")).withPayload(payload(run));
        Integer priority = run.value("--priority");
        if (priority != null) {
            job = job.withPriority(priority);
        }
        Integer attempts = run.value("--max-attempts");
        if (attempts != null) {
            job = job.withMaxAttempts(attempts);
        }
        String key = run.value("--key");
        return key == null ? job : job.withIdempotencyKey(key);
    }

    /// The payload as it was given, unless an option adds to it.
    private static String payload(Invocation run) {
        String written = run.document("--payload");
        String text = written == null ? "{}" : written;
        String repository = run.value("--repository");
        List<String> requires = run.words("--requires");
        if (repository == null && requires == null) {
            return text;
        }
        ObjectNode payload = Field.object(run, "--payload", text);
        if (repository != null) {
            payload.put("repository", repository);
        }
        if (requires != null) {
            ArrayNode list = payload.putArray("requiredCapabilities");
            requires.forEach(list::add);
        }
        return payload.toString();
    }

    private static void show(QueueJob job, Invocation run) {
        run.show(() -> JobCard.of(job, run));
    }

    private CommandSpec list() {
        return paged(command("list", "List jobs, newest first."))
                .option("--status", "STATUS", String.class, "One of " + STATUSES + ".")
                .does(run -> list(run, run.client().queue()::list));
    }

    private static ClientCommand paged(ClientCommand command) {
        return command.option("--type", "TYPE", String.class, "Only jobs of this type.")
                .option("--limit", "N", Integer.class, "Jobs on a page, 1 to 200. Default: 50.")
                .flag("--all", "Every page, not only the first.");
    }

    private static void list(Invocation run, Function<JobQuery, JobPage> pages) {
        JobQuery query = query(run);
        JobTable.of(run)
                .pages(
                        cursor -> pages.apply(cursor == null ? query : query.after(cursor)),
                        JobPage::jobs,
                        JobPage::nextCursor,
                        "No jobs.");
    }

    private static JobQuery query(Invocation run) {
        JobQuery query = JobQuery.ALL;
        String status = run.spec().findOption("--status") == null ? null : run.value("--status");
        if (status != null) {
            JobStatus wanted = JobStatus.of(status);
            if (wanted == JobStatus.UNKNOWN) {
                throw run.misused("--status must be one of " + STATUSES + ", not " + status);
            }
            query = query.withStatus(wanted);
        }
        String type = run.value("--type");
        if (type != null) {
            query = query.withType(type);
        }
        Integer limit = run.value("--limit");
        return limit == null ? query : query.withLimit(limit);
    }

    private CommandSpec get() {
        return command("get", "Show a job.")
                .id(true, "The job's id.")
                .does(run -> show(run.client().queue().get(run.id()), run));
    }

    private CommandSpec events() {
        return command("events", "Show a job's log, oldest first.")
                .id(true, "The job's id.")
                .option(
                        "--after",
                        "TIME",
                        String.class,
                        "Only what came after it: an event's time, or a nextCursor.")
                .option("--limit", "N", Integer.class, "How many on a page, 1 to 1000.")
                .option(
                        "--wait-seconds",
                        "N",
                        Integer.class,
                        "Wait so long for an event when there is none, at most 30.")
                .flag("--follow", "Go on until the job has ended; with 1 if it did not succeed.")
                .footer("", "With --json, each page of the server's answers is a line.")
                .does(QueueCommands::events);
    }

    private static void events(Invocation run) {
        UUID id = run.id();
        String after = run.value("--after");
        if (run.has("--follow") && !run.json()) {
            QueueJob ended = run.client().queue().follow(id, after, event -> print(event, run));
            run.out()
                    .println(
                            run.screen().status(ended.status(), ended.status().word())
                                    + " after "
                                    + ended.attempt()
                                    + (ended.attempt() == 1 ? " attempt" : " attempts"));
            if (ended.status() != JobStatus.SUCCEEDED) {
                throw new ClientCommand.NotAsHoped();
            }
            return;
        }
        if (run.has("--follow")) {
            run.client().queue().follow(id, after, event -> run.out().println(line(event)));
            return;
        }
        JobEventPage page = page(run, id, after);
        while (!page.events().isEmpty()) {
            page = page(run, id, page.place());
        }
    }

    private static JobEventPage page(Invocation run, UUID id, @Nullable String after) {
        JobEventPage page =
                run.client()
                        .queue()
                        .events(
                                id,
                                after,
                                run.value("--limit"),
                                Duration.ofSeconds(run.number("--wait-seconds", 0)));
        if (!run.json()) {
            page.events().forEach(event -> print(event, run));
        } else if (!page.events().isEmpty()) {
            run.show(() -> "");
        }
        return page;
    }

    private static void print(JobEvent event, Invocation run) {
        String time = CLOCK.format(event.createdAt().atZone(run.surroundings().zone()));
        String level = Screen.padded(event.level().word(), 5);
        for (String line : event.message().split("\n", -1)) {
            run.out()
                    .println(
                            run.screen().faint(time)
                                    + "  "
                                    + run.screen().level(event.level(), level)
                                    + "  "
                                    + Screen.clean(line));
        }
        run.out().flush();
    }

    /// One event, in the form of the server's list.
    private static String line(JobEvent event) {
        ObjectNode line =
                JsonMapper.shared()
                        .createObjectNode()
                        .put("id", event.id().toString())
                        .put("jobId", event.jobId().toString())
                        .put("level", event.level().word())
                        .put("message", event.message());
        line.set("payload", event.payloadJson().isMissingNode() ? null : event.payloadJson());
        return line.put("createdAt", event.createdAt().toString()).toString();
    }

    private CommandSpec cancel() {
        return command("cancel", "Cancel a job; of a running one the worker is asked to end it.")
                .id(true, "The job's id.")
                .does(run -> show(run.client().queue().cancel(run.id()), run));
    }

    private CommandSpec requeue() {
        return command("requeue", "Put a dead-lettered job back in line, or many of them.")
                .id(false, "The job's id.")
                .flag("--dead-letters", "All dead letters instead of one job.")
                .option("--type", "TYPE", String.class, "Only dead letters of this type.")
                .option(
                        "--limit",
                        "N",
                        Integer.class,
                        "At most so many dead letters. Default: " + REQUEUE_LIMIT + ".")
                .option("--reason", "TEXT", String.class, "Why, for the audit log.")
                .does(QueueCommands::requeue);
    }

    private static void requeue(Invocation run) {
        UUID id = run.idOrNull();
        if ((id == null) != run.has("--dead-letters")) {
            throw run.misused("requeue takes either an ID or --dead-letters");
        }
        if (id != null) {
            show(run.client().queue().requeue(id), run);
            return;
        }
        RequeuedJobs done =
                run.client()
                        .queue()
                        .requeueDeadLetters(
                                run.value("--type"),
                                run.number("--limit", REQUEUE_LIMIT),
                                run.value("--reason"));
        int count = done.ids().size();
        run.show(
                () ->
                        count
                                + (count == 1 ? " job is" : " jobs are")
                                + " back in line"
                                + (done.more() ? "; there are more." : "."));
    }

    private CommandSpec deadLetters() {
        return paged(command("dead-letters", "List jobs whose attempts are used up."))
                .footer("", "orchestrion queue requeue puts them back in line.")
                .does(run -> list(run, run.client().queue()::deadLetters));
    }
}
