package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.itemlog.ItemLogSql;
import io.orchestrion.kernel.itemlog.LogEntry;
import io.orchestrion.kernel.itemlog.LogPage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Reads the logs that items keep of themselves, from any time on, and wakes those who follow one
/// when there is more. The time of a line is its place in the log: a reader that asks for lines
/// after the last one it has seen misses none and gets none twice.
public final class ItemLogFeed implements AutoCloseable {
    /// A place before every line.
    public static final long START = -1;

    private final Database database;
    private final RowFollowers followers;

    public ItemLogFeed(Database database) {
        this.database = database;
        this.followers = new RowFollowers(this::moved);
    }

    /// Reads at most so many lines after the time, oldest first; null when the account has no such
    /// item in the queue.
    public @Nullable LogPage read(
            UUID account, String queue, UUID itemId, long afterMs, int limit) {
        List<LogEntry> found =
                database.transaction(
                        tx -> {
                            List<LogEntry> lines =
                                    ItemLogSql.after(tx, account, itemId, afterMs, limit + 1);
                            return ItemLogSql.known(tx, account, queue, itemId) ? lines : null;
                        });
        if (found == null) {
            return null;
        }
        List<LogEntry> page = List.copyOf(found.subList(0, Math.min(limit, found.size())));
        return new LogPage(
                page, page.isEmpty() ? afterMs : page.getLast().createdMs(), found.size() > limit);
    }

    /// The same, or waits for the first line up to the given time.
    public @Nullable LogPage await(
            UUID account, String queue, UUID itemId, long afterMs, int limit, Duration wait) {
        var bell = new Semaphore(0);
        long deadline = System.nanoTime() + wait.toNanos();
        try (var _ = follow(account, itemId, bell::release)) {
            while (true) {
                bell.drainPermits();
                LogPage page = read(account, queue, itemId, afterMs, limit);
                long left = deadline - System.nanoTime();
                if (page == null || !page.events().isEmpty() || left <= 0) {
                    return page;
                }
                var _ = bell.tryAcquire(left, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        }
    }

    /// Calls `wake` whenever there may be more in the log of the item. Begin to follow before
    /// reading; otherwise a line between the two is found only a second later.
    public RowFollowers.Follower follow(UUID account, UUID itemId, Runnable wake) {
        return followers.follow(account, itemId, wake);
    }

    /// A line was committed on this node.
    public void told(UUID account, UUID itemId) {
        followers.told(account, itemId);
    }

    /// Something happened to items of the account on another node.
    public void told(UUID account) {
        followers.told(account);
    }

    private List<RowFollowers.Seen> moved(List<RowFollowers.Seen> followed) {
        List<ItemLogSql.Seen> logs =
                followed.stream()
                        .map(
                                each ->
                                        new ItemLogSql.Seen(
                                                each.account(), each.subject(), each.position()))
                        .toList();
        return PerAccount.list(database, logs, ItemLogSql.Seen::accountId, ItemLogSql::moved)
                .stream()
                .map(each -> new RowFollowers.Seen(each.accountId(), each.itemId(), each.atMs()))
                .toList();
    }

    /// Ends all following.
    @Override
    public void close() {
        followers.close();
    }

    /// How many follow on this node.
    public int following() {
        return followers.following();
    }
}
