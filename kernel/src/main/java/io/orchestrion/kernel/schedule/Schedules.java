package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.Submitted;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// The schedules of an account, as the account manages them. A transaction that changes or fires
/// one holds the lock on its row.
public final class Schedules {
    public static final int MAX = 1000;

    /// How long the history is kept, the newest [#HISTORY_MAX] entries of a schedule at the most.
    public static final Duration HISTORY_KEPT = Duration.ofDays(30);

    public static final int HISTORY_MAX = Firing.HISTORY_MAX;

    /// How many of its newest tasks are looked at for one that is still open.
    public static final int TASKS_LOOKED_AT = Firing.TASKS_LOOKED_AT;

    /// Above every id there is.
    private static final UUID LAST_ID = new UUID(-1, -1);

    private final Database database;
    private final Ids ids;
    private final WorkVerbs verbs;

    public Schedules(Database database, Ids ids, WorkVerbs verbs) {
        this.database = database;
        this.ids = ids;
        this.verbs = verbs;
    }

    public Change create(UUID account, ScheduleDefinition definition, boolean paused) {
        return database.transaction(
                tx -> {
                    long now = tx.nowMillis();
                    Timing timing = definition.timing();
                    long anchor = anchor(timing, now);
                    Change.Refused refused = refused(timing, anchor, now);
                    if (refused != null) {
                        return refused;
                    }
                    ScheduleSql.lockAccount(tx, account);
                    if (ScheduleSql.named(tx, account, definition.name()) != null) {
                        return new Change.NameTaken();
                    }
                    if (ScheduleSql.count(tx, account) >= MAX) {
                        return new Change.TooMany();
                    }
                    UUID id = ids.next(now);
                    Long next = paused ? null : timing.times(anchor).after(now);
                    ScheduleSql.insert(tx, account, id, definition, anchor, paused, next);
                    return done(tx, account, id);
                });
    }

    /// The start where one is given, so that the first fire is at the start.
    private static long anchor(Timing timing, long nowMs) {
        Long start = timing.startMs();
        return start == null ? nowMs : start;
    }

    private static Change.@Nullable Refused refused(Timing timing, long anchorMs, long nowMs) {
        try {
            timing.check(anchorMs, nowMs);
            return null;
        } catch (InvalidTiming e) {
            return new Change.Refused(e.field(), e.reason());
        }
    }

    /// Replaces the whole definition. A fire that is due stays so unless the timing is another; the
    /// counts and the history stay in any case.
    ///
    /// @param paused null to leave that as it is
    public Change replace(
            UUID account, UUID id, ScheduleDefinition definition, @Nullable Boolean paused) {
        return database.transaction(
                tx -> {
                    ScheduleSql.lockAccount(tx, account);
                    Schedule before = ScheduleSql.lock(tx, account, id);
                    if (before == null) {
                        return new Change.NotFound();
                    }
                    UUID named = ScheduleSql.named(tx, account, definition.name());
                    if (named != null && !named.equals(id)) {
                        return new Change.NameTaken();
                    }
                    Timing timing = definition.timing();
                    boolean sameTiming = timing.equals(before.definition().timing());
                    long anchor =
                            sameRhythm(timing, before)
                                    ? before.anchorMs()
                                    : anchor(timing, tx.nowMillis());
                    if (!sameTiming) {
                        Change.Refused refused = refused(timing, anchor, tx.nowMillis());
                        if (refused != null) {
                            return refused;
                        }
                    }
                    ScheduleSql.redefine(tx, account, id, definition, anchor);
                    Schedule after = there(tx, account, id);
                    boolean pause = paused == null ? before.paused() : paused;
                    if (!sameTiming || pause != before.paused()) {
                        ScheduleSql.save(tx, account, id, pause, restarted(tx, after, pause));
                    }
                    return done(tx, account, id);
                });
    }

    /// A schedule with a fixed distance keeps its rhythm when only something else changes.
    private static boolean sameRhythm(Timing timing, Schedule before) {
        Timing old = before.definition().timing();
        Long every = timing.everySeconds();
        return every != null
                && every.equals(old.everySeconds())
                && (timing.startMs() == null || timing.startMs().equals(old.startMs()));
    }

