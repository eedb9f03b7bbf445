package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.CANCELLED;
import static io.orchestrion.kernel.work.WorkState.FAILED;
import static io.orchestrion.kernel.work.WorkState.LEASED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.RUNNING;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.work.Profile.Bounds;
import io.orchestrion.kernel.work.Profile.ClaimOrder;
import io.orchestrion.kernel.work.Profile.LeaseSource;
import io.orchestrion.kernel.work.Profile.LeaseTerms;
import io.orchestrion.kernel.work.Profile.OnDue;
import io.orchestrion.kernel.work.Profile.OnExpiry;
import io.orchestrion.kernel.work.Profile.OnFailure;
import io.orchestrion.kernel.work.Profile.PayloadBounds;
import io.orchestrion.kernel.work.Profile.ScheduleBounds;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// All profiles there are. The database's guard is generated from this list.
public final class Profiles {
    private Profiles() {}

    private static final Set<WorkState> OPEN = Set.of(WAITING, READY, LEASED, RUNNING);
    private static final Bounds ONE_ATTEMPT = new Bounds(1, 1, 1);
    private static final int KIB = 1024;

    /// A worker that comes too late says it once, or a few times over.
    private static final int LATE_REPORTS = 5;
    private static final ScheduleBounds ANY_TIME =
            new ScheduleBounds(Duration.ofDays(3650), Duration.ofDays(3650));

    /// The tasks door: the producer sets the lease, a failure goes back to the queue until the
    /// attempts are used up, and a held task is cancelled by force only.
    public static final Profile TASKS =
            new Profile(
                    "tasks",
                    "tasks",
                    true,
                    new LeaseTerms(LeaseSource.ITEM, new Bounds(30, 3600, 300)),
                    new Bounds(1, 10, 3),
                    OnFailure.RETRY_OR_DIE,
                    OnExpiry.RETRY_OR_DIE,
                    Backoff.NONE,
                    OnDue.READY,
                    ClaimOrder.PRIORITY_SCHEDULE_CREATION,
                    Set.of(WAITING, READY),
                    Set.of(RUNNING),
                    Set.of(),
                    true,
                    false,
                    Set.of(),
                    new ScheduleBounds(Duration.ofSeconds(1), Duration.ofDays(30)),
                    new PayloadBounds(64 * KIB, 5),
                    Duration.ofDays(90),
                    true,
                    false,
                    false,
                    CANCELLED,
                    0);

    /// The queue door: the worker sets the lease and says whether a failure is worth a retry.
    public static final Profile QUEUE =
            new Profile(
                    "queue",
                    "queue",
                    true,
                    new LeaseTerms(LeaseSource.CLAIM, new Bounds(1, 3600, 120)),
                    new Bounds(1, 10, 3),
                    OnFailure.AS_REPORTED,
                    OnExpiry.RETRY_OR_DIE,
                    Backoff.withFullJitter(
                            Duration.ofSeconds(5), Duration.ofMinutes(15), Duration.ofSeconds(1)),
                    OnDue.READY,
                    ClaimOrder.PRIORITY_CREATION,
                    Set.of(WAITING, READY),
                    Set.of(),
                    Set.of(RUNNING),
                    true,
                    false,
                    Set.of(),
                    ANY_TIME,
                    new PayloadBounds(256 * KIB, 64),
                    Duration.ofDays(30),
                    false,
                    true,
                    true,
                    null,
                    0);

