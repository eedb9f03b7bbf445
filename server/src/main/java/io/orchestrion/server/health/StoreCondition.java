package io.orchestrion.server.health;

import io.orchestrion.kernel.db.DatabaseProbe;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.postgres.DataVolume;
import io.orchestrion.postgres.Outage;
import io.orchestrion.postgres.PostgresHost;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How the store was at one moment: what it said itself, and where it runs on this machine also
/// what is known of it from outside.
///
/// @param outage null while the server is up, or is not ours to know of
/// @param room null when it is not ours to know, or cannot be read
/// @param ours whether the database runs on this machine, as a part of this node
record StoreCondition(
        DatabaseProbe.Reading probed,
        @Nullable Outage outage,
        DataVolume.@Nullable Reading room,
        boolean full,
        boolean ours) {

    /// @param host null for an outside database
    static StoreCondition read(DatabaseProbe database, @Nullable PostgresHost host) {
        return new StoreCondition(
                database.read(),
                host == null ? null : host.outage().orElse(null),
                host == null ? null : host.room().orElse(null),
                host != null && host.full(),
                host != null);
    }

    private boolean reachable() {
        return outage == null && probed.reachable();
    }

    private boolean low() {
        return room != null && room.low();
    }

    boolean whole() {
        return reachable() && probed.schema() && probed.oldest() == null && !low() && !full;
    }

    /// Why it does not take new work.
    List<String> reasons() {
        var reasons = new ArrayList<String>();
        if (!reachable()) {
            reasons.add("database_unreachable");
        } else if (!probed.schema()) {
            reasons.add("schema_missing");
        }
        if (full) {
            reasons.add("disk_full");
        }
        return reasons;
    }

    void write(JsonWriter out) {
        out.object("database", this::writeDatabase)
                .object(
                        "disk",
                        part ->
                                part.bool("ours", ours)
                                        .bool("low", low())
                                        .bool("full", full)
                                        .integer(
                                                "free_bytes",
                                                room == null ? null : room.freeBytes())
                                        .integer(
                                                "total_bytes",
                                                room == null ? null : room.totalBytes())
                                        .number("free_share", room == null ? null : share(room)));
    }

    private void writeDatabase(JsonWriter out) {
        Duration roundTrip = probed.roundTrip();
        out.bool("reachable", reachable())
                .bool("schema", probed.schema())
                .number(
                        "round_trip_ms",
                        roundTrip == null
                                ? null
                                : BigDecimal.valueOf(roundTrip.toNanos() / 1000, 3))
                .integer("seconds_since_checked", probed.age().toSeconds())
                .text("problem", problem());
        DatabaseProbe.OpenTransaction oldest = probed.oldest();
        if (oldest == null) {
            out.nil("oldest_transaction");
        } else {
            out.object("oldest_transaction", part -> writeTransaction(part, oldest));
        }
    }

    private static void writeTransaction(JsonWriter out, DatabaseProbe.OpenTransaction open) {
        out.integer("pid", open.pid())
                .text("application", open.application())
                .text("state", open.state())
                .integer("open_seconds", open.open().toSeconds())
                .integer("sessions_waiting", open.waiting());
    }

    /// The problem, for everybody to read: no path, and none of the database's own words.
    private @Nullable String problem() {
        if (outage != null) {
            return "PostgreSQL has been down for "
                    + outage.lasted().toSeconds()
                    + " s and is being started ("
                    + outage.tries()
                    + " tries failed"
                    + switch (outage.cause()) {
                        case NO_DISK -> ": its disk is full";
                        case NOT_WRITABLE -> ": its folder cannot be written";
                        case LOCKED, UNSUPPORTED_PLATFORM, WRONG_VERSION, FAILED -> "";
                    }
                    + "). The server's log says more.";
        }
        return full
                ? "The disk of the database is full, so no new work is taken. It is taken again"
                        + " when there is room."
                : null;
    }

    private static @Nullable BigDecimal share(DataVolume.Reading room) {
        return room.totalBytes() == 0
                ? null
                : BigDecimal.valueOf(room.freeBytes())
                        .divide(BigDecimal.valueOf(room.totalBytes()), 4, RoundingMode.DOWN);
    }
}
