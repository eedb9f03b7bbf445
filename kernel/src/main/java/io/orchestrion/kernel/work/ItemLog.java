package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.joblog.JobEvent;
import io.orchestrion.kernel.joblog.JobEvent.Happened;
import io.orchestrion.kernel.joblog.JobLevel;
import io.orchestrion.kernel.joblog.JobLogSql;
import io.orchestrion.kernel.joblog.LogCounter;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Writes the logs of items that keep one: what happens to an item, in the transaction of the
/// change, and what its holder adds. All of it under the lock of the item's row and with times from
/// the one counter of its events, so that a log's times are strictly in the order of its commits.
final class ItemLog {
    private static final String HEARTBEAT = "heartbeat";

    /// Of a text that stands in a message.
    private static final int QUOTED_MAX = 4000;
    private static final int HOLDER_MAX = 500;

    private static final Set<String> QUEUES =
            Profiles.ALL.stream()
                    .filter(profile -> profile.keeping().log())
                    .map(Profile::queue)
                    .collect(Collectors.toSet());

    private final Ids ids;
    private final WakeSink wake;

    ItemLog(Ids ids, WakeSink wake) {
        this.ids = ids;
        this.wake = wake;
    }

    /// What the history says of items that keep a log. Never refused: there is only so much that
    /// can happen to an item.
    void happened(Tx tx, UUID account, List<EventRow> history) {
        var lines = new ArrayList<JobEvent>();
        for (EventRow row : history) {
            if (QUEUES.contains(row.log())) {
                lines.add(line(row));
            }
        }
        write(tx, account, lines);
    }

    private JobEvent line(EventRow row) {
        return new JobEvent(
                ids.next(row.atMs()),
                row.workId(),
                row.atMs(),
                level(row),
                message(row),
                null,
                row.holder(),
                new Happened(row.event().word(), row.to().word(), row.attempt()));
    }

    private static JobLevel level(EventRow row) {
        return switch (row.event()) {
            case FAIL, EXPIRE, TIME_OUT, GIVE_UP ->
                    row.to().ended() ? JobLevel.ERROR : JobLevel.WARN;
            case CANCEL, ASK_CANCEL, LATE_REPORT -> JobLevel.WARN;
            case SUBMIT, PROMOTE, LEASE, START, COMPLETE, REOPEN, RETRY, HOLD, RELEASE ->
                    JobLevel.INFO;
        };
    }

    private static String message(EventRow row) {
        String said =
                switch (row.event()) {
                    case SUBMIT -> "handed in";
                    case PROMOTE -> "due";
                    case LEASE -> "claimed" + by(row.holder()) + ", attempt " + row.attempt();
                    case START -> "started" + by(row.holder());
                    case COMPLETE -> "completed" + by(row.holder());
                    case FAIL -> "attempt " + row.attempt() + " failed" + by(row.holder());
                    case EXPIRE -> "the lease of attempt " + row.attempt() + " expired";
                    case TIME_OUT -> "attempt " + row.attempt() + " took too long";
                    case CANCEL -> "cancelled";
                    case ASK_CANCEL -> "cancel requested" + said(" of ", row.holder());
                    case GIVE_UP -> "given up";
                    case LATE_REPORT -> "reported after its end" + by(row.holder());
                    case REOPEN -> "requeued with all its attempts";
                    case RETRY -> "to be tried once more";
                    case HOLD -> "held back";
                    case RELEASE -> "released";
                };
        String detail = row.detail();
        return detail == null ? said : said + ": " + quoted(detail, QUOTED_MAX);
    }

    private static String by(@Nullable String holder) {
        return said(" by ", holder);
    }

    private static String said(String before, @Nullable String holder) {
        return holder == null ? "" : before + quoted(holder, HOLDER_MAX);
    }

