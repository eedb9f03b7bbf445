package io.orchestrion.testkit.sample;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.pool.PoolWork;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.OwnedItems;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkOwner;
import io.orchestrion.kernel.work.WorkVerbs;
import io.orchestrion.testkit.CallHandler;
import io.orchestrion.testkit.sample.Errand.State;
import io.orchestrion.testkit.sample.Errand.Step;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/// A small engine that does what engines do: a worker outside does a step, a timer lets the errand
/// rest, and the server itself makes a call. `docs/internals/engines.md` goes through it.
public final class Errands implements WorkOwner {
    private static final List<String> WORDS = Stream.of(State.values()).map(s -> s.word).toList();
    private static final SubjectKind ERRAND = new SubjectKind("errand", "errands", WORDS, WORDS);
    private static final SubjectKind ATTEMPT =
            new SubjectKind("errand_attempt", "errands", List.of("begun"), List.of());

    /// Given to a kernel that is to have errands.
    public static final List<SubjectKind> SUBJECTS = List.of(ERRAND, ATTEMPT);

    /// Its tables, given to the same kernel.
    public static final SchemaPart SCHEMA =
            SchemaPart.of("errands", Errands.class)
                    .once(List.of("V001__errand.sql"))
                    .byAccount(List.of("errand"));

    /// Items in one transaction. An errand has one open at a time.
    private static final int BATCH = 1;

    private static final long ATTEMPT_MS = 600_000;
    private final Kernel kernel;

    /// @param kernel that is not started yet
    public Errands(Kernel kernel) {
        this.kernel = kernel;
        kernel.add(this);
        var calls = new PoolWork("errand-calls", Step.CALL.profile, Step.CALL.kind, 4, 2);
        kernel.pool().add(calls, new CallHandler());
    }

    public UUID create(UUID account, String input, @Nullable String correlationId) {
        var asked = new Errand.Asked(input, correlationId);
        return kernel.database().retried(tx -> create(tx, account, asked));
    }

    private UUID create(Tx tx, UUID account, Errand.Asked asked) throws SQLException {
        UUID id = kernel.ids().next(tx.nowMillis());
        var errand = new Errand(account, id, asked, State.RUNNING, 1, Step.WORK, 1);
        tell(tx, null, errand, null);
        make(tx, errand, null);
        return id;
    }

    /// This and the next two: false where the errand's state does not allow it.
    public boolean pause(UUID account, UUID id) {
        return change(account, id, State.PAUSED);
    }

    public boolean resume(UUID account, UUID id) {
        return change(account, id, State.RUNNING);
    }

    public boolean cancel(UUID account, UUID id) {
        return change(account, id, State.CANCELLED);
    }

    private boolean change(UUID account, UUID id, State to) {
        var first = kernel.database().retried(tx -> turn(tx, account, id, to, true));
        var last = first;
        while (last != null && last.more()) {
            last = kernel.database().retried(tx -> turn(tx, account, id, to, false));
        }
        return first != null;
    }

    /// Null where there is nothing to do: in a later turn, because the state is another by now.
    private OwnedItems.@Nullable Done turn(Tx tx, UUID account, UUID id, State to, boolean first)
            throws SQLException {
        Errand errand = ErrandSql.lock(tx, account, id);
        if (errand == null
                || (first ? !Errand.TABLE.allows(errand.state(), to) : errand.state() != to)) {
            return null;
        }
        if (first) {
            tell(tx, errand.state(), errand.in(to), null);
        }
        OwnedItems items = kernel.verbs().owned();
        var owner = new OwnerRef(kind(), id);
        return switch (to) {
            case RUNNING -> items.release(tx, account, owner, BATCH);
            case PAUSED -> items.hold(tx, account, owner, BATCH);
            case CANCELLED, SUCCEEDED, FAILED -> items.revoke(tx, account, owner, BATCH);
        };
    }

    @Override
    public String kind() {
        return ERRAND.word();
    }

    @Override
    public Set<UUID> lock(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return ErrandSql.lockFree(tx, account, ids);
    }

    /// An attempt is a subject of its own, because its errand is not locked here.
    @Override
    public void started(Tx tx, UUID account, List<WorkItem> items) {
        var ids = items.stream().map(WorkItem::id);
        var told = ids.map(id -> SubjectEvent.of(ATTEMPT.word(), id, 1, "begun", null, null));
        kernel.subjects().append(tx, account, told.toList());
    }

    @Override
    public @Nullable WorkError judge(Tx tx, WorkItem item, Command.Complete said) {
        String result = said.result() == null ? "{}" : said.result();
        boolean good =
                !item.kind().equals(Step.WORK.kind)
                        || JsonMapper.shared().readTree(result).has("answer");
        return good ? null : WorkError.of("bad_result", "the result has no answer");
    }

    @Override
    public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException {
        UUID id = Objects.requireNonNull(end.item().owner()).id();
        Errand before = ErrandSql.lock(tx, end.item().accountId(), id);
        if (before == null || end.event() == WorkEvent.CANCEL) {
            return;
        }
        WorkError error = end.error();
        Errand errand = before.after(error);
        if (errand.state() == before.state()) {
            make(tx, ErrandSql.save(tx, errand), error);
        } else {
            tell(tx, before.state(), errand, error == null ? end.result() : error.json());
        }
    }

    private void make(Tx tx, Errand errand, @Nullable WorkError error) throws SQLException {
        Step step = errand.step();
        NewWork item =
                NewWork.of(errand.account(), step.profile, step.kind, errand.asked().input())
                        .ownedBy(new OwnerRef(kind(), errand.id()))
                        .notBefore(tx.nowMillis() + errand.delayMs(error))
                        .runningAtMost(ATTEMPT_MS)
                        .correlated(errand.asked().correlationId());
        boolean held = errand.state() == State.PAUSED && step != Step.REST;
        var made = Submission.of(held ? item.heldBack() : item);
        kernel.verbs().submit(tx, errand.account(), List.of(made)).getFirst().made();
    }

    /// The change of a state and what is told of it are one.
    private void tell(Tx tx, @Nullable State from, Errand errand, @Nullable String data)
            throws SQLException {
        ErrandSql.save(tx, errand);
        String was = from == null ? null : from.word;
        String is = errand.state().word;
        var event = SubjectEvent.of(kind(), errand.id(), errand.seq(), is, was, is);
        var told = List.of(event.with(data, errand.asked().correlationId()));
        kernel.subjects().append(tx, errand.account(), told);
    }
}
