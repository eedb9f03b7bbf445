package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.schedule.DueFires.Planned;
import io.orchestrion.kernel.schedule.ScheduleSql.OpenTask;
import io.orchestrion.kernel.type.TypeSql;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// What is done with one schedule under its lock, in one transaction: tasks made, history written,
/// the next time set.
final class Firing {
    /// How many entries of the history are kept, whatever their age.
    static final int HISTORY_MAX = 1000;

    /// Which of its tasks are looked at for an open one.
    static final int TASKS_LOOKED_AT = 20;

    /// How many tasks one transaction makes; the rest stays due.
    private static final int BATCH = 50;

    private static final long LOOK_SOON_MS = 1000;
    private static final long LOOK_LATER_MS = 10_000;

    private final WorkVerbs verbs;
    private final Tx tx;
    private final Schedule schedule;
    private final FireRecorder recorder;

    Firing(WorkVerbs verbs, Tx tx, Schedule schedule) {
        this.verbs = verbs;
        this.tx = tx;
        this.schedule = schedule;
        this.recorder = new FireRecorder(tx, schedule);
    }

    /// All that is due.
    void run() throws SQLException {
        Long buffered = recorder.bufferedMs;
        if (buffered != null && openTasks().isEmpty()) {
            recorder.bufferedMs = null;
            make(new Planned(buffered, false));
        }
        Long first = recorder.nextFireMs;
        if (first != null && first <= tx.nowMillis()) {
            DueFires due =
                    DueFires.of(
                            schedule.times(),
                            first,
                            tx.nowMillis(),
                            schedule.definition().catchUp(),
                            BATCH);
            if (due.lastMissedMs() != null) {
                recorder.missed(due.lastMissedMs(), due.missed());
            }
            for (int i = 0; i < due.fires().size(); i++) {
                fire(due.fires().get(i), i == due.fires().size() - 1);
            }
            recorder.nextFireMs = due.nextMs();
        }
        recorder.save(schedule.paused(), dueMs());
    }

    /// When to look again. The longer a fire has waited, the less a look more or less means.
    private @Nullable Long dueMs() {
        Long next = recorder.nextFireMs;
        Long buffered = recorder.bufferedMs;
        if (buffered == null) {
            return next;
        }
        long waited = tx.nowMillis() - buffered;
        long look = tx.nowMillis() + Math.clamp(waited / 10, LOOK_SOON_MS, LOOK_LATER_MS);
        return next == null ? look : Math.min(next, look);
    }

    private List<OpenTask> openTasks() throws SQLException {
        return ScheduleSql.openTasks(tx, schedule.accountId(), schedule.id(), TASKS_LOOKED_AT);
    }

    private void fire(Planned planned, boolean last) throws SQLException {
        switch (schedule.definition().overlap()) {
            case ALLOW -> make(planned);
            case SKIP -> {
                if (openTasks().isEmpty()) {
                    make(planned);
                } else {
                    recorder.skipped(planned, "an earlier task is still open");
                }
            }
            case CANCEL_PREVIOUS -> {
                if (last) {
                    replace(planned);
                } else {
                    recorder.skipped(planned, "a later fire came at the same moment");
                }
            }
            case BUFFER_ONE -> {
                if (recorder.bufferedMs != null) {
                    recorder.skipped(planned, "another fire waits for an earlier task to end");
                } else if (openTasks().isEmpty()) {
                    make(planned);
                } else {
                    recorder.bufferedMs = planned.fireMs();
                }
            }
        }
    }

    /// The earlier tasks are locked first: none of them is claimed between the look and its end.
    private void replace(Planned planned) throws SQLException {
        List<UUID> ids = openTasks().stream().map(OpenTask::id).toList();
        List<OpenTask> open = ScheduleSql.lockTasks(tx, schedule.accountId(), ids);
        if (open.stream().anyMatch(OpenTask::held)) {
            recorder.skipped(planned, "a worker holds an earlier task");
        } else if (make(planned) && !open.isEmpty()) {
            verbs.execute(
                    tx,
                    schedule.accountId(),
                    open.stream()
                            .map(
                                    task ->
                                            new CommandRequest(
                                                    schedule.accountId(),
                                                    Profiles.TASKS,
                                                    task.id(),
                                                    new Command.Cancel(),
                                                    false))
                            .toList());
        }
    }

    /// Whether the type takes nothing new just now.
    boolean draining() throws SQLException {
        return TypeSql.draining(
                tx,
                schedule.accountId(),
                Profiles.TASKS.queue(),
                schedule.definition().task().type());
    }

    private boolean make(Planned planned) throws SQLException {
        if (draining()) {
            recorder.failed(planned, "type_draining: the type takes no new tasks");
            return false;
        }
        long runAtMs = planned.fireMs() + Jitter.millis(schedule, planned.fireMs());
        Submitted submitted = submit(runAtMs > tx.nowMillis() ? runAtMs : null);
        if (submitted instanceof Submitted.Created(var view)) {
            recorder.fired(planned, view.item().id());
            return true;
        }
        recorder.failed(planned, reason(submitted));
        return false;
    }

    /// A task at once, whatever is open, without any change to the regular times.
    Submitted runNow() throws SQLException {
        Submitted submitted = submit(null);
        if (submitted instanceof Submitted.Created(var view)) {
            recorder.firedNow(view.item().id());
            recorder.save(schedule.paused(), schedule.progress().dueMs());
        }
        return submitted;
    }

    private Submitted submit(@Nullable Long runAtMs) throws SQLException {
        UUID account = schedule.accountId();
        return verbs.submit(
                        tx,
                        account,
                        List.of(Submission.of(schedule.definition().task().task(account, runAtMs))))
                .getFirst();
    }

    private static String reason(Submitted refused) {
        return switch (refused) {
            case Submitted.OverQuota(var plan, var used, var expired) ->
                    (expired ? "plan_expired" : "quota_exceeded")
                            + ": the plan "
                            + plan.name()
                            + " allows "
                            + plan.maxTasksPerMonth()
                            + " tasks a month, and this month has "
                            + used;
            case Submitted.Created _,
                    Submitted.ScheduleRefused _,
                    Submitted.Replayed _,
                    Submitted.KeyConflict _,
                    Submitted.KeyInFlight _,
                    Submitted.UnknownParent _,
                    Submitted.UniqueConflict _,
                    Submitted.Existing _ ->
                    throw new IllegalStateException("not an answer to a task of ours: " + refused);
        };
    }
}
