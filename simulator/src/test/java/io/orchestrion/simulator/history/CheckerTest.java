package io.orchestrion.simulator.history;

import static io.orchestrion.simulator.history.Told.BEGAN;
import static io.orchestrion.simulator.history.Told.failed;
import static io.orchestrion.simulator.history.Told.succeeded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.sdk.JobState;
import io.orchestrion.simulator.history.Observed.Downtime;
import io.orchestrion.simulator.history.Observed.Owned;
import io.orchestrion.simulator.history.Observed.Refusal;
import io.orchestrion.simulator.history.Told.OneJob;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/// Each rule finds what breaks it, and nothing where all is well.
class CheckerTest {
    @TempDir private Path folder;

    private static List<Rule> broken(OneJob job) {
        return broken(new Told().with(job));
    }

    private static List<Rule> broken(Told told) {
        return Checker.check(told.observed()).stream().map(Violation::rule).distinct().toList();
    }

    private static Event changed(Event event, String name, String prev, String next, Instant at) {
        return new Event(event.id(), event.jobId(), name, prev, next, at, event.payload());
    }

    private static OneJob lives(String kind, String names) {
        return new OneJob(
                kind,
                List.of(names.split(" ")).stream()
                        .map(name -> "job." + name)
                        .toArray(String[]::new));
    }

    @Test
    void a_run_in_which_all_was_well_breaks_no_rule() {
        assertThat(Checker.check(Told.good().observed())).isEmpty();
    }

