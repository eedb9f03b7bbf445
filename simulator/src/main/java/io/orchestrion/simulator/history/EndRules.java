package io.orchestrion.simulator.history;

import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.sdk.JobState;
import io.orchestrion.sdk.WorkKind;
import io.orchestrion.simulator.history.Observed.Downtime;
import io.orchestrion.simulator.history.Violation.Finds;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Whether a job ended as it had to, attempt by attempt. A runner that was killed with its server
/// is the one excuse for a failure that the catalogue does not name.
final class EndRules {
    private static final Map<String, String> OUTCOMES =
            Map.of("SUCCEEDED", "SUCCESS", "FAILED", "FAILED", "CANCELED", "CANCELED");

    private final Story story;
    /// An answer that takes longer than this is lost.
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(5);

    private final Map<String, WorkKind> catalogue;
    private final List<Downtime> downtimes;
    private final int maxRetries;
    private final Finds finds;

    EndRules(
            Story story,
            Map<String, WorkKind> catalogue,
            List<Downtime> downtimes,
            int maxRetries,
            Finds finds) {
        this.story = story;
        this.catalogue = catalogue;
        this.downtimes = downtimes;
        this.maxRetries = maxRetries;
        this.finds = finds;
    }

    private void found(Rule rule, String what) {
        finds.add(rule, story.id(), what);
    }

    /// Whether the answer to the submit was lost to a kill: the client asked again with the same
    /// key and was told how the job stood by then.
    private boolean answeredLate() {
        Instant made = story.createdAt();
        return downtimes.stream().anyMatch(down -> down.touches(made, made.plus(ANSWERED_WITHIN)));
    }

    void check() {
        if (!story.stateAtSubmit().equals(story.dueAtSubmit() ? "QUEUED" : "CREATED")
                && !answeredLate()) {
            found(Rule.STATE_AT_SUBMIT, "a submit was answered with " + story.stateAtSubmit());
        }
        Job end = story.end();
        if (end == null) {
            found(Rule.ENDS, "it had not ended when the run did");
            return;
        }
        if (story.reports().isEmpty()) {
            found(Rule.REPORT, "it is " + end.state() + " and has no report");
            return;
        }
        agree(end, story.reports().getLast());
        List<List<Event>> attempts = attempts(story.events());
        count(end, attempts.size());
        for (int i = 0; i < attempts.size(); i++) {
            attempt(end, attempts.get(i), i + 1);
        }
        asTheCatalogueSays(end, attempts.getLast());
        failure(end, attempts.getLast());
        acts(end);
    }

    private void agree(Job end, JobReport report) {
        String state = end.state().name();
        String last = report.events().isEmpty() ? "" : report.events().getLast().nextState();
        if (!last.equals(state)) {
            found(Rule.STATE, "its state is " + state + ", its last event led to " + last);
        }
        String outcome = OUTCOMES.get(state);
        if (outcome == null
                || !outcome.equals(end.outcome())
                || !outcome.equals(report.outcome())) {
            found(
                    Rule.OUTCOME,
                    state
                            + " with outcome "
                            + end.outcome()
                            + ", in the report "
                            + report.outcome());
        }
    }

    /// Each attempt's events; the first one's begin with the job.
    static List<List<Event>> attempts(List<Event> events) {
        var attempts = new ArrayList<List<Event>>();
        attempts.add(new ArrayList<>());
        for (Event event : events) {
            if (event.name().equals("job.retried")) {
                attempts.add(new ArrayList<>());
            }
            attempts.getLast().add(event);
        }
        return attempts;
    }

    private void count(Job end, int attempts) {
        if (end.attempt() != attempts || attempts > maxRetries + 1) {
            found(
                    Rule.ATTEMPTS,
                    "it is told to be at attempt "
                            + end.attempt()
                            + ", its history has "
                            + attempts
                            + " of at most "
                            + (maxRetries + 1));
        }
    }

