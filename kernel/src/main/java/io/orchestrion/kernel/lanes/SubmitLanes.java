package io.orchestrion.kernel.lanes;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.combine.Gate;
import io.orchestrion.kernel.combine.Rounds;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.kernel.verbs.WorkBatches;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// The lanes in which work is handed in.
final class SubmitLanes implements AutoCloseable {
    private final Database database;
    private final WorkVerbs verbs;
    private final Standings standings;
    private final Combiner<Submission, Submitted> plain;
    private final MeteredLanes<Submission, Submitted> metered;
    private final Combiner<Submission, Submitted> withKey;
    private final Set<KeyInFlight> keysInFlight = ConcurrentHashMap.newKeySet();

    private record KeyInFlight(
            UUID account, String surface, UUID scope, String action, String key) {
        static KeyInFlight of(UUID account, IdempotencyKey key) {
            return new KeyInFlight(account, key.surface(), key.scope(), key.action(), key.key());
        }
    }

    SubmitLanes(
            Database database,
            WorkVerbs verbs,
            WorkBatches batches,
            Standings standings,
            Gate gate,
            Work.Options options) {
        this.database = database;
        this.verbs = verbs;
        this.standings = standings;
        this.plain =
                new Combiner<>(
                        Work.lane("submit", options.committers(), options),
                        database,
                        batches::submit,
                        gate);
        this.metered =
                new MeteredLanes<>("submit-metered", database, batches::submit, gate, options);
        // A lane of its own, because a key that another node is using at this moment can make the
        // whole batch wait.
        this.withKey =
                new Combiner<>(
                        Work.lane("submit-keyed", options.committers(), options),
                        database,
                        batches::submit);
    }

    /// Hands in work. With a key, it is made only once, whatever the number of calls.
    Submitted submit(Submission submission) {
        database.checkRoom();
        IdempotencyKey key = submission.key();
        if (key == null) {
            return lane(submission).call(submission);
        }
        // If a request with the same key is under way on this node, the answer is given without the
        // database.
        KeyInFlight inFlight = KeyInFlight.of(submission.work().accountId(), key);
        if (!keysInFlight.add(inFlight)) {
            return new Submitted.KeyInFlight();
        }
        try {
            return withKey.call(submission);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.LOCKED) {
                // Another node is handling a request with the same key.
                return new Submitted.KeyInFlight();
            }
            throw e;
        } finally {
            keysInFlight.remove(inFlight);
        }
    }

    private Combiner<Submission, Submitted> lane(Submission submission) {
        UUID account = submission.work().accountId();
        return standings.likelyMetered(account) ? metered.of(account) : plain;
    }

    /// Takes a key for a request of many items. Each item has a key of its own, so that it is made
    /// only once.
    Reservation reserve(UUID account, IdempotencyKey key) {
        database.checkRoom();
        try {
            return database.transaction(tx -> verbs.reserve(tx, account, key));
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.LOCKED) {
                return new Reservation.InFlight();
            }
            throw e;
        }
    }

    /// Hands in several at once; the answers are in their order. Where two name the same key, the
    /// second is answered as the first.
    List<Each<Submitted>> submitAll(List<Submission> submissions) {
        try {
            database.checkRoom();
        } catch (StoreException full) {
            // This failure is the answer to these submissions only: others, handed in before, may
            // have been made.
            return submissions.stream().map(_ -> new Each<Submitted>(null, full)).toList();
        }
        return Rounds.run(submissions, SubmitLanes::sharesKey, this::submitRound);
    }

    private static List<KeyInFlight> sharesKey(Submission submission) {
        IdempotencyKey key = submission.key();
        return key == null
                ? List.of()
                : List.of(KeyInFlight.of(submission.work().accountId(), key));
    }

    private List<Each<Submitted>> submitRound(List<Submission> round) {
        var answers = new TreeMap<Integer, Each<Submitted>>();
        var unkeyed = new ArrayList<Integer>();
        var keyed = new ArrayList<Integer>();
        var mine = new HashSet<KeyInFlight>();
        for (int place = 0; place < round.size(); place++) {
            List<KeyInFlight> keys = sharesKey(round.get(place));
            if (keys.isEmpty()) {
                unkeyed.add(place);
            } else if (keysInFlight.addAll(keys)) {
                mine.addAll(keys);
                keyed.add(place);
            } else {
                answers.put(place, new Each<>(new Submitted.KeyInFlight(), null));
            }
        }
        try {
            if (!unkeyed.isEmpty()) {
                // They are all of one account.
                put(
                        answers,
                        unkeyed,
                        lane(round.get(unkeyed.getFirst()))
                                .callAll(unkeyed.stream().map(round::get).toList()));
            }
            put(
                    answers,
                    keyed,
                    withKey.callAll(keyed.stream().map(round::get).toList()).stream()
                            .map(SubmitLanes::orInFlight)
                            .toList());
        } finally {
            keysInFlight.removeAll(mine);
        }
        return List.copyOf(answers.values());
    }

    private static void put(
            Map<Integer, Each<Submitted>> answers,
            List<Integer> places,
            List<Each<Submitted>> made) {
        for (int i = 0; i < places.size(); i++) {
            answers.put(places.get(i), made.get(i));
        }
    }

    /// If the row of the key is locked, another node is using the key.
    private static Each<Submitted> orInFlight(Each<Submitted> one) {
        return one.failure() instanceof StoreException store
                        && store.kind() == StoreException.Kind.LOCKED
                ? new Each<>(new Submitted.KeyInFlight(), null)
                : one;
    }

    @Override
    public void close() {
        plain.close();
        metered.close();
        withKey.close();
    }
}
