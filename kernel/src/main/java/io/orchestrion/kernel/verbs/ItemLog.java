package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.itemlog.Appended;
import io.orchestrion.kernel.itemlog.ItemLogSql;
import io.orchestrion.kernel.itemlog.LogCounter;
import io.orchestrion.kernel.itemlog.LogEntry;
import io.orchestrion.kernel.itemlog.LogEntry.Happened;
import io.orchestrion.kernel.itemlog.LogLevel;
import io.orchestrion.kernel.itemlog.LogLine;
import io.orchestrion.kernel.wake.WakeSink;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

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

/// Writes the logs of items that keep one. A change of an item is logged in the transaction of the
/// change; the holder's own lines are added by themselves. All of this happens under the lock of
/// the item's row, and the times come from the one counter of its events. So the times of a log are
/// strictly in the order of its commits.
final class ItemLog {
    private static final String HEARTBEAT = "heartbeat";

    /// The longest text that is quoted in a message.
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

    /// Logs what the history has of items that keep a log. This is never refused, because the
    /// number of changes of an item is bounded.
    void happened(Tx tx, UUID account, List<EventRow> history) {
        var lines = new ArrayList<LogEntry>();
        for (EventRow row : history) {
            if (QUEUES.contains(row.log())) {
                lines.add(line(row));
            }
        }
        write(tx, account, lines);
    }

    private LogEntry line(EventRow row) {
        return new LogEntry(
                ids.next(row.atMs()),
                row.workId(),
                row.atMs(),
                level(row),
                message(row),
                null,
                row.holder(),
                new Happened(row.event().word(), row.to().word(), row.attempt()));
    }

    private static LogLevel level(EventRow row) {
        return switch (row.event()) {
            case FAIL, EXPIRE, TIME_OUT, GIVE_UP ->
                    row.to().ended() ? LogLevel.ERROR : LogLevel.WARN;
            case CANCEL, ASK_CANCEL, LATE_REPORT -> LogLevel.WARN;
            case SUBMIT, PROMOTE, LEASE, START, COMPLETE, REOPEN, RETRY, HOLD, RELEASE ->
                    LogLevel.INFO;
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

    /// Logs that the leases of these items were renewed, each with a new time. A line that no
    /// longer fits into the log is left out: it is more important that the lease is renewed than
    /// that the log says so.
    void heartbeats(Tx tx, UUID account, Collection<WorkItem> renewed) throws SQLException {
        List<WorkItem> items =
                renewed.stream().filter(item -> QUEUES.contains(item.queue())).toList();
        if (items.isEmpty()) {
            return;
        }
        Map<UUID, LogCounter> counters =
                ItemLogSql.counters(tx, account, items.stream().map(WorkItem::id).toList());
        var kept = new HashMap<UUID, LogCounter>();
        var lines = new ArrayList<LogEntry>();
        for (WorkItem item : items) {
            LogCounter counter = counters.getOrDefault(item.id(), LogCounter.ZERO);
            if (counter.full(0, tx.nowMillis()) == null) {
                kept.put(item.id(), counter.plus(0, tx.nowMillis()));
                lines.add(
                        new LogEntry(
                                ids.next(item.place().eventMs()),
                                item.id(),
                                item.place().eventMs(),
                                LogLevel.DEBUG,
                                "heartbeat" + by(item.holding().holder()),
                                null,
                                item.holding().holder(),
                                new Happened(HEARTBEAT, item.state().word(), item.attempt())));
            }
        }
        ItemLogSql.keep(tx, account, kept);
        write(tx, account, lines);
    }

    /// Adds the lines that holders send. The answers are in the order of the lines.
    List<Appended> append(Tx tx, UUID account, List<LogLine> lines) throws SQLException {
        List<UUID> named = lines.stream().map(LogLine::itemId).distinct().toList();
        Map<UUID, WorkItem> locked = WorkSql.lock(tx, account, named, true);
        Map<UUID, LogCounter> counters =
                locked.isEmpty()
                        ? Map.of()
                        : ItemLogSql.counters(tx, account, List.copyOf(locked.keySet()));
        var kept = new HashMap<UUID, LogCounter>();
        var times = new HashMap<UUID, Long>();
        var added = new ArrayList<LogEntry>();
        var answers = new ArrayList<Appended>();
        for (LogLine line : lines) {
            WorkItem item = locked.get(line.itemId());
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
                    new LogEntry(
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
            ItemLogSql.stamp(tx, account, times);
            ItemLogSql.keep(tx, account, kept);
            write(tx, account, added);
            locked.values().stream()
                    .filter(item -> times.containsKey(item.id()))
                    .map(WorkItem::queue)
                    .distinct()
                    .forEach(queue -> tx.afterCommit(() -> wake.happened(account, queue)));
        }
        return answers;
    }

    private void write(Tx tx, UUID account, List<LogEntry> lines) {
        ItemLogSql.insert(tx, account, lines);
        lines.stream()
                .map(LogEntry::itemId)
                .distinct()
                .forEach(id -> tx.afterCommit(() -> wake.logged(account, id)));
    }
}
