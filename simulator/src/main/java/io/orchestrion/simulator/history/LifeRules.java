package io.orchestrion.simulator.history;

import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.simulator.history.Violation.Finds;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Whether a history keeps to the state machine. The graph is written down here once more, and not
/// taken from the server, whose work is being judged.
final class LifeRules {
    /// Each allowed edge and the names that its event may have.
    private static final Map<String, Set<String>> EDGES = new HashMap<>();

    static {
        edge("CREATED", "QUEUED", "job.queued");
        edge("CREATED", "CANCELED", "job.canceled");
        edge("QUEUED", "ASSIGNED", "job.assigned");
        edge("QUEUED", "CANCELED", "job.canceled");
        edge("ASSIGNED", "RUNNING", "job.running");
        edge("ASSIGNED", "CANCELED", "job.canceled");
        // The sweeper's, when a runner is gone before it began; nobody can ask for it.
        edge("ASSIGNED", "QUEUED", "job.lease_expired");
        edge("RUNNING", "SUCCEEDED", "job.succeeded", "job.emitted");
        edge("RUNNING", "FAILED", "job.failed", "job.timed_out");
        edge("RUNNING", "CANCELED", "job.canceled");
        edge("FAILED", "QUEUED", "job.retried");
    }

    /// Start and finish may be stored apart from the events, in the same transaction.
    private static final Duration NEAR = Duration.ofMillis(50);

    private final Story story;
    private final Finds finds;

    LifeRules(Story story, Finds finds) {
        this.story = story;
        this.finds = finds;
    }

    private static void edge(String from, String to, String... names) {
        EDGES.put(from + " to " + to, Set.of(names));
    }

    private void found(Rule rule, String what) {
        finds.add(rule, story.id(), what);
    }

    void check() {
        for (JobReport report : story.reports()) {
            times(report);
        }
        fixed();
        List<Event> events = story.events();
        if (events.isEmpty()) {
            return;
        }
        Event first = events.getFirst();
        if (first.prevState() != null
                || !first.nextState().equals("CREATED")
                || !first.name().equals("job.created")) {
            found(Rule.FIRST_EVENT, "it begins with " + words(first));
        }
        for (int i = 1; i < events.size(); i++) {
            step(events.get(i - 1), events.get(i));
        }
        String kind = workKind();
        for (Event event : events) {
            if (!event.jobId().equals(story.id())) {
                found(Rule.EVENT_ID, words(event) + " names the job " + event.jobId());
            }
            String scenario = event.payloadJson().path("scenario").stringValueOpt().orElse(null);
            if (kind != null && !kind.equals(scenario)) {
                found(Rule.SCENARIO, words(event) + " tells " + scenario + ", not " + kind);
            }
        }
    }

    private @Nullable String workKind() {
        var end = story.end();
        return end == null || end.definition() == null ? null : end.definition().workKind();
    }

    private void step(Event before, Event event) {
        if (!before.nextState().equals(event.prevState())) {
            found(Rule.CHAIN, words(event) + " follows " + words(before));
        }
        Set<String> names = EDGES.get(event.prevState() + " to " + event.nextState());
        if (names == null) {
            found(Rule.EDGE, words(event));
        } else if (!names.contains(event.name())) {
            found(Rule.EVENT_NAME, words(event));
        }
        boolean emits = story.type().equals("EMIT_EVENT");
        if (event.nextState().equals("SUCCEEDED") && emits != event.name().equals("job.emitted")) {
            found(Rule.EVENT_NAME, words(event) + " of a job of the type " + story.type());
        }
        if (!event.at().isAfter(before.at())) {
            found(
                    Rule.EVENT_TIME,
                    words(event) + " is at " + event.at() + ", the one before at " + before.at());
        }
    }

    private static String words(Event event) {
        return event.name() + " (" + event.prevState() + " to " + event.nextState() + ")";
    }

    private void times(JobReport report) {
        Duration took = Duration.between(report.startedAt(), report.finishedAt());
        if (took.isNegative() || took.toMillis() != report.durationMillis()) {
            found(
                    Rule.REPORT_TIMES,
                    "from "
                            + report.startedAt()
                            + " to "
                            + report.finishedAt()
                            + " it took "
                            + report.durationMillis()
                            + " ms");
        }
        if (report.events().isEmpty()) {
            found(Rule.REPORT, "its report has no events");
            return;
        }
        Event last = report.events().getLast();
        Event started = null;
        for (Event event : report.events()) {
            if (event.nextState().equals("RUNNING")) {
                started = event;
            } else if (event.nextState().equals("QUEUED")) {
                started = null;
            }
        }
        apart("finish", report.finishedAt(), last);
        if (started != null) {
            apart("start", report.startedAt(), started);
        } else if (!took.isZero()) {
            found(Rule.REPORT_TIMES, "it never ran, and took " + took.toMillis() + " ms");
        }
    }

    private void apart(String what, Instant told, Event event) {
        if (Duration.between(told, event.at()).abs().compareTo(NEAR) > 0) {
            found(
                    Rule.REPORT_TIMES,
                    "its "
                            + what
                            + " is told as "
                            + told
                            + ", "
                            + words(event)
                            + " was "
                            + event.at());
        }
    }

    /// What was read earlier is still there, and nothing came between.
    private void fixed() {
        for (int i = 1; i < story.reports().size(); i++) {
            JobReport before = story.reports().get(i - 1);
            JobReport after = story.reports().get(i);
            int known = before.events().size();
            boolean sameAttempt = after.events().size() == known;
            if (after.events().size() < known
                    || !after.events().subList(0, known).equals(before.events())
                    || (sameAttempt && !after.equals(before))) {
                found(
                        Rule.REPORT_FIXED,
                        "a report with " + known + " events does not go on in the one read later");
            }
        }
    }
}
