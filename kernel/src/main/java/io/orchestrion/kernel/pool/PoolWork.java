package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.work.Profile;

import java.time.Duration;

/// A kind of items that this server works on itself.
///
/// @param name of its workers, where duties are shown
/// @param places how many run at once on this node
/// @param perAccount how many of them one account may have
/// @param renewEvery how often leases are renewed; well within their length
/// @param grace how long what runs may go on when the server stops
public record PoolWork(
        String name,
        Profile profile,
        String kind,
        int places,
        int perAccount,
        Duration renewEvery,
        Duration grace) {

    /// A lease is renewed so often in its length.
    private static final int BEATS = 3;

    private static final Duration GRACE = Duration.ofSeconds(5);

    public PoolWork {
        long lease = profile.lease().seconds().min() * 1000L;
        if (renewEvery.toMillis() * 2 > lease) {
            throw new IllegalArgumentException(
                    name + ": a lease of " + lease + " ms is renewed at least twice in its length");
        }
    }

    public PoolWork(String name, Profile profile, String kind, int places, int perAccount) {
        this(
                name,
                profile,
                kind,
                places,
                perAccount,
                Duration.ofSeconds(profile.lease().seconds().min()).dividedBy(BEATS),
                GRACE);
    }

    public PoolWork withPace(Duration renew, Duration stopWithin) {
        return new PoolWork(name, profile, kind, places, perAccount, renew, stopWithin);
    }
}