    private void attempt(Job end, List<Event> events, int number) {
        if (events.isEmpty() || end.definition() == null) {
            return;
        }
        Event last = events.getLast();
        boolean fails = fails(end.definition(), number);
        switch (last.nextState()) {
            case "SUCCEEDED" -> {
                if (fails) {
                    expected(end, "attempt " + number + " succeeded and had to fail");
                }
            }
            case "FAILED" -> {
                if (!fails && !excused(events)) {
                    expected(end, "attempt " + number + " failed and had to succeed");
                }
                boolean over = end.definition().workKind().equals("RUNS_OVER_TIMEOUT");
                if (over != last.name().equals("job.timed_out") && !excused(events)) {
                    expected(end, "attempt " + number + " ended with " + last.name());
                }
                boolean marked = last.payloadJson().path("final").booleanValue(false);
                if (marked != (number == maxRetries + 1)) {
                    found(
                            Rule.FINAL_MARK,
                            "the failure of attempt "
                                    + number
                                    + (marked ? " is marked as final" : " is not marked as final"));
                }
            }
            case "CANCELED" -> {
                if (!story.cancelled()) {
                    found(Rule.CANCEL, "it is CANCELED and nobody was told so");
                }
            }
            // What is no end of an attempt was found by its chain.
            default -> {}
        }
    }

    private void expected(Job end, String what) {
        String kind = end.definition() == null ? "?" : end.definition().workKind();
        found(Rule.EXPECTED, kind + ": " + what);
    }

    private static boolean fails(Job.Definition definition, int attempt) {
        return definition.shouldFail()
                && (attempt == 1 || !definition.workKind().equals("RETRY_ON_FAIL"));
    }

    /// Whether the server was killed while it ran.
    private boolean excused(List<Event> events) {
        Instant running = null;
        for (Event event : events) {
            if (event.nextState().equals("RUNNING")) {
                running = event.at();
            }
        }
        if (running == null) {
            return false;
        }
        Instant from = running;
        Instant to = events.getLast().at();
        return downtimes.stream().anyMatch(down -> down.touches(from, to));
    }

    /// The end that the kind is in the catalogue for, once its client has done its part.
    private void asTheCatalogueSays(Job end, List<Event> lastAttempt) {
        String wanted = wanted();
        String state = end.state().name();
        if (wanted == null || state.equals(wanted)) {
            return;
        }
        boolean tooLate = wanted.equals("CANCELED") && !story.cancelled();
        boolean other = state.equals("CANCELED") && story.cancelled();
        boolean killed = state.equals("FAILED") && excused(lastAttempt);
        if (!tooLate && !other && !killed) {
            expected(end, "it is " + state + " and has to be " + wanted);
        }
    }

    /// A failed job says why, and whether trying again may help.
    private void failure(Job end, List<Event> lastAttempt) {
        if (end.state() != JobState.FAILED) {
            return;
        }
        Job.Failure failure = end.failure();
        if (failure == null) {
            found(Rule.OUTCOME, "it is FAILED and does not say why");
        } else if ("FAIL_AFTER_RETRYABLE".equals(story.workKind())
                && !failure.retryable()
                && !excused(lastAttempt)) {
            expected(end, "its failure is not marked as retryable");
        }
    }

    private @Nullable String wanted() {
        WorkKind kind = story.workKind() == null ? null : catalogue.get(story.workKind());
        return kind == null ? null : kind.expected();
    }

    private void acts(Job end) {
        int counted = 1;
        for (Story.Act act : story.acts()) {
            if (act.verb().equals("cancel")) {
                boolean open = !OUTCOMES.containsKey(act.state());
                if (open
                        || (!act.state().equals("FAILED")
                                && !act.state().equals(end.state().name()))) {
                    found(
                            Rule.CANCEL,
                            "a cancel was answered with " + act.state() + ", it is " + end.state());
                }
            } else if (act.attempt() != null) {
                if (act.attempt() < counted || act.attempt() > end.attempt()) {
                    found(
                            Rule.RETRY,
                            "a retry was answered with attempt "
                                    + act.attempt()
                                    + " after "
                                    + counted
                                    + ", it is at "
                                    + end.attempt());
                }
                counted = Math.max(counted, act.attempt());
            }
        }
        boolean asked = story.acts().stream().anyMatch(act -> act.verb().equals("retry"));
        if (end.attempt() > 1 && !asked && !story.autoRetry()) {
            found(Rule.RETRY, "it is at attempt " + end.attempt() + " and nobody asked for it");
        }
    }
}
