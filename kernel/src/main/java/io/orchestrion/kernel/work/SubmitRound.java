package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.plan.Quotas;
import io.orchestrion.kernel.work.WorkSql.EventRow;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Several submissions of one account in one go: those whose key is free, or that have none, are
/// written together.
final class SubmitRound {
    private final WorkVerbs verbs;
    private final Idempotency idempotency;
    private final Tx tx;
    private final UUID account;
    private final List<Submission> submissions;

    SubmitRound(
            WorkVerbs verbs,
            Idempotency idempotency,
            Tx tx,
            UUID account,
            List<Submission> submissions) {
        this.verbs = verbs;
        this.idempotency = idempotency;
        this.tx = tx;
        this.account = account;
        this.submissions = submissions;
    }

    List<Submitted> run() throws SQLException {
        List<WorkView> views = submissions.stream().map(each -> draft(each.work())).toList();
        var answers = new ArrayList<@Nullable Submitted>();
        var keyed = new ArrayList<Integer>();
        for (int i = 0; i < views.size(); i++) {
            Submission submission = submissions.get(i);
            if (!submission.work().scheduleAllowed(tx.nowMillis())) {
                answers.add(scheduleRefused(submission));
            } else if (submission.key() != null) {
                keyed.add(i);
                answers.add(null);
            } else {
                answers.add(new Submitted.Created(views.get(i)));
            }
        }
        reserve(views, keyed, answers);
        holdToQuota(answers);
        List<WorkView> created =
                answers.stream()
                        .filter(Submitted.Created.class::isInstance)
                        .map(answer -> ((Submitted.Created) answer).view())
                        .toList();
        if (!created.isEmpty()) {
            insert(created);
        }
        return answers.stream().map(Objects::requireNonNull).toList();
    }

    /// Last of all checks: a repeated request is answered also when the month is used up. The first
    /// to come are the ones that fit, and a key whose request did not fit is free again.
    private void holdToQuota(List<@Nullable Submitted> answers) throws SQLException {
        var metered = new ArrayList<Integer>();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof Submitted.Created
                    && submissions.get(i).work().profile().metered()) {
                metered.add(i);
            }
        }
        if (metered.isEmpty()) {
            return;
        }
        Quotas.Creates creates = verbs.quotas().create(tx, account, metered.size());
        var unused = new ArrayList<UUID>();
        for (int place : metered.subList(creates.granted(), metered.size())) {
            if (answers.get(place) instanceof Submitted.Created(var view)
                    && submissions.get(place).key() != null) {
                unused.add(view.item().id());
            }
            answers.set(
                    place,
                    new Submitted.OverQuota(creates.plan(), creates.used(), creates.expired()));
        }
        if (!unused.isEmpty()) {
            idempotency.release(tx, account, unused);
        }
    }

    private WorkView draft(NewWork work) {
        WorkItem item = work.at(verbs.ids().next(tx.nowMillis()), tx.nowMillis());
        return new WorkView(item, new Documents(work.payload(), null, null), tx.nowMillis());
    }

    /// A repeated request is answered as the first one was, also when its time has since passed.
    private Submitted scheduleRefused(Submission submission) throws SQLException {
        IdempotencyKey key = submission.key();
        Reservation known = key == null ? null : idempotency.peek(tx, account, key);
        return known == null ? new Submitted.ScheduleRefused(tx.nowMillis()) : notOurs(known);
    }

    private void reserve(
            List<WorkView> views, List<Integer> keyed, List<@Nullable Submitted> answers)
            throws SQLException {
        if (keyed.isEmpty()) {
            return;
        }
        var claims = new ArrayList<Idempotency.Claim>();
        for (int place : keyed) {
            Submission submission = submissions.get(place);
            WorkView view = views.get(place);
            claims.add(
                    new Idempotency.Claim(
                            Objects.requireNonNull(submission.key()),
                            view.item().id(),
                            submission.answer().apply(view)));
        }
        List<Reservation> reservations = idempotency.reserve(tx, account, claims);
        for (int i = 0; i < keyed.size(); i++) {
            int place = keyed.get(i);
            Reservation reservation = reservations.get(i);
            answers.set(
                    place,
                    reservation instanceof Reservation.Ours
                            ? new Submitted.Created(views.get(place))
                            : notOurs(reservation));
        }
    }

    static Submitted notOurs(Reservation reservation) {
        return switch (reservation) {
            case Reservation.Ours _ -> throw new IllegalStateException("the key is ours");
            case Reservation.Replay(var answer) -> new Submitted.Replayed(answer);
            case Reservation.Conflict _ -> new Submitted.KeyConflict();
            case Reservation.InFlight _ -> new Submitted.KeyInFlight();
        };
    }

    private void insert(List<WorkView> views) throws SQLException {
        List<WorkItem> items = views.stream().map(WorkView::item).toList();
        int written = WorkSql.insertWork(tx, account, items).size();
        if (written != items.size()) {
            throw new StoreException(
                    StoreException.Kind.REJECTED, "account " + account + " does not exist");
        }
        WorkSql.insertPayloads(
                tx,
                account,
                items.stream().map(WorkItem::id).toList(),
                views.stream().map(view -> view.documents().payload()).toList());
        verbs.tell(
                tx,
                account,
                items,
                items.stream().map(item -> EventRow.of(item, WorkEvent.SUBMIT, null)).toList());
        verbs.wakeFor(tx, items);
    }
}
