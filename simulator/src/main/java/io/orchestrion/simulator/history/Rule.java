package io.orchestrion.simulator.history;

/// What every run is held to.
public enum Rule {
    ENDS("every accepted job comes to an end"),
    LISTED("a client's list has the jobs that it was promised, and no others"),
    STATE_AT_SUBMIT("a job that is due is queued at once, one with a time waits as created"),
    FIRST_EVENT("a history begins with job.created"),
    CHAIN("each event begins in the state that the one before ended in"),
    EDGE("no change of state is forbidden"),
    EVENT_NAME("an event has the name of its change"),
    EVENT_TIME("the times of a job's events strictly increase"),
    EVENT_ID("no two events share an id, and each names its own job"),
    SCENARIO("every event tells the scenario"),
    STATE("the job's state is the one its last event led to"),
    OUTCOME("state, outcome and report agree"),
    REPORT("a job that has ended has a report"),
    REPORT_TIMES("a report's start, finish and duration are those of its events"),
    REPORT_FIXED("a report never changes, and a later attempt's begins with it"),
    ATTEMPTS("the attempt is one more than the retries, and never beyond the limit"),
    FINAL_MARK("the failure after which no retry is left is marked, and no other"),
    EXPECTED("a job ends as the catalogue says"),
    SHOWN("a kind that is tried often enough shows its expected end"),
    CANCEL("a cancelled job stays cancelled, and one that has ended is left alone"),
    RETRY("a retry counts once, and only for a failed job"),
    IDEMPOTENCY("one key makes one job, two keys make two"),
    REFUSAL("what must be refused is refused as it is written"),
    EARLY("no job is queued or run before its time"),
    LATE("a job is queued within a second of its time, downtime not counted"),
    DELIVERED("every event that was asked for arrives at least once"),
    DELIVERY_ORDER("a job's events reach a receiver in order"),
    DELIVERY_SIGNED("what arrives is signed with the receiver's secret"),
    DELIVERY_OWN("nobody gets what is not theirs or was not asked for"),
    DELIVERY_CONTENT("what arrives says the same as the report"),
    DELIVERY_STATE("the delivery log tells what became of a delivery");

    private final String words;

    Rule(String words) {
        this.words = words;
    }

    /// As a sentence without its dot.
    public String words() {
        return words;
    }
}
