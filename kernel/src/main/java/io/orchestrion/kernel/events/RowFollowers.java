package io.orchestrion.kernel.events;

import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// Wakes those who follow what an engine keeps of its subjects in rows of its own, such as the
/// output of a run, when there are more rows.
public final class RowFollowers implements AutoCloseable {
    private final Followers followers;

    /// How far the rows of a subject go, or were seen.
    public record Seen(UUID account, UUID subject, long position) {}

    /// Somebody who follows. Closing it ends that.
    public interface Follower extends AutoCloseable {
        @Override
        void close();
    }

    /// @param moved given subjects with what was seen of them, returns those that have more, and up
    ///     to where
    public RowFollowers(UnaryOperator<List<Seen>> moved) {
        followers =
                new Followers(
                        followed ->
                                moved
                                        .apply(followed.stream().map(RowFollowers::seen).toList())
                                        .stream()
                                        .map(RowFollowers::seen)
                                        .toList());
    }

    private static Seen seen(EventsSql.Seen seen) {
        return new Seen(seen.accountId(), UUID.fromString(seen.queue()), seen.position());
    }

    private static EventsSql.Seen seen(Seen seen) {
        return new EventsSql.Seen(seen.account(), seen.subject().toString(), seen.position());
    }

    /// Calls `wake` whenever there may be more of the subject. Begin to follow before reading;
    /// otherwise a row between the two is found only a second later.
    public Follower follow(UUID account, UUID subject, Runnable wake) {
        return followers.add(account, subject.toString(), wake)::close;
    }

    /// A row was committed on this node.
    public void told(UUID account, UUID subject) {
        followers.told(account, subject.toString());
    }

    /// The same of all subjects of the account.
    void told(UUID account) {
        followers.told(account);
    }

    /// How many follow on this node.
    public int following() {
        return followers.count();
    }

    @Override
    public void close() {
        followers.close();
    }
}
