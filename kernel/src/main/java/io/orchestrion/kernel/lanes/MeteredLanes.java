package io.orchestrion.kernel.lanes;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.Combiner.Batch;
import io.orchestrion.kernel.combine.Gate;
import io.orchestrion.kernel.db.Database;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// Lanes for accounts that are counted. Two batches of one account would wait for each other at the
/// row that counts it, until the first is on disk. So each lane has one committer, and an account
/// is always served by the same lane. Accounts of different lanes do not wait for each other.
public final class MeteredLanes<Q, A> implements AutoCloseable {
    private final List<Combiner<Q, A>> lanes;

    MeteredLanes(
            String name, Database database, Batch<Q, A> batch, Gate gate, Work.Options options) {
        this.lanes =
                IntStream.rangeClosed(1, options.committers())
                        .mapToObj(
                                number ->
                                        new Combiner<>(
                                                Work.lane(name + "-" + number, 1, options),
                                                database,
                                                batch,
                                                gate))
                        .toList();
    }

    Combiner<Q, A> of(UUID account) {
        return lanes.get(number(account, lanes.size()) - 1);
    }

    /// Which of so many lanes serves an account. They are numbered from 1.
    public static int number(UUID account, int lanes) {
        return Math.floorMod(account.hashCode(), lanes) + 1;
    }

    @Override
    public void close() {
        lanes.forEach(Combiner::close);
    }
}
