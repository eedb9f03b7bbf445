package io.orchestrion.kernel.type;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.type.TypeSql.Name;
import io.orchestrion.kernel.type.TypeSql.Row;
import io.orchestrion.kernel.type.WorkType.Spec;
import io.orchestrion.kernel.type.WorkType.State;
import io.orchestrion.kernel.wake.WakeSink;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// The types that accounts register. Each change is one short transaction; what inserts and claims
/// read in their own statements (aging, pausing) holds from its commit on everywhere; what doors
/// remember (schemas, defaults, draining, strictness) within the time for which it is believed.
public final class Types {
    /// How many types an account may have registered in a queue.
    public static final int MOST = 1000;

    /// How many claimable items are moved in the transaction that changes an interval. If there are
    /// more, the sweeper moves them.
    public static final int MOVED_AT_ONCE = 1_000;

    /// An insert that began before a change and ended after it is over by then.
    static final Duration INSERTS_END_WITHIN = Duration.ofSeconds(60);

    static final UUID FIRST_ID = new UUID(0, 0);

    /// Enough for all claims that wait; those that find nothing wait on.
    private static final int WOKEN = 1000;

    private final Database database;
    private final WakeSink wake;
    private final TypeMemory memory;

    public Types(Database database, WakeSink wake, Duration believed, NanoTicker ticker) {
        this.database = database;
        this.wake = wake;
        this.memory = new TypeMemory(database, believed, ticker);
    }

    /// The outcome of a registration.
    public sealed interface Put {
        record Registered(WorkType type) implements Put {}

        record Replaced(WorkType type) implements Put {}

        /// The account has as many as it may have.
        record TooMany() implements Put {}
    }

    /// What is known of a type, at most a moment old.
    ///
    /// @param strict whether the account takes registered types only
    public record Believed(boolean strict, @Nullable WorkType type) {}

    /// Registers a type, or replaces its settings. Whether it is paused or draining stays as it is.
    public Put put(UUID account, String queue, Spec spec) {
        var name = new Name(account, queue, spec.kind());
        return database.transaction(
                tx -> {
                    TypeSql.lockAccount(tx, account);
                    Row before = TypeSql.lock(tx, name, true);
                    boolean isNew = before == null || before.removed();
                    if (isNew && TypeSql.count(tx, account, queue) >= MOST) {
                        return new Put.TooMany();
                    }
                    write(tx, name, before, spec, false);
                    tx.afterCommit(() -> memory.forget(name));
                    WorkType now = there(tx, name);
                    return isNew ? new Put.Registered(now) : new Put.Replaced(now);
                });
    }

    public @Nullable WorkType get(UUID account, String queue, String kind) {
        return database.transaction(tx -> TypeSql.find(tx, new Name(account, queue, kind)));
    }

    /// In the order of their names.
    ///
    /// @param after only those behind this name; empty for all
    public List<WorkType> list(UUID account, String queue, String after, int most) {
        return database.transaction(tx -> TypeSql.list(tx, account, queue, after, most));
    }

    /// Takes the registration out; items of the type stay, and nothing holds them up any more.
    /// False when there is none.
    public boolean delete(UUID account, String queue, String kind) {
        var name = new Name(account, queue, kind);
        return database.transaction(
                tx -> {
                    Row before = TypeSql.lock(tx, name, true);
                    if (before == null || before.removed()) {
                        return false;
                    }
                    write(tx, name, before, Spec.none(kind), true);
                    Row after = TypeSql.lock(tx, name, true);
                    if (after != null && after.settled()) {
                        TypeSql.delete(tx, name);
                    }
                    changed(tx, name);
                    return true;
                });
    }

    /// Nothing of the type is claimed from the commit on. Null when there is no such type.
    public @Nullable WorkType pause(UUID account, String queue, String kind) {
        return move(
                new Name(account, queue, kind),
                (state, nowMs) ->
                        new Held(
                                state.pausedMs() == null ? nowMs : state.pausedMs(),
                                state.drainingMs()));
    }

    /// Nothing of the type is taken in, and what is there is worked off.
    public @Nullable WorkType drain(UUID account, String queue, String kind) {
        return move(
                new Name(account, queue, kind),
                (state, nowMs) ->
                        new Held(
                                state.pausedMs(),
                                state.drainingMs() == null ? nowMs : state.drainingMs()));
    }

