package io.orchestrion.simulator.history;

import io.orchestrion.sdk.Delivery;
import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.sdk.JobState;
import io.orchestrion.sdk.WorkKind;
import io.orchestrion.simulator.history.Observed.Downtime;
import io.orchestrion.simulator.history.Observed.Owned;
import io.orchestrion.simulator.history.Observed.Receipt;
import io.orchestrion.simulator.history.Observed.Receiver;
import io.orchestrion.simulator.history.Observed.Refusal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/// What a run saw, made up: right in everything until a test breaks a part of it.
public final class Told {
    public static final Instant BEGAN = Instant.parse("2030-01-01T00:00:00Z");
    static final int OWNER = 3;

    private static final List<WorkKind> CATALOGUE =
            List.of(
                    kind("SUCCESS_FAST", false, "SUCCEEDED"),
                    kind("FAIL_IMMEDIATE", true, "FAILED"),
                    kind("RUNS_OVER_TIMEOUT", true, "FAILED"),
                    kind("RETRY_ON_FAIL", true, "SUCCEEDED"),
                    kind("RETRY_LIMIT_REACHED", true, "FAILED"),
                    kind("CANCEL_DURING_RUN", false, "CANCELED"),
                    kind("SCHEDULED_ON_TIME", false, "SUCCEEDED"));

    final List<OneJob> jobs = new ArrayList<>();
    final List<Downtime> downtimes = new ArrayList<>();
    final List<Refusal> refusals = new ArrayList<>();
    final List<Owned> owned = new ArrayList<>();
    final List<Receiver> receivers = new ArrayList<>();
    final List<Receipt> receipts = new ArrayList<>();

    private static WorkKind kind(String name, boolean fails, String expected) {
        return new WorkKind(name, 1000, fails, 4096, expected, "NOTHING");
    }

    /// A job whose history is written as names of events, each a second after the one before.
    static final class OneJob {
        UUID id = UUID.randomUUID();
        int client = OWNER;
        String type = "EXECUTE";
        String kind;
        Instant createdAt = BEGAN;
        Instant executionAt;
        String key = id.toString();
        List<UUID> ids = new ArrayList<>(List.of(id));
        String stateAtSubmit = "QUEUED";
        boolean autoRetry;
        final List<Story.Act> acts = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        JobState state;
        String outcome;
        String reportOutcome;
        int attempt = 1;
        boolean ended = true;
        boolean reported = true;
        boolean deleted;
        String receiver;
        List<Delivery> deliveries = List.of();
        Consumer<List<JobReport>> reports = _ -> {};
        Instant startedAt;
        Job.Failure failure = new Job.Failure("SIMULATED_FAILURE", null, true);

        OneJob(String kind, String... names) {
            this.kind = kind;
            String before = null;
            for (String name : names) {
                String next = next(name, before);
                events.add(
                        event(name, before, next, BEGAN.plusSeconds(events.size()), attempt == 4));
                before = next;
                if (name.equals("job.retried")) {
                    attempt++;
                    acts.add(new Story.Act("retry", "QUEUED", BEGAN, attempt));
                }
            }
            state = before == null ? JobState.UNKNOWN : JobState.of(before);
            outcome = state == JobState.SUCCEEDED ? "SUCCESS" : state.name();
            reportOutcome = outcome;
        }

        private static String next(String name, String before) {
            return switch (name) {
                case "job.created" -> "CREATED";
                case "job.queued", "job.retried", "job.lease_expired" -> "QUEUED";
                case "job.assigned" -> "ASSIGNED";
                case "job.running" -> "RUNNING";
                case "job.succeeded", "job.emitted" -> "SUCCEEDED";
                case "job.failed", "job.timed_out" -> "FAILED";
                case "job.canceled" -> "CANCELED";
                default -> before;
            };
        }

        Event event(String name, String prev, String next, Instant at, boolean last) {
            boolean marked = last && next.equals("FAILED");
            return new Event(
                    UUID.randomUUID(),
                    id,
                    name,
                    prev,
                    next,
                    at,
                    "{\"scenario\":\"" + kind + "\"" + (marked ? ",\"final\":true" : "") + "}");
        }