    @Test
    void what_was_seen_is_the_same_after_it_was_written_down() throws Exception {
        Path file = folder.resolve("observed.json");
        Observed seen = Told.good().observed();
        seen.write(file);
        assertThat(Observed.read(file)).isEqualTo(seen);
        Files.writeString(file, "{\"jobs\":");
        assertThatThrownBy(() -> Observed.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not hold what a simulation saw");
    }

    /// Every edge that is not allowed, the sweeper's own under another name among them.
    @ParameterizedTest
    @CsvSource({
        "CREATED, CREATED", "CREATED, ASSIGNED", "CREATED, RUNNING", "CREATED, SUCCEEDED",
        "CREATED, FAILED", "QUEUED, CREATED", "QUEUED, QUEUED", "QUEUED, RUNNING",
        "QUEUED, SUCCEEDED", "QUEUED, FAILED", "ASSIGNED, CREATED", "ASSIGNED, ASSIGNED",
        "ASSIGNED, SUCCEEDED", "ASSIGNED, FAILED", "RUNNING, CREATED", "RUNNING, QUEUED",
        "RUNNING, ASSIGNED", "RUNNING, RUNNING", "FAILED, CREATED", "FAILED, ASSIGNED",
        "FAILED, RUNNING", "FAILED, SUCCEEDED", "FAILED, FAILED", "FAILED, CANCELED",
        "SUCCEEDED, CREATED", "SUCCEEDED, QUEUED", "SUCCEEDED, ASSIGNED", "SUCCEEDED, RUNNING",
        "SUCCEEDED, SUCCEEDED", "SUCCEEDED, FAILED", "SUCCEEDED, CANCELED", "CANCELED, CREATED",
        "CANCELED, QUEUED", "CANCELED, ASSIGNED", "CANCELED, RUNNING", "CANCELED, SUCCEEDED",
        "CANCELED, FAILED", "CANCELED, CANCELED"
    })
    void a_forbidden_edge_is_found(String from, String to) {
        var job = lives("SUCCESS_FAST", "created queued assigned running succeeded");
        job.events.add(job.event("job.x", from, to, BEGAN.plusSeconds(9), false));
        assertThat(broken(job)).contains(Rule.EDGE);
    }

    @Test
    void only_the_sweepers_event_leads_back_from_assigned_to_queued() {
        assertThat(
                        broken(
                                lives(
                                        "SUCCESS_FAST",
                                        "created queued assigned lease_expired assigned running"
                                                + " succeeded")))
                .isEmpty();
        var job =
                lives(
                        "SUCCESS_FAST",
                        "created queued assigned lease_expired assigned running succeeded");
        job.replace(
                "job.lease_expired",
                each -> changed(each, "job.queued", "ASSIGNED", "QUEUED", each.at()));
        assertThat(broken(job)).containsExactly(Rule.EVENT_NAME);
    }

    @Test
    void a_history_that_does_not_begin_or_hang_together_is_found() {
        assertThat(broken(lives("SUCCESS_FAST", "queued assigned running succeeded")))
                .contains(Rule.FIRST_EVENT);
        var torn = succeeded();
        torn.events.remove(2);
        assertThat(broken(torn)).contains(Rule.CHAIN);
        var renamed = succeeded();
        renamed.replace(
                "job.assigned", each -> changed(each, "job.held", "QUEUED", "ASSIGNED", each.at()));
        assertThat(broken(renamed)).containsExactly(Rule.EVENT_NAME);
        var emitted = succeeded();
        emitted.type = "EMIT_EVENT";
        assertThat(broken(emitted)).containsExactly(Rule.EVENT_NAME);
    }

    @Test
    void times_that_do_not_increase_are_found() {
        var job = succeeded();
        job.replace(
                "job.assigned",
                each ->
                        changed(
                                each,
                                each.name(),
                                each.prevState(),
                                each.nextState(),
                                BEGAN.plusSeconds(1)));
        assertThat(broken(job)).containsExactly(Rule.EVENT_TIME);
    }

    @Test
    void events_of_others_and_ids_that_are_there_twice_are_found() {
        var foreign = succeeded();
        foreign.replace(
                "job.running",
                each ->
                        new Event(
                                each.id(),
                                UUID.randomUUID(),
                                each.name(),
                                each.prevState(),
                                each.nextState(),
                                each.at(),
                                each.payload()));
        assertThat(broken(foreign)).containsExactly(Rule.EVENT_ID);
        var one = succeeded();
        var other = succeeded();
        other.replace(
                "job.created",
                each ->
                        new Event(
                                one.events.getFirst().id(),
                                other.id,
                                each.name(),
                                null,
                                "CREATED",
                                each.at(),
                                each.payload()));
        assertThat(broken(new Told().with(one).with(other))).containsExactly(Rule.EVENT_ID);
    }

    @Test
    void an_event_without_its_scenario_is_found() {
        var job = succeeded();
        job.replace(
                "job.running",
                each ->
                        new Event(
                                each.id(),
                                each.jobId(),
                                each.name(),
                                each.prevState(),
                                each.nextState(),
                                each.at(),
                                "{}"));
        assertThat(broken(job)).containsExactly(Rule.SCENARIO);
    }

    @Test
    void state_outcome_and_report_have_to_agree() {
        var lost = succeeded();
        lost.ended = false;
        assertThat(broken(lost)).containsExactly(Rule.ENDS);
        var unreported = succeeded();
        unreported.reported = false;
        assertThat(broken(unreported)).containsExactly(Rule.REPORT);
        var other = succeeded();
        other.state = JobState.FAILED;
        assertThat(broken(other)).contains(Rule.STATE, Rule.OUTCOME);
        var outcome = succeeded();
        outcome.outcome = null;
        assertThat(broken(outcome)).containsExactly(Rule.OUTCOME);
        var told = succeeded();
        told.reportOutcome = "FAILED";
        assertThat(broken(told)).containsExactly(Rule.OUTCOME);
        var silent = failed("FAIL_IMMEDIATE", "job.failed");
        silent.failure = null;
        assertThat(broken(silent)).containsExactly(Rule.OUTCOME);
        var early = succeeded();
        early.stateAtSubmit = "CREATED";
        assertThat(broken(early)).containsExactly(Rule.STATE_AT_SUBMIT);
    }

    @Test
    void a_report_that_changes_or_has_other_times_than_its_events_is_found() {
        var started = succeeded();
        started.startedAt = BEGAN;
        assertThat(broken(started)).containsExactly(Rule.REPORT_TIMES);
        var never = lives("CANCEL_DURING_RUN", "created queued canceled").cancelled();
        never.startedAt = BEGAN;
        assertThat(broken(never)).containsExactly(Rule.REPORT_TIMES);
        var changed = succeeded();
        changed.reports =
                reports ->
                        reports.set(
                                0,
                                new JobReport(
                                        changed.id,
                                        "FAILED",
                                        reports.getFirst().events(),
                                        reports.getFirst().startedAt(),
                                        reports.getFirst().finishedAt(),
                                        reports.getFirst().durationMillis(),
                                        null));
        assertThat(broken(changed)).containsExactly(Rule.REPORT_FIXED);
        var shorter = succeeded();
        shorter.reports =
                reports -> {
                    JobReport full = reports.getLast();
                    reports.set(
                            1,
                            new JobReport(
                                    shorter.id,
                                    full.outcome(),
                                    full.events().subList(1, 5),
                                    full.startedAt(),
                                    full.finishedAt(),
                                    full.durationMillis(),
                                    null));
                };
        assertThat(broken(shorter)).contains(Rule.REPORT_FIXED, Rule.FIRST_EVENT);
    }

    private static final String FIRST = "created queued assigned running failed";
    private static final String AGAIN = " retried assigned running failed";

    @Test
    void attempts_are_the_retries_and_one_and_the_last_failure_is_marked() {
        var all = lives("RETRY_LIMIT_REACHED", FIRST + AGAIN.repeat(3));
        assertThat(broken(all)).isEmpty();
        var counted = failed("FAIL_IMMEDIATE", "job.failed");
        counted.attempt = 2;
        counted.autoRetry = true;
        assertThat(broken(counted)).containsExactly(Rule.ATTEMPTS);
        assertThat(broken(lives("RETRY_LIMIT_REACHED", FIRST + AGAIN.repeat(4))))
                .contains(Rule.ATTEMPTS);
        var unmarked = lives("RETRY_LIMIT_REACHED", FIRST + AGAIN.repeat(3));
        Event last = unmarked.events.removeLast();
        unmarked.events.add(unmarked.event(last.name(), "RUNNING", "FAILED", last.at(), false));
        assertThat(broken(unmarked)).containsExactly(Rule.FINAL_MARK);
        var marked = failed("FAIL_IMMEDIATE", "job.failed");
        marked.replace(
                "job.failed",
                each -> marked.event(each.name(), "RUNNING", "FAILED", each.at(), true));
        assertThat(broken(marked)).containsExactly(Rule.FINAL_MARK);
    }

    @Test
    void an_end_that_the_catalogue_does_not_name_is_found() {
        assertThat(broken(failed("SUCCESS_FAST", "job.failed"))).containsExactly(Rule.EXPECTED);
        assertThat(broken(failed("FAIL_IMMEDIATE", "job.succeeded")))
                .containsExactly(Rule.EXPECTED);
        assertThat(broken(failed("FAIL_IMMEDIATE", "job.timed_out")))
                .containsExactly(Rule.EXPECTED);
        assertThat(broken(failed("RUNS_OVER_TIMEOUT", "job.failed")))
                .containsExactly(Rule.EXPECTED);
        assertThat(broken(failed("RETRY_ON_FAIL", "job.failed"))).containsExactly(Rule.EXPECTED);
        assertThat(broken(failed("CANCEL_DURING_RUN", "job.succeeded"))).isEmpty();
        var hopeless = failed("FAIL_AFTER_RETRYABLE", "job.failed");
        assertThat(broken(hopeless)).isEmpty();
        hopeless.failure = new Job.Failure("SIMULATED_FAILURE", null, false);
        assertThat(broken(hopeless)).containsExactly(Rule.EXPECTED);
    }

    @Test
    void a_runner_that_was_killed_is_an_excuse_for_those_that_ran_then() {
        var told = new Told().with(failed("SUCCESS_FAST", "job.failed"));
        told.downtimes.add(new Downtime(BEGAN.plusMillis(3500), BEGAN.plusMillis(3900)));
        assertThat(broken(told)).isEmpty();
        told.downtimes.set(0, new Downtime(BEGAN.plusMillis(4500), BEGAN.plusMillis(5900)));
        assertThat(broken(told)).containsExactly(Rule.EXPECTED);
        told.downtimes.set(0, new Downtime(BEGAN.plusMillis(1500), BEGAN.plusMillis(2900)));
        assertThat(broken(told)).containsExactly(Rule.EXPECTED);
    }

    @Test
    void an_answer_that_was_lost_to_a_kill_tells_how_the_job_stood_later() {
        var late = succeeded();
        late.stateAtSubmit = "RUNNING";
        var told = new Told().with(late);
        assertThat(broken(told)).containsExactly(Rule.STATE_AT_SUBMIT);
        told.downtimes.add(new Downtime(BEGAN.plusMillis(100), BEGAN.plusMillis(200)));
        assertThat(broken(told)).isEmpty();
        told.downtimes.set(0, new Downtime(BEGAN.plusSeconds(60), BEGAN.plusSeconds(70)));
        assertThat(broken(told)).containsExactly(Rule.STATE_AT_SUBMIT);
    }

    @Test
    void a_kind_whose_end_was_never_seen_is_found() {
        var told = new Told();
        for (int i = 0; i < 10; i++) {
            told.with(failed("CANCEL_DURING_RUN", "job.succeeded"));
        }
        assertThat(broken(told)).containsExactly(Rule.SHOWN);
    }

    @Test
    void cancels_and_retries_that_do_not_hold_are_found() {
        var undone = succeeded();
        undone.acts.add(new Story.Act("cancel", "CANCELED", BEGAN, null));
        assertThat(broken(undone)).containsExactly(Rule.CANCEL);
        var open = succeeded();
        open.acts.add(new Story.Act("cancel", "RUNNING", BEGAN, null));
        assertThat(broken(open)).containsExactly(Rule.CANCEL);
        assertThat(broken(lives("CANCEL_DURING_RUN", "created queued canceled")))
                .contains(Rule.CANCEL);
        var twice = lives("RETRY_ON_FAIL", FIRST + " retried assigned running succeeded");
        twice.acts.add(new Story.Act("retry", "QUEUED", BEGAN, 3));
        assertThat(broken(twice)).containsExactly(Rule.RETRY);
        var unasked = lives("RETRY_ON_FAIL", FIRST + " retried assigned running succeeded");
        unasked.acts.clear();
        assertThat(broken(unasked)).containsExactly(Rule.RETRY);
        unasked.autoRetry = true;
        assertThat(broken(unasked)).isEmpty();
    }

    @Test
    void a_key_that_made_two_jobs_and_a_job_of_two_keys_are_found() {
        var two = succeeded();
        two.ids.add(UUID.randomUUID());
        assertThat(broken(two)).containsExactly(Rule.IDEMPOTENCY);
        var one = succeeded();
        var other = succeeded();
        other.key = one.key;
        assertThat(broken(new Told().with(one).with(other))).containsExactly(Rule.IDEMPOTENCY);
        other.client = 4;
        assertThat(broken(new Told().with(one).with(other))).isEmpty();
        assertThat(broken(new Told().with(one).with(one))).contains(Rule.IDEMPOTENCY);
    }

    @Test
    void lists_have_what_was_promised_and_no_more() {
        var told = new Told().with(succeeded());
        UUID id = told.jobs.getFirst().id;
        told.owned.add(new Owned(Told.OWNER, List.of(id)));
        assertThat(broken(told)).isEmpty();
        for (List<UUID> wrong :
                List.of(List.<UUID>of(), List.of(id, id), List.of(id, UUID.randomUUID()))) {
            told.owned.set(0, new Owned(Told.OWNER, wrong));
            assertThat(broken(told)).containsExactly(Rule.LISTED);
        }
        told.jobs.getFirst().deleted = true;
        told.owned.set(0, new Owned(Told.OWNER, List.of()));
        assertThat(broken(told)).isEmpty();
    }

    @Test
    void a_refusal_that_did_not_come_or_says_something_else_is_found() {
        var told = new Told();
        told.refusals.add(new Refusal("kinds", null, "get", "403 X", "403 X"));
        assertThat(broken(told)).isEmpty();
        told.refusals.add(new Refusal("kinds", null, "get", "403 X", "no refusal"));
        assertThat(
                        Checker.check(told.observed()).stream()
                                .map(Violation::what)
                                .collect(Collectors.joining()))
                .isEqualTo("get was answered with no refusal, not with 403 X");
    }

    @Test
    void jobs_that_are_early_or_late_are_found_and_downtime_is_not_held_against_them() {
        String life = "created queued assigned running succeeded";
        assertThat(broken(lives("SCHEDULED_ON_TIME", life).at(BEGAN.plusSeconds(1)))).isEmpty();
        assertThat(broken(lives("SCHEDULED_ON_TIME", life).at(BEGAN))).isEmpty();
        assertThat(broken(lives("SCHEDULED_ON_TIME", life).at(BEGAN.plusMillis(1001))))
                .containsExactly(Rule.EARLY);
        Instant before = BEGAN.minusSeconds(2);
        Instant due = BEGAN.minusMillis(1);
        var told = new Told().with(lives("SCHEDULED_ON_TIME", life).made(before).at(due));
        assertThat(broken(told)).containsExactly(Rule.LATE);
        told.downtimes.add(new Downtime(BEGAN.minusMillis(500), BEGAN.plusMillis(200)));
        assertThat(broken(told)).isEmpty();
        told.downtimes.set(0, new Downtime(BEGAN.minusMillis(900), BEGAN.minusMillis(2)));
        assertThat(broken(told)).containsExactly(Rule.LATE);
    }

    /// On a slow machine the time has come when the submit arrives: then it is queued at once, and
    /// not later than it came.
    @Test
    void a_job_whose_time_had_come_when_its_submit_landed_is_queued_from_the_first() {
        String life = "created queued assigned running succeeded";
        assertThat(broken(lives("SCHEDULED_ON_TIME", life).at(BEGAN.minusMillis(900)))).isEmpty();
        var waits = lives("SCHEDULED_ON_TIME", life).at(BEGAN.minusMillis(900));
        waits.stateAtSubmit = "CREATED";
        assertThat(broken(waits)).containsExactly(Rule.STATE_AT_SUBMIT);
        var early = lives("SCHEDULED_ON_TIME", life).at(BEGAN.plusMillis(1));
        early.stateAtSubmit = "QUEUED";
        assertThat(broken(early)).containsExactly(Rule.STATE_AT_SUBMIT);
    }
}