    /// Begins anew at this moment; times that were due before are not made up for.
    private static Progress restarted(Tx tx, Schedule schedule, boolean paused) {
        Long last = schedule.progress().lastFireMs();
        long from = last == null ? tx.nowMillis() : Math.max(tx.nowMillis(), last);
        return schedule.progress().at(paused ? null : schedule.times().after(from));
    }

    /// No regular fire until it is resumed; null when there is no such schedule.
    public @Nullable ScheduleView pause(UUID account, UUID id) {
        return setPaused(account, id, true);
    }

    /// The next fire is the first time from now on: what a pause covered is not made good for.
    public @Nullable ScheduleView resume(UUID account, UUID id) {
        return setPaused(account, id, false);
    }

    private @Nullable ScheduleView setPaused(UUID account, UUID id, boolean paused) {
        return database.transaction(
                tx -> {
                    Schedule schedule = ScheduleSql.lock(tx, account, id);
                    if (schedule == null) {
                        return null;
                    }
                    if (schedule.paused() != paused) {
                        ScheduleSql.save(tx, account, id, paused, restarted(tx, schedule, paused));
                        ScheduleSql.touch(tx, account, id);
                    }
                    return ScheduleView.of(there(tx, account, id));
                });
    }

    /// Makes one task at once, even while the schedule is paused or tasks of it are open. The
    /// regular times stay.
    public FiredNow runNow(UUID account, UUID id) {
        return database.transaction(
                tx -> {
                    Schedule schedule = ScheduleSql.lock(tx, account, id);
                    if (schedule == null) {
                        return new FiredNow.NotFound();
                    }
                    var firing = new Firing(verbs, tx, schedule);
                    if (firing.draining()) {
                        return new FiredNow.Draining(schedule.definition().task().type());
                    }
                    return switch (firing.runNow()) {
                        case Submitted.Created(var view) ->
                                new FiredNow.Done(
                                        ScheduleView.of(there(tx, account, id)), view.item().id());
                        case Submitted.OverQuota refused -> new FiredNow.OverQuota(refused);
                        case Submitted.ScheduleRefused _,
                                Submitted.Replayed _,
                                Submitted.KeyConflict _,
                                Submitted.KeyInFlight _,
                                Submitted.UnknownParent _,
                                Submitted.UniqueConflict _,
                                Submitted.Existing _ ->
                                throw new IllegalStateException("not an answer to a task of ours");
                    };
                });
    }

    public @Nullable ScheduleView get(UUID account, UUID id) {
        return database.transaction(
                tx -> {
                    Schedule schedule = ScheduleSql.get(tx, account, id);
                    return schedule == null ? null : ScheduleView.of(schedule);
                });
    }

    /// Newest first.
    ///
    /// @param before only older ones than this; null for all
    public List<ScheduleView> list(UUID account, @Nullable UUID before, int most) {
        return database.transaction(
                tx ->
                        ScheduleSql.list(tx, account, before == null ? LAST_ID : before, most)
                                .stream()
                                .map(ScheduleView::of)
                                .toList());
    }

    /// What it has done so far, newest first; null when there is no such schedule.
    ///
    /// @param before only entries before this one; null for all
    public @Nullable List<Fire> fires(UUID account, UUID id, @Nullable Long before, int most) {
        return database.transaction(
                tx ->
                        ScheduleSql.get(tx, account, id) == null
                                ? null
                                : ScheduleSql.fires(
                                        tx,
                                        account,
                                        id,
                                        before == null ? Long.MAX_VALUE : before,
                                        most));
    }

    /// Removes it and its history; its tasks stay. Answers with how it stood, null when there is no
    /// such schedule.
    public @Nullable ScheduleView delete(UUID account, UUID id) {
        return database.transaction(
                tx -> {
                    Schedule schedule = ScheduleSql.lock(tx, account, id);
                    if (schedule == null) {
                        return null;
                    }
                    ScheduleSql.delete(tx, account, id);
                    ScheduleSql.deleteAllFires(tx, account, id);
                    return ScheduleView.of(schedule);
                });
    }

    private static Change.Done done(Tx tx, UUID account, UUID id) throws SQLException {
        return new Change.Done(ScheduleView.of(there(tx, account, id)));
    }

    private static Schedule there(Tx tx, UUID account, UUID id) throws SQLException {
        Schedule schedule = ScheduleSql.get(tx, account, id);
        if (schedule == null) {
            throw new IllegalStateException("a schedule that was just written is not there");
        }
        return schedule;
    }
}
