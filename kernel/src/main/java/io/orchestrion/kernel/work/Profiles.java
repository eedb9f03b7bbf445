package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.ProfileBuilder.profile;
import static io.orchestrion.kernel.work.WorkState.CANCELLED;
import static io.orchestrion.kernel.work.WorkState.FAILED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.RUNNING;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.work.Profile.Bounds;
import io.orchestrion.kernel.work.Profile.ClaimOrder;
import io.orchestrion.kernel.work.Profile.OnDue;
import io.orchestrion.kernel.work.Profile.OnExpiry;
import io.orchestrion.kernel.work.Profile.OnFailure;
import io.orchestrion.kernel.work.Profile.PayloadBounds;
import io.orchestrion.kernel.work.Profile.ScheduleBounds;

import java.time.Duration;
import java.util.List;

/// All profiles there are, each by what is special about it ([ProfileBuilder] has the rest). The
/// database's guard is generated from this list.
public final class Profiles {
    private Profiles() {}

    private static final int KIB = 1024;

    /// A worker that is too late reports once, or repeats itself a few times.
    private static final int LATE_REPORTS = 5;

    /// The tasks door: the producer sets the lease, a failure goes back to the queue until the
    /// attempts are used up, and a held task is cancelled by force only.
    public static final Profile TASKS =
            profile("tasks")
                    .leaseSetByItem(new Bounds(30, 3600, 300))
                    .attempts(new Bounds(1, 10, 3))
                    .onFailure(OnFailure.RETRY_OR_DIE)
                    .onExpiry(OnExpiry.RETRY_OR_DIE)
                    .onGiveUp(CANCELLED)
                    .reopens()
                    .cancelledIn(WAITING, READY)
                    .cancelledByForceIn(RUNNING)
                    .schedule(new ScheduleBounds(Duration.ofSeconds(1), Duration.ofDays(30)))
                    .payload(new PayloadBounds(64 * KIB, 5))
                    .keptFor(Duration.ofDays(90))
                    .metered()
                    .build();

    /// The queue door: the worker sets the lease and says whether a failure is worth a retry.
    public static final Profile QUEUE =
            profile("queue")
                    .leaseSetByClaim(new Bounds(1, 3600, 120))
                    .attempts(new Bounds(1, 10, 3))
                    .order(ClaimOrder.PRIORITY_CREATION)
                    .claimedByPolicy()
                    .onFailure(OnFailure.AS_REPORTED)
                    .onExpiry(OnExpiry.RETRY_OR_DIE)
                    .backoff(
                            Backoff.withFullJitter(
                                    Duration.ofSeconds(5),
                                    Duration.ofMinutes(15),
                                    Duration.ofSeconds(1)))
                    .reopens()
                    .cancelledIn(WAITING, READY)
                    .cancelAskedIn(RUNNING)
                    .keptFor(Duration.ofDays(30))
                    .keepsLog()
                    .build();

    /// The jobs door: assignment is a state of its own to the outside, and a failure is final until
    /// somebody asks for a retry.
    public static final Profile JOBS =
            profile("jobs")
                    .attempts(new Bounds(1, 101, 4))
                    .order(ClaimOrder.CREATION)
                    .startedAfterClaim()
                    .backoff(new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2))
                    .retriesOnRequest()
                    .showsEndOfWaits(WaitReason.SCHEDULE, WaitReason.DEPENDENCY, WaitReason.HOLD)
                    .schedule(new ScheduleBounds(Duration.ofSeconds(1), Duration.ofDays(3650)))
                    .keptFor(Duration.ofDays(30))
                    .build();

    /// One attempt of a step of an orchestration or a run, worked on through the tasks queue.
    public static final Profile STEPS =
            profile("steps")
                    .sharingQueue(TASKS.queue())
                    .leaseSetByItem(new Bounds(30, 3600, 60))
                    .onGiveUp(FAILED)
                    .lateReports(LATE_REPORTS)
                    .build();

    /// Drivers of runs, worked on by the pool of this server. When the holder is gone, any node
    /// takes over.
    public static final Profile DRIVERS =
            profile("drivers")
                    .order(ClaimOrder.PRIORITY_CREATION)
                    .onExpiry(OnExpiry.TAKE_OVER)
                    .onGiveUp(FAILED)
                    .payload(new PayloadBounds(64 * KIB, 64))
                    .build();

    /// Outgoing calls and notices of the engines, worked on by the pool of this server.
    public static final Profile BUILTIN =
            profile("builtin").onGiveUp(FAILED).lateReports(LATE_REPORTS).build();

    /// Timers of the engines. Nobody works on one: the promoter ends it when its time has come, and
    /// its owner goes on.
    public static final Profile TIMERS =
            profile("timers")
                    .onDue(OnDue.SUCCEEDED)
                    .cancelledIn(WAITING)
                    .payload(new PayloadBounds(64 * KIB, 64))
                    .build();

    /// Deliveries to receivers of webhooks, worked on by the server itself. The deliverer says how
    /// long a failed one waits and whether it is worth another try. Whoever asked for a delivery
    /// may cancel it at any time.
    public static final Profile DELIVERIES =
            profile("deliveries")
                    .leaseOf(60)
                    .attempts(new Bounds(1, 60, 6))
                    .order(ClaimOrder.CREATION)
                    .onFailure(OnFailure.AS_REPORTED)
                    .onExpiry(OnExpiry.RETRY_OR_DIE)
                    .payload(new PayloadBounds(64 * KIB, 64))
                    .keptFor(Duration.ofDays(30))
                    .build();

    public static final List<Profile> ALL =
            List.of(TASKS, QUEUE, JOBS, STEPS, DRIVERS, BUILTIN, TIMERS, DELIVERIES);

    /// The names of all logs of items.
    public static final List<String> LOGS = ALL.stream().map(Profile::log).toList();

    /// The logs whose events are counted by the kind of the item. Their kinds all come from a
    /// catalogue, so they are few.
    private static final List<String> LOGS_BY_KIND = List.of(JOBS.log());

    /// Steps in which an agent plans. No caller can give a tool that name.
    private static final String AGENT_PLAN = "agent_plan";

    /// Under which word an item is counted beside its queue. There are few for each queue.
    ///
    /// @return empty where the items of the queue are counted together
    public static String countedAs(String log, String kind, int priority) {
        if (LOGS_BY_KIND.contains(log)) {
            return kind;
        }
        if (log.equals(DRIVERS.log())) {
            return priority > 0 ? HIGH_PRIORITY : "";
        }
        return log.equals(STEPS.log()) && kind.equals(AGENT_PLAN) ? kind : "";
    }

    /// How drivers are counted that are claimed before others.
    public static final String HIGH_PRIORITY = "high_priority";

    public static Profile named(String name) {
        return ALL.stream()
                .filter(profile -> profile.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no profile " + name));
    }
}