        /// Puts another event in the place of the one with that name.
        void replace(String name, java.util.function.UnaryOperator<Event> by) {
            events.replaceAll(each -> each.name().equals(name) ? by.apply(each) : each);
        }

        OneJob cancelled() {
            acts.add(new Story.Act("cancel", "CANCELED", BEGAN, null));
            return this;
        }

        OneJob at(Instant due) {
            executionAt = due;
            type = "DEFERRED";
            stateAtSubmit = due.isAfter(createdAt) ? "CREATED" : "QUEUED";
            return this;
        }

        OneJob made(Instant at) {
            createdAt = at;
            return this;
        }

        private Story story() {
            var all = new ArrayList<JobReport>();
            if (reported) {
                Instant finished = events.isEmpty() ? BEGAN : events.getLast().at();
                Instant started = finished;
                for (Event event : events) {
                    if (event.nextState().equals("RUNNING")) {
                        started = event.at();
                    } else if (event.nextState().equals("QUEUED")) {
                        started = finished;
                    }
                }
                started = startedAt == null ? started : startedAt;
                long took = Duration.between(started, finished).toMillis();
                all.add(new JobReport(id, reportOutcome, events, started, finished, took, null));
                all.add(all.getFirst());
                reports.accept(all);
            }
            var job =
                    new Job(
                            id,
                            type,
                            state,
                            outcome,
                            createdAt,
                            executionAt,
                            BEGAN,
                            attempt,
                            null,
                            new Job.Definition(
                                    kind,
                                    1000,
                                    kind.startsWith("FAIL")
                                            || kind.startsWith("RETRY")
                                            || kind.equals("RUNS_OVER_TIMEOUT"),
                                    4096),
                            state == JobState.FAILED ? failure : null);
            return new Story(
                    "kinds",
                    client,
                    type,
                    kind,
                    executionAt,
                    key,
                    ids,
                    createdAt,
                    stateAtSubmit,
                    autoRetry,
                    acts,
                    ended ? job : null,
                    all,
                    deleted,
                    receiver,
                    deliveries);
        }
    }

    static OneJob succeeded() {
        return new OneJob(
                "SUCCESS_FAST",
                "job.created",
                "job.queued",
                "job.assigned",
                "job.running",
                "job.succeeded");
    }

    static OneJob failed(String kind, String end) {
        return new OneJob(kind, "job.created", "job.queued", "job.assigned", "job.running", end);
    }

    Told with(OneJob job) {
        jobs.add(job);
        return this;
    }

    public Observed observed() {
        return new Observed(
                new Observed.Run(
                        "http://server", List.of("kinds"), 1, 5, 3, BEGAN, BEGAN.plusSeconds(60)),
                CATALOGUE,
                downtimes,
                jobs.stream().map(OneJob::story).toList(),
                refusals,
                owned,
                receivers,
                receipts);
    }

    /// One of each kind that a run has, all right.
    public static Told good() {
        var told = new Told();
        told.with(succeeded());
        told.with(failed("FAIL_IMMEDIATE", "job.failed"));
        told.with(failed("RUNS_OVER_TIMEOUT", "job.timed_out"));
        told.with(
                new OneJob(
                        "RETRY_ON_FAIL",
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.running",
                        "job.failed",
                        "job.retried",
                        "job.assigned",
                        "job.lease_expired",
                        "job.assigned",
                        "job.running",
                        "job.succeeded"));
        told.with(
                new OneJob("CANCEL_DURING_RUN", "job.created", "job.queued", "job.canceled")
                        .cancelled());
        told.with(
                new OneJob(
                                "SCHEDULED_ON_TIME",
                                "job.created",
                                "job.queued",
                                "job.assigned",
                                "job.running",
                                "job.succeeded")
                        .at(BEGAN.plusMillis(400)));
        return told;
    }
}
