package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;

/// The names of what happens to jobs, and how the kernel's history reads in them.
public final class JobEvents {
    private JobEvents() {}

    public static final String CREATED = "job.created";
    public static final String QUEUED = "job.queued";
    public static final String ASSIGNED = "job.assigned";
    public static final String LEASE_EXPIRED = "job.lease_expired";
    public static final String RUNNING = "job.running";
    public static final String SUCCEEDED = "job.succeeded";
    public static final String FAILED = "job.failed";
    public static final String TIMED_OUT = "job.timed_out";
    public static final String CANCELED = "job.canceled";
    public static final String RETRIED = "job.retried";
    public static final String EMITTED = "job.emitted";

    /// All names, in the order in which a job may meet them.
    public static final List<String> NAMES =
            List.of(
                    CREATED,
                    QUEUED,
                    ASSIGNED,
                    LEASE_EXPIRED,
                    RUNNING,
                    SUCCEEDED,
                    EMITTED,
                    FAILED,
                    TIMED_OUT,
                    CANCELED,
                    RETRIED);

    /// Whether who subscribed to one name gets the other too: a time-out is a failure, and an
    /// emitted event a success.
    public static boolean subscribes(String subscribed, String name) {
        return subscribed.equals(name)
                || (subscribed.equals(FAILED) && name.equals(TIMED_OUT))
                || (subscribed.equals(SUCCEEDED) && name.equals(EMITTED));
    }

    public static String name(WorkEvent event, WorkState to, JobType type) {
        return switch (event) {
            case SUBMIT -> CREATED;
            case PROMOTE -> QUEUED;
            case LEASE -> ASSIGNED;
            case START -> RUNNING;
            case COMPLETE -> type == JobType.EMIT_EVENT ? EMITTED : SUCCEEDED;
            case FAIL -> FAILED;
            case EXPIRE -> to == WorkState.READY ? LEASE_EXPIRED : FAILED;
            case TIME_OUT -> TIMED_OUT;
            case CANCEL -> CANCELED;
            case RETRY -> RETRIED;
            case HOLD, RELEASE, REOPEN, ASK_CANCEL, GIVE_UP, LATE_REPORT ->
                    throw new IllegalStateException("jobs have no " + event);
        };
    }

    /// One entry of a job's history as the outside sees it.
    public static JobEvent of(UUID jobId, JobFacts facts, HistoryEntry entry) {
        WorkState from = entry.from();
        JobState next =
                entry.event() == WorkEvent.RETRY ? JobState.QUEUED : JobState.of(entry.to(), null);
        boolean failed = next == JobState.FAILED;
        return new JobEvent(
                id(jobId, entry.seq()),
                jobId,
                entry.seq(),
                name(entry.event(), entry.to(), facts.type()),
                from == null ? null : before(from, entry.attempt()),
                next,
                entry.atMs(),
                attempt(entry),
                facts.workKind(),
                failed && entry.attempt() >= facts.maxAttempts(),
                failed ? entry.detail() : null);
    }

    /// A waiting job that was begun before waits for its backoff. To the outside it was queued.
    private static JobState before(WorkState from, int attempt) {
        return from == WorkState.WAITING && attempt > 0 ? JobState.QUEUED : JobState.of(from, null);
    }

    /// The kernel counts leases. What happens before a lease belongs to the attempt that the lease
    /// begins.
    private static int attempt(HistoryEntry entry) {
        boolean unleased =
                switch (entry.event()) {
                    case SUBMIT, PROMOTE, RETRY -> true;
                    case EXPIRE -> entry.to() == WorkState.READY;
                    case CANCEL ->
                            entry.from() == WorkState.WAITING || entry.from() == WorkState.READY;
                    default -> false;
                };
        return unleased ? entry.attempt() + 1 : entry.attempt();
    }

    /// The same for the same event, always. The view `job_events` makes it in the same way.
    public static UUID id(UUID jobId, int seq) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("MD5")
                            .digest((jobId + ":" + seq).getBytes(StandardCharsets.US_ASCII));
            ByteBuffer bytes = ByteBuffer.wrap(digest);
            return new UUID(bytes.getLong(), bytes.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
