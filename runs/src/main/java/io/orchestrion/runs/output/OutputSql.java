package io.orchestrion.runs.output;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.RowFollowers.Seen;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `output.sql`; decides nothing.
public final class OutputSql {
    private static final NamedSql SQL = NamedSql.beside(OutputSql.class, "output.sql");

    private OutputSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    private static Bound ofRun(Tx tx, String statement, UUID account, UUID run) {
        return SQL.on(tx, statement).uuid("account", account).uuid("run", run);
    }

    /// Locks the run's output and says how far it goes.
    static long lock(Tx tx, UUID account, UUID run) throws SQLException {
        ofRun(tx, "begin", account, run).update();
        Long seq = ofRun(tx, "lock", account, run).one(row -> row.getLong("seq"));
        if (seq == null) {
            throw new SQLException("account " + account + " does not exist");
        }
        return seq;
    }

    static long end(Tx tx, UUID account, UUID run) throws SQLException {
        Long seq = ofRun(tx, "end", account, run).one(row -> row.getLong("seq"));
        return seq == null ? 0 : seq;
    }

    /// How many bytes the step has written.
    static long written(Tx tx, UUID account, UUID step) throws SQLException {
        Long bytes =
                SQL.on(tx, "written")
                        .uuid("account", account)
                        .uuid("step", step)
                        .one(row -> row.getLong("step_bytes"));
        return bytes == null ? 0 : bytes;
    }

    /// @param stepBytes of all pieces of the step, with this one
    static void append(Tx tx, UUID account, Piece piece, long stepBytes) {
        ofRun(tx, "append", account, piece.run())
                .bigint("seq", piece.seq())
                .uuid("step", piece.step())
                .uuid("attempt", piece.attempt())
                .text("channel", piece.channel())
                .text("content", piece.content())
                .bigint("step_bytes", stepBytes)
                .bigint("now", piece.atMs())
                .later(1, "account " + account + " does not exist");
        ofRun(tx, "move", account, piece.run())
                .bigint("seq", piece.seq())
                .later(1, "the output of run " + piece.run() + " is gone");
    }

    /// @param step null for all
    static List<Piece> after(
            Tx tx, UUID account, UUID run, @Nullable UUID step, long after, int most)
            throws SQLException {
        return ofRun(tx, "after", account, run)
                .uuid("step", step)
                .bigint("after", after)
                .integer("most", most)
                .list(
                        row ->
                                new Piece(
                                        run,
                                        row.getLong("seq"),
                                        row.getObject("step_id", UUID.class),
                                        row.getObject("attempt_id", UUID.class),
                                        row.getString("channel"),
                                        row.getString("content"),
                                        row.getLong("created_ms")));
    }

    static List<Seen> moved(Tx tx, @Nullable UUID one, List<Seen> followed) throws SQLException {
        return SQL.on(tx, "moved", one)
                .column("accounts", "uuid", followed, Seen::account)
                .column("runs", "uuid", followed, Seen::subject)
                .column("seen", "int8", followed, Seen::position)
                .list(
                        row ->
                                new Seen(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("run_id", UUID.class),
                                        row.getLong("seq")));
    }

    /// Removes pieces of a run that is removed; how many went.
    public static int purge(Tx tx, UUID account, UUID run, int most) throws SQLException {
        int gone = ofRun(tx, "purge", account, run).integer("most", most).update();
        if (gone < most) {
            ofRun(tx, "forget", account, run).update();
        }
        return gone;
    }
}