    /// Neither paused nor draining any more; who waits to claim looks again.
    public @Nullable WorkType resume(UUID account, String queue, String kind) {
        return move(new Name(account, queue, kind), (_, _) -> new Held(null, null));
    }

    private record Held(@Nullable Long pausedMs, @Nullable Long drainingMs) {}

    private interface Move {
        Held from(State state, long nowMs);
    }

    /// A row that is as it should be is not written, so that its time of change stays.
    private @Nullable WorkType move(Name name, Move move) {
        return database.transaction(
                tx -> {
                    Row row = TypeSql.lock(tx, name, true);
                    if (row == null || row.removed()) {
                        return null;
                    }
                    State state = row.type().state();
                    Held now = move.from(state, tx.nowMillis());
                    if (!now.equals(new Held(state.pausedMs(), state.drainingMs()))) {
                        TypeSql.move(tx, name, now.pausedMs(), now.drainingMs());
                        changed(tx, name);
                    }
                    return TypeSql.find(tx, name);
                });
    }

    private void changed(Tx tx, Name name) {
        tx.afterCommit(
                () -> {
                    memory.forget(name);
                    wake.ready(name.account(), name.queue(), name.kind(), WOKEN);
                });
    }

    public boolean strict(UUID account) {
        return database.transaction(tx -> TypeSql.strict(tx, account));
    }

    public void setStrict(UUID account, boolean strict) {
        database.transaction(
                tx -> {
                    TypeSql.setStrict(tx, account, strict);
                    tx.afterCommit(() -> memory.forget(account));
                    return null;
                });
    }

    /// For callers that ask often.
    public Believed believed(UUID account, String queue, String kind) {
        return memory.of(new Name(account, queue, kind));
    }

    /// Whether any type of the queue says what its results must be; believed like a type.
    public boolean checksResults(UUID account, String queue) {
        return memory.checksResults(account, queue);
    }

    /// Replaces the settings of a type. Its items are where the old aging interval put them. Those
    /// that can be claimed are moved at once if they are few. The sweeper moves the rest, and also
    /// items that a worker holds or gives back, and inserts that did not see this change.
    private static void write(Tx tx, Name name, @Nullable Row before, Spec spec, boolean removed)
            throws SQLException {
        boolean isNew = before == null || before.removed();
        State was = before == null || isNew ? null : before.type().state();
        boolean flowBefore = before != null && before.type().spec().limits().flow();
        Long agingBefore = before == null ? null : before.type().spec().agingMs();
        boolean moved =
                agingBefore == null ? spec.agingMs() != null : !agingBefore.equals(spec.agingMs());
        boolean rerankBefore = before != null && before.type().state().reranking();
        UUID after = before == null ? null : before.rerankAfter();
        Long checkMs = before == null ? null : before.rerankCheckMs();
        if (moved) {
            after = FIRST_ID;
            checkMs = tx.nowMillis() + INSERTS_END_WITHIN.toMillis();
        }
        var state =
                new State(
                        was == null || removed ? null : was.pausedMs(),
                        was == null || removed ? null : was.drainingMs(),
                        rerankBefore || moved,
                        was == null ? tx.nowMillis() : was.createdMs(),
                        tx.nowMillis());
        TypeSql.put(
                tx,
                name,
                new Row(
                        new WorkType(spec, state),
                        removed,
                        flowBefore != spec.limits().flow(),
                        after,
                        checkMs));
        if (moved) {
            List<UUID> claimable = TypeSql.claimable(tx, name, MOVED_AT_ONCE);
            TypeSql.rerank(tx, name.account(), claimable, spec.agingMs());
            boolean left = TypeSql.claimableIsStale(tx, name, spec.agingMs());
            TypeSql.setRerank(tx, name, left, after, checkMs);
        }
    }

    private static WorkType there(Tx tx, Name name) throws SQLException {
        WorkType type = TypeSql.find(tx, name);
        if (type == null) {
            throw new IllegalStateException("a type that was just written is not there");
        }
        return type;
    }
}
