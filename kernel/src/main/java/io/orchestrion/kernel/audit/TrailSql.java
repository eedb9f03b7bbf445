package io.orchestrion.kernel.audit;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `trail.sql`.
public final class TrailSql {
    private static final NamedSql SQL = NamedSql.beside(TrailSql.class, "trail.sql");

    /// Before every id there is: finds nothing under it.
    private static final UUID NOBODY = new UUID(0, 0);

    /// Beyond every time that is written down, and still a time for the database.
    private static final long END_MS = Long.MAX_VALUE / 4;

    private static final String KEY = "key:";

    private TrailSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// @param asked whether it is among what is asked for
    /// @param nth of those that were looked at
    record Looked(TrailEntry entry, boolean asked, int nth) {}

    static List<Looked> read(Tx tx, TrailQuery query, int look) throws SQLException {
        boolean oldest = query.oldestFirst();
        long from = Objects.requireNonNullElse(query.fromMs(), 0L);
        long to = Objects.requireNonNullElse(query.toMs(), END_MS);
        TrailPlace after = query.after();
        TrailPlace first = oldest ? TrailPlace.before(from) : TrailPlace.upTo(to);
        TrailPlace at = after == null ? first : further(oldest, after, first);
        return SQL.on(tx, oldest ? "oldest_first" : "newest_first")
                .uuid("account", query.account())
                .bigint(oldest ? "to_ms" : "from_ms", oldest ? to : from)
                .bigint("at", at.atMs())
                .integer("source", at.source())
                .uuid("id", at.id())
                .bigint("seq", at.seq())
                .text("subject", query.subject())
                .uuid("subject_uuid", uuid(query.subject()))
                .text("event", query.event())
                .integer("look", look)
                .integer("most", query.limit() + 1)
                .list(TrailSql::looked);
    }

    /// A place of another query is not followed out of the time that is asked for.
    private static TrailPlace further(boolean oldest, TrailPlace one, TrailPlace other) {
        return oldest == one.atMs() >= other.atMs() ? one : other;
    }

    /// What engines tell of has ids only.
    private static @Nullable UUID uuid(@Nullable String subject) {
        if (subject == null) {
            return null;
        }
        try {
            return UUID.fromString(subject);
        } catch (IllegalArgumentException e) {
            return NOBODY;
        }
    }

    private static Looked looked(ResultSet row) throws SQLException {
        boolean automatic = row.getInt("source") == 1;
        var place =
                new TrailPlace(
                        row.getLong("at_ms"),
                        row.getInt("source"),
                        row.getObject("id", UUID.class),
                        row.getLong("seq"));
        var subject =
                new Subject(
                        row.getString("subject_kind"),
                        row.getString("subject_id"),
                        row.getString("within_id"));
        String detail = row.getString("detail");
        return new Looked(
                new TrailEntry(
                        place,
                        row.getString("event"),
                        automatic ? told(row.getString("actor_name")) : actor(row),
                        automatic ? null : row.getString("actor_name"),
                        subject,
                        detail == null ? "{}" : detail),
                row.getBoolean("asked"),
                row.getInt("nth"));
    }

    private static Actor actor(ResultSet row) throws SQLException {
        return row.getString("actor_kind").equals("key")
                ? Actor.key(row.getObject("actor_id", UUID.class))
                : Actor.server();
    }

    /// What an engine says of who had it done.
    private static Actor told(@Nullable String word) {
        UUID key =
                word == null || !word.startsWith(KEY) ? null : uuid(word.substring(KEY.length()));
        return key == null || key.equals(NOBODY) ? Actor.server() : Actor.key(key);
    }
}