    private static String quoted(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most)) + "…";
    }

    /// The items' leases were renewed, each with a new time of its event. What does not fit into a
    /// log any more is left out: that the holder lives is more important than that it is written.
    void heartbeats(Tx tx, UUID account, Collection<WorkItem> renewed) throws SQLException {
        List<WorkItem> items =
                renewed.stream().filter(item -> QUEUES.contains(item.queue())).toList();
        if (items.isEmpty()) {
            return;
        }
        Map<UUID, LogCounter> counters =
                JobLogSql.counters(tx, account, items.stream().map(WorkItem::id).toList());
        var kept = new HashMap<UUID, LogCounter>();
        var lines = new ArrayList<JobEvent>();
        for (WorkItem item : items) {
            LogCounter counter = counters.getOrDefault(item.id(), LogCounter.ZERO);
            if (counter.full(0, tx.nowMillis()) == null) {
                kept.put(item.id(), counter.plus(0, tx.nowMillis()));
                lines.add(
                        new JobEvent(
                                ids.next(item.place().eventMs()),
                                item.id(),
                                item.place().eventMs(),
                                JobLevel.DEBUG,
                                "heartbeat" + by(item.holding().holder()),
                                null,
                                item.holding().holder(),
                                new Happened(HEARTBEAT, item.state().word(), item.attempt())));
            }
        }
        JobLogSql.keep(tx, account, kept);
        write(tx, account, lines);
    }

    /// Adds what holders say; the answers are in the order of the lines.
    List<Appended> append(Tx tx, UUID account, List<LogLine> lines) throws SQLException {
        List<UUID> named = lines.stream().map(LogLine::jobId).distinct().toList();
        Map<UUID, WorkItem> locked = WorkSql.lock(tx, account, named, true);
        Map<UUID, LogCounter> counters =
                locked.isEmpty()
                        ? Map.of()
                        : JobLogSql.counters(tx, account, List.copyOf(locked.keySet()));
        var kept = new HashMap<UUID, LogCounter>();
        var times = new HashMap<UUID, Long>();
        var added = new ArrayList<JobEvent>();
        var answers = new ArrayList<Appended>();
        for (LogLine line : lines) {
            WorkItem item = locked.get(line.jobId());
            if (item == null || !item.queue().equals(line.profile().queue())) {
                answers.add(new Appended.NotFound());
                continue;
            }
            if (line.fence().refusal(item, WorkState.RUNNING, tx.nowMillis()) != null) {
                answers.add(new Appended.NotHeld(item));
                continue;
            }
            LogCounter counter =
                    kept.getOrDefault(item.id(), counters.getOrDefault(item.id(), LogCounter.ZERO));
            LogCounter.Full full = counter.full(line.bytes(), tx.nowMillis());
            if (full != null) {
                answers.add(new Appended.TooMany(full.what(), full.max(), full.waitMs()));
                continue;
            }
            long atMs =
                    Math.max(
                            tx.nowMillis(),
                            times.getOrDefault(item.id(), item.place().eventMs()) + 1);
            times.put(item.id(), atMs);
            kept.put(item.id(), counter.plus(line.bytes(), tx.nowMillis()));
            var event =
                    new JobEvent(
                            ids.next(atMs),
                            item.id(),
                            atMs,
                            line.level(),
                            line.message(),
                            line.payload(),
                            item.holding().holder(),
                            null);
            added.add(event);
            answers.add(new Appended.Added(event));
        }
        if (!added.isEmpty()) {
            JobLogSql.stamp(tx, account, times);
            JobLogSql.keep(tx, account, kept);
            write(tx, account, added);
            locked.values().stream()
                    .filter(item -> times.containsKey(item.id()))
                    .map(WorkItem::queue)
                    .distinct()
                    .forEach(queue -> tx.afterCommit(() -> wake.happened(account, queue)));
        }
        return answers;
    }

    private void write(Tx tx, UUID account, List<JobEvent> lines) {
        JobLogSql.insert(tx, account, lines);
        lines.stream()
                .map(JobEvent::jobId)
                .distinct()
                .forEach(id -> tx.afterCommit(() -> wake.logged(account, id)));
    }
}
