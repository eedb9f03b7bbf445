package io.orchestrion.kernel;

import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.db.Room;
import io.orchestrion.kernel.db.Schema;
import io.orchestrion.kernel.db.StoreClock;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.events.Subjects;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.work.RetentionRule;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The parts and settings of a kernel: all that a test may want to be different is here.
///
/// @param schema the tables of the kernel and of all engines
/// @param sweepEvery the pace of the background duties
/// @param keysBelieved how long a good key is used without asking the database again
/// @param subjects the kinds of subjects that engines report events of
/// @param plans the catalogue of plans
/// @param signals who is told what happens
/// @param room what is known of the room that the store has left
/// @param wakeHints whether nodes tell each other of new work; without it they poll
public record KernelOptions(
        DatabaseOptions database,
        Schema schema,
        Work.Options work,
        Duration sweepEvery,
        Duration keysBelieved,
        boolean wakeHints,
        Plans plans,
        RetentionRule retention,
        List<WorkOwner> owners,
        Subjects subjects,
        StoreClock clock,
        NanoTicker ticker,
        RandomGenerator random,
        Failpoints failpoints,
        Signals signals,
        Room room) {

    /// A revoked key stops working on every node within this time.
    public static final Duration KEYS_BELIEVED = Duration.ofSeconds(2);

    public static KernelOptions on(DatabaseOptions database) {
        return new KernelOptions(
                database,
                Schema.KERNEL,
                Work.Options.DEFAULT,
                Duration.ofSeconds(1),
                KEYS_BELIEVED,
                true,
                Plans.PUBLISHED,
                RetentionRule.BY_PLAN,
                List.of(),
                Subjects.NONE,
                StoreClock.DATABASE,
                NanoTicker.SYSTEM,
                new SecureRandom(),
                Failpoints.fromSystemProperty(),
                Signals.NONE,
                Room.UNKNOWN);
    }

    public KernelOptions withDatabase(DatabaseOptions other) {
        return with(draft -> draft.database = other);
    }

    public KernelOptions withSchema(Schema other) {
        return with(draft -> draft.schema = other);
    }

    public KernelOptions withClock(StoreClock other) {
        return with(draft -> draft.clock = other);
    }

    public KernelOptions withTicker(NanoTicker other) {
        return with(draft -> draft.ticker = other);
    }

    public KernelOptions withFailpoints(Failpoints other) {
        return with(draft -> draft.failpoints = other);
    }

    public KernelOptions withSignals(Signals other) {
        return with(draft -> draft.signals = other);
    }

    public KernelOptions withRoom(Room other) {
        return with(draft -> draft.room = other);
    }

    public KernelOptions withOwners(List<WorkOwner> others) {
        return with(draft -> draft.owners = others);
    }

    public KernelOptions withSubjects(List<SubjectKind> kinds) {
        return with(draft -> draft.subjects = new Subjects(kinds));
    }

    public KernelOptions withPlans(Plans others) {
        return with(draft -> draft.plans = others);
    }

    public KernelOptions withRetention(RetentionRule other) {
        return with(draft -> draft.retention = other);
    }

    public KernelOptions withWork(Work.Options other) {
        return with(draft -> draft.work = other);
    }

    public KernelOptions withPace(Duration every, Duration believed, boolean hints) {
        return with(
                draft -> {
                    draft.sweepEvery = every;
                    draft.keysBelieved = believed;
                    draft.wakeHints = hints;
                });
    }

    private KernelOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.made();
    }

    /// The same options, to be changed one by one.
    private static final class Draft {
        DatabaseOptions database;
        Schema schema;
        Work.Options work;
        Duration sweepEvery;
        Duration keysBelieved;
        boolean wakeHints;
        Plans plans;
        RetentionRule retention;
        List<WorkOwner> owners;
        Subjects subjects;
        StoreClock clock;
        NanoTicker ticker;
        RandomGenerator random;
        Failpoints failpoints;
        Signals signals;
        Room room;

        Draft(KernelOptions from) {
            database = from.database;
            schema = from.schema;
            work = from.work;
            sweepEvery = from.sweepEvery;
            keysBelieved = from.keysBelieved;
            wakeHints = from.wakeHints;
            plans = from.plans;
            retention = from.retention;
            owners = from.owners;
            subjects = from.subjects;
            clock = from.clock;
            ticker = from.ticker;
            random = from.random;
            failpoints = from.failpoints;
            signals = from.signals;
            room = from.room;
        }

        KernelOptions made() {
            return new KernelOptions(
                    database,
                    schema,
                    work,
                    sweepEvery,
                    keysBelieved,
                    wakeHints,
                    plans,
                    retention,
                    owners,
                    subjects,
                    clock,
                    ticker,
                    random,
                    failpoints,
                    signals,
                    room);
        }
    }
}
