package io.orchestrion.server.observe;

import java.util.List;
import java.util.Locale;

/// The catalogue of metrics, beside those of the virtual machine (`jvm_`, `process_`, `system_`).
/// The page for people and the checks of dashboard and alerts are read from here. No label has an
/// id or anything else that a client can make more of.
public enum Metric {
    JOBS_SUBMITTED(
            Type.COUNTER,
            Scope.CLUSTER,
            "Items accepted; a repeated request with the same idempotency key is none.",
            "door",
            "work_kind"),
    JOBS_QUEUED(
            Type.COUNTER,
            Scope.CLUSTER,
            "Entries into the queue: at the start, when due, after a failure, after a lost lease.",
            "door",
            "work_kind"),
    JOBS_RUNNING(Type.COUNTER, Scope.CLUSTER, "Entries into running.", "door", "work_kind"),
    JOBS_SUCCEEDED(Type.COUNTER, Scope.CLUSTER, "Items that ended well.", "door", "work_kind"),
    JOBS_FAILED(
            Type.COUNTER,
            Scope.CLUSTER,
            "Items that ended in failure; at the tasks and queue doors in the dead letters.",
            "door",
            "work_kind"),
    JOBS_CANCELED(Type.COUNTER, Scope.CLUSTER, "Items that were cancelled.", "door", "work_kind"),
    JOB_QUEUE_DEPTH(
            Type.GAUGE,
            Scope.CLUSTER,
            "Items that their door calls QUEUED, queued or pending now.",
            "door"),
    JOBS_PRESENT(
            Type.GAUGE,
            Scope.CLUSTER,
            "Open items now, by state: scheduled, queued, assigned, running. What has no end of its"
                    + " own to wait for counts as scheduled at the jobs door only.",
            "door",
            "state"),
    JOB_QUEUE_WAIT_SECONDS(
            Type.HISTOGRAM,
            Scope.CLUSTER,
            "Time in the queue until a worker has it; from its time on for what was scheduled.",
            "door"),
    JOB_ASSIGNED_SECONDS(
            Type.HISTOGRAM,
            Scope.CLUSTER,
            "Time from assignment to the start of the work, where a door tells the two apart.",
            "door"),
    JOB_EXECUTION_SECONDS(Type.HISTOGRAM, Scope.CLUSTER, "Time from running to the end.", "door"),
    JOB_RETRIES(
            Type.COUNTER,
            Scope.CLUSTER,
            "Times that an item was tried again: on request, after a failure or after a lost"
                    + " lease.",
            "door"),
    JOB_RETRY_SUCCESSES(
            Type.COUNTER,
            Scope.CLUSTER,
            "Items that ended well on another attempt than the first.",
            "door"),
    SUBJECT_EVENTS(
            Type.COUNTER,
            Scope.CLUSTER,
            "What engines told of their own subjects, such as executions, by kind of subject and by"
                    + " event; none without such an engine.",
            "subject",
            "event"),
    ORCHESTRATION_EXECUTIONS_STARTED(
            Type.COUNTER,
            Scope.CLUSTER,
            "Executions that were started, by the id of their definition.",
            "definition"),
    ORCHESTRATION_EXECUTIONS_SUCCEEDED(
            Type.COUNTER, Scope.CLUSTER, "Executions that succeeded.", "definition"),
    ORCHESTRATION_EXECUTIONS_FAILED(
            Type.COUNTER,
            Scope.CLUSTER,
            "Times that an execution failed; one that is retried may fail again.",
            "definition"),
    ORCHESTRATION_EXECUTIONS_CANCELED(
            Type.COUNTER, Scope.CLUSTER, "Executions that were canceled.", "definition"),
    ORCHESTRATION_STEP_RETRIES(
            Type.COUNTER,
            Scope.CLUSTER,
            "Further attempts of steps that were scheduled, by the class of the error before.",
            "error_class"),
    ORCHESTRATION_DLQ_ITEMS(
            Type.GAUGE,
            Scope.CLUSTER,
            "Dead letters of executions, those of removed executions included.",
            "status",
            "reason"),
    ORCHESTRATION_STEP_DURATION_SECONDS(
            Type.GAUGE,
            Scope.CLUSTER,
            "How long attempts of steps ran, all there ever were: between two bounds of the"
                    + " histogram by proportion.",
            "step_type",
            "quantile"),
    ORCHESTRATION_STEP_DURATION_HISTOGRAM_SECONDS(
            Type.HISTOGRAM, Scope.CLUSTER, "How long attempts of steps ran.", "step_type"),
    RUNS(
            Type.GAUGE,
            Scope.CLUSTER,
            "Runs that there are, by status: those that ended are counted until they are removed.",
            "status"),
    RUN_DURATION_SECONDS(
            Type.HISTOGRAM,
            Scope.CLUSTER,
            "From the start of a run to each of its ends, waits and pauses included."),
    RUN_STEP_RETRIES(
            Type.COUNTER,
            Scope.CLUSTER,
            "Further attempts of steps that were scheduled, by the error before. What was judged by"
                    + " its HTTP status counts as HTTPError.",
            "error"),
    RUN_HEARTBEAT_TIMEOUTS(
            Type.COUNTER, Scope.CLUSTER, "Runs that failed because no node drove them any more."),
    RUN_ESCALATIONS(Type.COUNTER, Scope.CLUSTER, "Times that a run asked for people.", "trigger"),
    RUN_ABORTS(
            Type.COUNTER,
            Scope.CLUSTER,
            "Times that a run was given up. One that is tried again by itself is not.",
            "reason"),
    RUN_REPLANS(
            Type.COUNTER, Scope.CLUSTER, "Further plans that replaced one of a run.", "trigger"),
    CREDITS_RESERVED(Type.COUNTER, Scope.CLUSTER, "Credits that attempts of runs reserved."),
    CREDITS_CHARGED(Type.COUNTER, Scope.CLUSTER, "Credits that they spent."),
    CREDITS_REFUNDED(
            Type.COUNTER,
            Scope.CLUSTER,
            "Credits that were given back: reserved and not spent, or charged by mistake."),
    ARTIFACTS_EXPIRED(
            Type.COUNTER,
            Scope.CLUSTER,
            "Artifacts whose bytes were removed, because their time was over or with their run."),
    STUCK_RUNS(
            Type.GAUGE,
            Scope.CLUSTER,
            "Runs that have been running for too long, or that no server drives; a thousand at"
                    + " most. Each node looks every ten seconds."),
    INVARIANT_VIOLATIONS(
            Type.GAUGE,
            Scope.CLUSTER,
            "Rows that break an invariant of runs. Each node walks over all rows, a thousand in ten"
                    + " seconds, and shows what its last walk found.",
            "invariant"),
    LEDGER_ANOMALIES(
            Type.GAUGE,
            Scope.CLUSTER,
            "Attempts of runs whose entries in the ledger of credits do not fit; found in the same"
                    + " way.",
            "kind"),
    WORK_QUEUE_DEPTH(
            Type.GAUGE,
            Scope.CLUSTER,
            "Items that nobody works on now: ready ones, those that wait for their time, and those"
                    + " of runs that are paused. `runs.high_priority` and `runs.normal` are runs"
                    + " that wait for a server; workers claim `steps` and, to plan for agents,"
                    + " `agents.work`.",
            "queue"),
    WEBHOOK_DELIVERIES(Type.COUNTER, Scope.CLUSTER, "Deliveries that a receiver has taken."),
    WEBHOOK_FAILURES(Type.COUNTER, Scope.CLUSTER, "Deliveries that were given up."),
    WEBHOOK_RETRIES(
            Type.COUNTER,
            Scope.CLUSTER,
            "Attempts to deliver that failed and are followed by another."),
    WEBHOOKS_PENDING(Type.GAUGE, Scope.CLUSTER, "Deliveries that are neither taken nor given up."),
    WEBHOOK_ATTEMPT_SECONDS(
            Type.HISTOGRAM, Scope.NODE, "How long receivers took, by how it ended.", "outcome"),
    HTTP_SERVER_REQUESTS_SECONDS(
            Type.HISTOGRAM,
            Scope.NODE,
            "Requests and how long they took to be answered; a request that waits for work counts"
                    + " with its wait.",
            "door",
            "route",
            "method",
            "status"),
    HTTP_REQUESTS_IN_FLIGHT(Type.GAUGE, Scope.NODE, "Requests being served now."),
    AUTH_FAILURES(
            Type.COUNTER,
            Scope.NODE,
            "Requests refused because of who sent them.",
            "door",
            "reason"),
    IDEMPOTENCY_HITS(
            Type.COUNTER,
            Scope.NODE,
            "Repeated requests that were given the first answer.",
            "door"),
    IDEMPOTENCY_NEW(Type.COUNTER, Scope.NODE, "First requests with an idempotency key.", "door"),
    IDEMPOTENCY_REPLAYS(
            Type.COUNTER,
            Scope.NODE,
            "Requests at the runs door that were given an answer of before for their key."),
    WORKER_HEARTBEATS(Type.COUNTER, Scope.NODE, "Signs of life that renewed a lease.", "door"),
    RUNNERS_PRESENT(
            Type.GAUGE,
            Scope.CLUSTER,
            "Runners of jobs that were heard of in the last 15 seconds, in all processes."),
    RUNNERS_AVAILABLE(
            Type.GAUGE, Scope.CLUSTER, "Jobs that they could take beside those they have."),
    RUNNERS_BUSY(Type.GAUGE, Scope.CLUSTER, "Jobs that they have."),
    DATABASE_ERRORS(
            Type.COUNTER,
            Scope.NODE,
            "Transactions that the database failed, by what is known of them.",
            "kind"),
    DUTY_SINCE_LAST_RUN_SECONDS(
            Type.GAUGE,
            Scope.NODE,
            "How long ago each duty of this node ended its last good pass.",
            "duty"),
    DUTY_LATE(
            Type.GAUGE,
            Scope.NODE,
            "1 for a duty of this node that has not run for longer than it may, which makes the"
                    + " node unhealthy; else 0.",
            "duty"),
    DUTY_CHANGES(Type.COUNTER, Scope.NODE, "What each duty of this node has changed.", "duty"),
    LANE_STUCK(
            Type.GAUGE,
            Scope.NODE,
            "1 for a lane of this node whose transaction takes longer than it may, which makes the"
                    + " node unhealthy; else 0.",
            "lane"),
    LANE_WAITING(Type.GAUGE, Scope.NODE, "Requests that wait in each lane of this node.", "lane"),
    LANE_TRANSACTIONS_ENDED(
            Type.COUNTER,
            Scope.NODE,
            "Transactions of each lane that were ended because they took too long.",
            "lane"),
    POOL_PLACES(
            Type.GAUGE,
            Scope.NODE,
            "How much each kind of workers inside this node may have at a time.",
            "pool"),
    POOL_BUSY(Type.GAUGE, Scope.NODE, "How much they have.", "pool"),
    POOL_STUCK(
            Type.GAUGE,
            Scope.NODE,
            "What was told to stop a while ago and has not, which makes the node degraded.",
            "pool"),
    POOL_LONGEST_SECONDS(
            Type.GAUGE, Scope.NODE, "For how long what began first has been running.", "pool"),
    RATE_LIMITER_CALLS(Type.COUNTER, Scope.NODE, "Looks at the counters of the rate limits."),
    RATE_LIMITER_LATENCY_SECONDS(
            Type.GAUGE, Scope.NODE, "How long the last thousand of them took.", "quantile"),
    EVENT_STREAMS(Type.GAUGE, Scope.NODE, "Clients that follow a log."),
    SPANS_DROPPED(Type.COUNTER, Scope.NODE, "Spans that their receiver did not take."),
    ORCHESTRION_BUILD_INFO(Type.GAUGE, Scope.NODE, "1, with the version of this node.", "version");

    /// As Prometheus has them.
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /// What a number is about. What the cluster shares is counted in storage: every node shows the
    /// same, so take one of them and do not add them up.
    public enum Scope {
        CLUSTER,
        NODE
    }

    private final Type type;
    private final Scope scope;
    private final String help;
    private final List<String> labels;

    Metric(Type type, Scope scope, String help, String... labels) {
        this.type = type;
        this.scope = scope;
        this.help = help;
        this.labels = List.of(labels);
    }

    /// Without what the format adds to it.
    public String family() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// As a query names it; of a histogram, what its parts begin with.
    public String shown() {
        return type == Type.COUNTER ? family() + "_total" : family();
    }

    public Type type() {
        return type;
    }

    public Scope scope() {
        return scope;
    }

    public String help() {
        return help;
    }

    public List<String> labels() {
        return labels;
    }
}
