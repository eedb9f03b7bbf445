package io.orchestrion.testkit;

import io.orchestrion.kernel.db.StoreClock;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// The database's clock, moved: everything stored or compared moves with it. The node's own timer
/// moves along.
public final class TestClock implements StoreClock, NanoTicker {
    private final AtomicLong aheadMillis = new AtomicLong();

    @Override
    public long nowMillis(Connection connection) throws SQLException {
        return DATABASE.nowMillis(connection) + aheadMillis.get();
    }

    @Override
    public long aheadMillis() {
        return aheadMillis.get();
    }

    @Override
    public long nanos() {
        return SYSTEM.nanos() + Duration.ofMillis(aheadMillis.get()).toNanos();
    }

    public void advance(Duration by) {
        aheadMillis.addAndGet(by.toMillis());
    }
}
