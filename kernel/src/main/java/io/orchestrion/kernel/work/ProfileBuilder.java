package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.LEASED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.RUNNING;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.work.Profile.Bounds;
import io.orchestrion.kernel.work.Profile.CancelRules;
import io.orchestrion.kernel.work.Profile.ClaimOrder;
import io.orchestrion.kernel.work.Profile.Claims;
import io.orchestrion.kernel.work.Profile.Ends;
import io.orchestrion.kernel.work.Profile.ItemBounds;
import io.orchestrion.kernel.work.Profile.Keeping;
import io.orchestrion.kernel.work.Profile.LeaseSource;
import io.orchestrion.kernel.work.Profile.LeaseTerms;
import io.orchestrion.kernel.work.Profile.OnDue;
import io.orchestrion.kernel.work.Profile.OnExpiry;
import io.orchestrion.kernel.work.Profile.OnFailure;
import io.orchestrion.kernel.work.Profile.PayloadBounds;
import io.orchestrion.kernel.work.Profile.Retries;
import io.orchestrion.kernel.work.Profile.ScheduleBounds;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/// Builds a profile from what is special about it. The rest is as for an item of an engine: one
/// attempt under a lease of half a minute; a failure or an expired lease ends it; it may be
/// cancelled as long as it is open; it is kept as long as its owner.
final class ProfileBuilder {
    private static final int KIB = 1024;
    private static final int ENGINE_LEASE_SECONDS = 30;
    private static final Duration TEN_YEARS = Duration.ofDays(3650);

    private final String name;
    private String queue;
    private LeaseTerms lease;
    private Bounds attempts = new Bounds(1, 1, 1);

    private ClaimOrder order = ClaimOrder.PRIORITY_SCHEDULE_CREATION;
    private boolean claimStartsWork = true;
    private boolean byPolicy;

    private OnFailure onFailure = OnFailure.FAIL;
    private OnExpiry onExpiry = OnExpiry.FAIL;
    private OnDue onDue = OnDue.READY;
    private @Nullable WorkState onGiveUp;

    private Backoff backoff = Backoff.NONE;
    private boolean reopens;
    private boolean retries;

    private Set<WorkState> cancelFrom = Set.of(WAITING, READY, LEASED, RUNNING);
    private Set<WorkState> forcedCancelFrom = Set.of();
    private Set<WorkState> cancelAskedIn = Set.of();

    private Set<WaitReason> promotionsShown = Set.of();
    private ScheduleBounds schedule = new ScheduleBounds(TEN_YEARS, TEN_YEARS);
    private PayloadBounds payload = new PayloadBounds(256 * KIB, 64);

    private Duration retention = Duration.ZERO;
    private boolean metered;
    private boolean keepsLog;
    private int lateReports;

    private ProfileBuilder(String name) {
        this.name = name;
        this.queue = name;
        this.lease = fixed(ENGINE_LEASE_SECONDS);
    }

    /// With a queue of its own that has the same name.
    static ProfileBuilder profile(String name) {
        return new ProfileBuilder(name);
    }

    private static LeaseTerms fixed(int seconds) {
        return new LeaseTerms(LeaseSource.FIXED, new Bounds(seconds, seconds, seconds));
    }

    /// Claimed together with the items of another profile.
    ProfileBuilder sharingQueue(String other) {
        queue = other;
        return this;
    }

    ProfileBuilder leaseSetByItem(Bounds seconds) {
        lease = new LeaseTerms(LeaseSource.ITEM, seconds);
        return this;
    }

    ProfileBuilder leaseSetByClaim(Bounds seconds) {
        lease = new LeaseTerms(LeaseSource.CLAIM, seconds);
        return this;
    }

    ProfileBuilder leaseOf(int seconds) {
        lease = fixed(seconds);
        return this;
    }

    ProfileBuilder attempts(Bounds bounds) {
        attempts = bounds;
        return this;
    }

    ProfileBuilder order(ClaimOrder first) {
        order = first;
        return this;
    }

    /// Who claims an item says in a call of its own that it begins.
    ProfileBuilder startedAfterClaim() {
        claimStartsWork = false;
        return this;
    }

    ProfileBuilder claimedByPolicy() {
        byPolicy = true;
        return this;
    }

    ProfileBuilder onFailure(OnFailure what) {
        onFailure = what;
        return this;
    }

    ProfileBuilder onExpiry(OnExpiry what) {
        onExpiry = what;
        return this;
    }

    ProfileBuilder onDue(OnDue what) {
        onDue = what;
        return this;
    }

    /// An item may be given a time until which it is wanted. When that has passed it ends in this
    /// state.
    ProfileBuilder onGiveUp(WorkState end) {
        onGiveUp = end;
        return this;
    }

    ProfileBuilder backoff(Backoff delay) {
        backoff = delay;
        return this;
    }

    /// A dead item may be put back.
    ProfileBuilder reopens() {
        reopens = true;
        return this;
    }

    /// A failed item may be tried again on request.
    ProfileBuilder retriesOnRequest() {
        retries = true;
        return this;
    }

    ProfileBuilder cancelledIn(WorkState... states) {
        cancelFrom = Set.of(states);
        return this;
    }

    ProfileBuilder cancelledByForceIn(WorkState... states) {
        forcedCancelFrom = Set.of(states);
        return this;
    }

    /// Cancelling asks the holder to stop, and the holder ends the item.
    ProfileBuilder cancelAskedIn(WorkState... states) {
        cancelAskedIn = Set.of(states);
        return this;
    }

    ProfileBuilder showsEndOfWaits(WaitReason... reasons) {
        promotionsShown = Set.of(reasons);
        return this;
    }

    ProfileBuilder schedule(ScheduleBounds bounds) {
        schedule = bounds;
        return this;
    }

    ProfileBuilder payload(PayloadBounds bounds) {
        payload = bounds;
        return this;
    }

    ProfileBuilder keptFor(Duration time) {
        retention = time;
        return this;
    }

    ProfileBuilder metered() {
        metered = true;
        return this;
    }

    ProfileBuilder keepsLog() {
        keepsLog = true;
        return this;
    }

    ProfileBuilder lateReports(int most) {
        lateReports = most;
        return this;
    }

    Profile build() {
        return new Profile(
                name,
                queue,
                new Claims(order, claimStartsWork, byPolicy),
                lease,
                new Ends(onFailure, onExpiry, onDue, onGiveUp),
                new Retries(backoff, reopens, retries),
                new CancelRules(cancelFrom, forcedCancelFrom, cancelAskedIn),
                promotionsShown,
                new ItemBounds(attempts, schedule, payload),
                new Keeping(retention, metered, keepsLog, lateReports));
    }
}
