package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.DependencySql;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.plan.Quotas;
import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;

/// Carries out several submissions of one account together: all whose key is free, and all without
/// a key.
final class SubmitRound {
    private final WorkVerbs verbs;
    private final Idempotency idempotency;
    private final Tx tx;
    private final UUID account;
    private final List<Submission> submissions;

    /// The ids, in the order of the submissions.
    private List<UUID> drafted = List.of();

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
        List<WorkView> views = submissions.stream().map(this::draft).toList();
        drafted = views.stream().map(view -> view.item().id()).toList();
        var keys = new ArrayList<@Nullable Submitted>();
        var keyed = new ArrayList<Integer>();
        for (int i = 0; i < views.size(); i++) {
            Submission submission = submissions.get(i);
            if (!submission.work().scheduleAllowed(tx.nowMillis())) {
                keys.add(scheduleRefused(submission));
            } else if (submission.key() != null) {
                keyed.add(i);
                keys.add(null);
            } else {
                keys.add(new Submitted.Created(views.get(i)));
            }
        }
        reserve(views, keyed, keys);
        List<Submitted> candidates = keys.stream().map(Objects::requireNonNull).toList();
        SubmitTerms terms = SubmitTerms.lock(verbs, tx, account, submissions, candidates);
        SubmitTerms.Decided decided = holdToQuota(terms, candidates);
        settleKeys(candidates, decided.answers());
        write(terms, decided);
        countKeys(decided.answers());
        return decided.answers();
    }

    /// Counts for the metrics how many of the requests with a key were repeated, and how many were
    /// the first.
    private void countKeys(List<Submitted> answers) {
        var hits = new HashMap<String, Integer>();
        var created = new HashMap<String, Integer>();
        for (int i = 0; i < submissions.size(); i++) {
            if (submissions.get(i).key() == null) {
                continue;
            }
            String queue = submissions.get(i).work().queue();
            switch (answers.get(i)) {
                case Submitted.Replayed _ -> hits.merge(queue, 1, Integer::sum);
                case Submitted.Created _ -> created.merge(queue, 1, Integer::sum);
                default -> {}
            }
        }
        var queues = new TreeSet<>(hits.keySet());
        queues.addAll(created.keySet());
        for (String queue : queues) {
            verbs.signals()
                    .deduplicated(
                            tx, queue, hits.getOrDefault(queue, 0), created.getOrDefault(queue, 0));
        }
    }

    /// The quota is the last of all checks: a repeated request is answered even when the month is
    /// used up, and an item that exists already is not counted again. Where not all fit, the first
    /// ones do.
    private SubmitTerms.Decided holdToQuota(SubmitTerms terms, List<Submitted> candidates)
            throws SQLException {
        SubmitTerms.Decided decided = terms.decide(candidates, Integer.MAX_VALUE, null);
        int metered = 0;
        for (int i = 0; i < submissions.size(); i++) {
            boolean counts = submissions.get(i).work().profile().keeping().metered();
            metered += counts && decided.answers().get(i) instanceof Submitted.Created ? 1 : 0;
        }
        if (metered == 0) {
            return decided;
        }
        Quotas.Creates creates = verbs.quotas().create(tx, account, metered);
        return creates.granted() == metered
                ? decided
                : terms.decide(
                        candidates,
                        creates.granted(),
                        new Submitted.OverQuota(creates.plan(), creates.used(), creates.expired()));
    }

    /// Frees the key of a request that made nothing. Where only the terms decided the answer, it
    /// replaces the answer that was stored when the key was taken.
    private void settleKeys(List<Submitted> candidates, List<Submitted> answers)
            throws SQLException {
        var unused = new ArrayList<UUID>();
        var restated = new ArrayList<Idempotency.Restated>();
        for (int i = 0; i < submissions.size(); i++) {
            Submission submission = submissions.get(i);
            if (submission.key() == null
                    || !(candidates.get(i) instanceof Submitted.Created(var draft))) {
                continue;
            }
            UUID id = draft.item().id();
            switch (answers.get(i)) {
                case Submitted.Created(var view) -> {
                    if (submission.hasTerms()) {
                        restated.add(
                                new Idempotency.Restated(id, id, submission.answer().apply(view)));
                    }
                }
                case Submitted.Existing(var view) ->
                        restated.add(
                                new Idempotency.Restated(
                                        id,
                                        view.item().id(),
                                        submission.existingAnswer().apply(view)));
                default -> unused.add(id);
            }
        }
        if (!unused.isEmpty()) {
            idempotency.release(tx, account, unused);
        }
        if (!restated.isEmpty()) {
            idempotency.restate(tx, account, restated);
        }
    }

    private void write(SubmitTerms terms, SubmitTerms.Decided decided) throws SQLException {
        if (!decided.drafts().isEmpty()) {
            insert(decided.drafts());
        }
        if (!decided.parents().isEmpty()) {
            DependencySql.insert(tx, account, decided.parents());
        }
        if (!decided.marked().isEmpty()) {
            DependencySql.markParents(tx, account, List.copyOf(decided.marked()));
        }
        verbs.writeDecided(tx, account, decided.transitions());
        terms.writeKeys(decided.taken());
    }

    private WorkView draft(Submission submission) {
        NewWork work = submission.work();
        UUID given = submission.id();
        UUID id = given == null ? verbs.ids().next(tx.nowMillis()) : given;
        WorkItem item = work.at(id, tx.nowMillis());
        return new WorkView(item, new Documents(work.payload(), null, null), tx.nowMillis());
    }

    /// A repeated request is answered as the first one was, even if its time has passed since.
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
        insertItems(views);
        verbs.tell(
                tx,
                account,
                items.stream().flatMap(item -> EventRow.ofNew(item).stream()).toList());
        verbs.wakeForNew(tx, items);
    }

    /// Items with requirements store them in the same statement.
    private void insertItems(List<WorkView> views) {
        var plain = new ArrayList<WorkView>();
        var asking = new ArrayList<PolicySql.Asking>();
        Map<UUID, Requirements> requirements = requirements();
        for (WorkView view : views) {
            Requirements mine = requirements.get(view.item().id());
            if (mine == null) {
                plain.add(view);
            } else {
                asking.add(new PolicySql.Asking(view, mine));
                verbs.wakeForFit(tx, view.item(), mine);
            }
        }
        if (!plain.isEmpty()) {
            WorkSql.insertWork(tx, account, plain);
        }
        if (!asking.isEmpty()) {
            PolicySql.insertWork(tx, account, asking);
        }
    }

    /// The requirements by item, for profiles whose claims go by policy.
    private Map<UUID, Requirements> requirements() {
        if (submissions.stream().noneMatch(one -> one.work().profile().claims().byPolicy())) {
            return Map.of();
        }
        var byId = new HashMap<UUID, Requirements>();
        for (int i = 0; i < submissions.size(); i++) {
            if (submissions.get(i).work().profile().claims().byPolicy()) {
                byId.put(drafted.get(i), submissions.get(i).work().tries().requirements());
            }
        }
        return byId;
    }
}