    /// The jobs door: assignment is visible, a failure is final until somebody asks for a retry.
    public static final Profile JOBS =
            new Profile(
                    "jobs",
                    "jobs",
                    false,
                    new LeaseTerms(LeaseSource.FIXED, new Bounds(30, 30, 30)),
                    new Bounds(1, 101, 4),
                    OnFailure.FAIL,
                    OnExpiry.FAIL,
                    new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2),
                    OnDue.READY,
                    ClaimOrder.CREATION,
                    OPEN,
                    Set.of(),
                    Set.of(),
                    false,
                    true,
                    Set.of(WaitReason.SCHEDULE, WaitReason.DEPENDENCY, WaitReason.HOLD),
                    new ScheduleBounds(Duration.ofSeconds(1), Duration.ofDays(3650)),
                    new PayloadBounds(256 * KIB, 64),
                    Duration.ofDays(30),
                    false,
                    false,
                    false,
                    null,
                    0);

    /// One attempt of a step of an orchestration or a run, worked on through the tasks queue.
    public static final Profile STEPS =
            new Profile(
                    "steps",
                    "tasks",
                    true,
                    new LeaseTerms(LeaseSource.ITEM, new Bounds(30, 3600, 60)),
                    ONE_ATTEMPT,
                    OnFailure.FAIL,
                    OnExpiry.FAIL,
                    Backoff.NONE,
                    OnDue.READY,
                    ClaimOrder.PRIORITY_SCHEDULE_CREATION,
                    OPEN,
                    Set.of(),
                    Set.of(),
                    false,
                    false,
                    Set.of(),
                    ANY_TIME,
                    new PayloadBounds(256 * KIB, 64),
                    Duration.ZERO,
                    false,
                    false,
                    false,
                    FAILED,
                    LATE_REPORTS);

    /// What drives a run, worked on by the pool of this server: any node takes over when the holder
    /// is gone.
    public static final Profile DRIVERS =
            new Profile(
                    "drivers",
                    "drivers",
                    true,
                    new LeaseTerms(LeaseSource.FIXED, new Bounds(30, 30, 30)),
                    ONE_ATTEMPT,
                    OnFailure.FAIL,
                    OnExpiry.TAKE_OVER,
                    Backoff.NONE,
                    OnDue.READY,
                    ClaimOrder.PRIORITY_CREATION,
                    OPEN,
                    Set.of(),
                    Set.of(),
                    false,
                    false,
                    Set.of(),
                    ANY_TIME,
                    new PayloadBounds(64 * KIB, 64),
                    Duration.ZERO,
                    false,
                    false,
                    false,
                    FAILED,
                    0);

    /// Outgoing calls and notices of the engines, worked on by the pool of this server.
    public static final Profile BUILTIN =
            new Profile(
                    "builtin",
                    "builtin",
                    true,
                    new LeaseTerms(LeaseSource.FIXED, new Bounds(30, 30, 30)),
                    ONE_ATTEMPT,
                    OnFailure.FAIL,
                    OnExpiry.FAIL,
                    Backoff.NONE,
                    OnDue.READY,
                    ClaimOrder.PRIORITY_SCHEDULE_CREATION,
                    OPEN,
                    Set.of(),
                    Set.of(),
                    false,
                    false,
                    Set.of(),
                    ANY_TIME,
                    new PayloadBounds(256 * KIB, 64),
                    Duration.ZERO,
                    false,
                    false,
                    false,
                    FAILED,
                    LATE_REPORTS);

    /// Waits of the engines. Nobody works on one: when its time comes the promoter ends it, and its
    /// owner goes on.
    public static final Profile TIMERS =
            new Profile(
                    "timers",
                    "timers",
                    true,
                    new LeaseTerms(LeaseSource.FIXED, new Bounds(30, 30, 30)),
                    ONE_ATTEMPT,
                    OnFailure.FAIL,
                    OnExpiry.FAIL,
                    Backoff.NONE,
                    OnDue.SUCCEEDED,
                    ClaimOrder.PRIORITY_SCHEDULE_CREATION,
                    Set.of(WAITING),
                    Set.of(),
                    Set.of(),
                    false,
                    false,
                    Set.of(),
                    ANY_TIME,
                    new PayloadBounds(64 * KIB, 64),
                    Duration.ZERO,
                    false,
                    false,
                    false,
                    null,
                    0);

    /// What is sent to receivers of webhooks, worked on in process. The deliverer says how long a
    /// failed one waits and whether another try is worth it; who asked for it may take it back at
    /// any time.
    public static final Profile DELIVERIES =
            new Profile(
                    "deliveries",
                    "deliveries",
                    true,
                    new LeaseTerms(LeaseSource.FIXED, new Bounds(60, 60, 60)),
                    new Bounds(1, 60, 6),
                    OnFailure.AS_REPORTED,
                    OnExpiry.RETRY_OR_DIE,
                    Backoff.NONE,
                    OnDue.READY,
                    ClaimOrder.CREATION,
                    OPEN,
                    Set.of(),
                    Set.of(),
                    false,
                    false,
                    Set.of(),
                    ANY_TIME,
                    new PayloadBounds(64 * KIB, 64),
                    Duration.ofDays(30),
                    false,
                    false,
                    false,
                    null,
                    0);

    public static final List<Profile> ALL =
            List.of(TASKS, QUEUE, JOBS, STEPS, DRIVERS, BUILTIN, TIMERS, DELIVERIES);

    /// The logs there are of items.
    public static final List<String> LOGS = ALL.stream().map(Profile::log).toList();

    /// Those whose events are counted by the kind of the item, because a catalogue has all kinds.
    public static final List<String> LOGS_BY_KIND = List.of(JOBS.log());

    public static Profile named(String name) {
        return ALL.stream()
                .filter(profile -> profile.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no profile " + name));
    }
}
