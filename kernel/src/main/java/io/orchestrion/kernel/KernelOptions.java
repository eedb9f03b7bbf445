package io.orchestrion.kernel;

import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.db.StoreClock;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.outbox.OutboxSubscriber;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.work.RetentionRule;
import io.orchestrion.kernel.work.Work;
import io.orchestrion.kernel.work.WorkOwner;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a kernel is made of: all that a test may want to be different is here.
///
/// @param sweepEvery the pace of the background duties
/// @param keysBelieved how long a good key is believed without asking the database again
/// @param plans the catalogue of plans
/// @param wakeHints whether nodes tell each other of new work; without it they poll
public record KernelOptions(
        DatabaseOptions database,
        Work.Options work,
        Duration sweepEvery,
        Duration keysBelieved,
        boolean wakeHints,
        Plans plans,
        RetentionRule retention,
        List<WorkOwner> owners,
        List<OutboxSubscriber> subscribers,
        StoreClock clock,
        NanoTicker ticker,
        RandomGenerator random,
        Failpoints failpoints) {

    /// A revoked key stops working on every node within this time.
    public static final Duration KEYS_BELIEVED = Duration.ofSeconds(2);

    public static KernelOptions on(DatabaseOptions database) {
        return new KernelOptions(
                database,
                Work.Options.DEFAULT,
                Duration.ofSeconds(1),
                KEYS_BELIEVED,
                true,
                Plans.PUBLISHED,
                RetentionRule.BY_PLAN,
                List.of(),
                List.of(),
                StoreClock.DATABASE,
                NanoTicker.SYSTEM,
                new SecureRandom(),
                Failpoints.fromSystemProperty());
    }

    public KernelOptions withClock(StoreClock other) {
        return new KernelOptions(
                database,
                work,
                sweepEvery,
                keysBelieved,
                wakeHints,
                plans,
                retention,
                owners,
                subscribers,
                other,
                ticker,
                random,
                failpoints);
    }

    public KernelOptions withTicker(NanoTicker other) {
        return new KernelOptions(
                database,
                work,
                sweepEvery,
                keysBelieved,
                wakeHints,
                plans,
                retention,
                owners,
                subscribers,
                clock,
                other,
                random,
                failpoints);
    }

    public KernelOptions withFailpoints(Failpoints other) {
        return new KernelOptions(
                database,
                work,
                sweepEvery,
                keysBelieved,
                wakeHints,
                plans,
                retention,
                owners,
                subscribers,
                clock,
                ticker,
                random,
                other);
    }

    public KernelOptions withOwners(List<WorkOwner> others) {
        return new KernelOptions(
                database,
                work,
                sweepEvery,
                keysBelieved,
                wakeHints,
                plans,
                retention,
                others,
                subscribers,
                clock,
                ticker,
                random,
                failpoints);
    }

    public KernelOptions withSubscribers(List<OutboxSubscriber> others) {
        return new KernelOptions(
                database,
                work,
                sweepEvery,
                keysBelieved,
                wakeHints,
                plans,
                retention,
                owners,
                others,
                clock,
                ticker,
                random,
                failpoints);
    }

    public KernelOptions withPlans(Plans others) {
        return new KernelOptions(
                database,
                work,
                sweepEvery,
                keysBelieved,
                wakeHints,
                others,
                retention,
                owners,
                subscribers,
                clock,
                ticker,
                random,
                failpoints);
    }

    public KernelOptions withRetention(RetentionRule other) {
        return new KernelOptions(
                database,
                work,
                sweepEvery,
                keysBelieved,
                wakeHints,
                plans,
                other,
                owners,
                subscribers,
                clock,
                ticker,
                random,
                failpoints);
    }

    public KernelOptions withPace(Duration every, Duration believed, boolean hints) {
        return new KernelOptions(
                database,
                work,
                every,
                believed,
                hints,
                plans,
                retention,
                owners,
                subscribers,
                clock,
                ticker,
                random,
                failpoints);
    }

    public KernelOptions withWork(Work.Options other) {
        return new KernelOptions(
                database,
                other,
                sweepEvery,
                keysBelieved,
                wakeHints,
                plans,
                retention,
                owners,
                subscribers,
                clock,
                ticker,
                random,
                failpoints);
    }
}
