package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.OfAccount;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.orchestrations.definition.Policies;
import io.orchestrion.orchestrations.execution.DefinitionSql.Standing;
import io.orchestrion.orchestrations.execution.Execution.Asked;
import io.orchestrion.orchestrations.execution.Execution.DefinitionRef;
import io.orchestrion.orchestrations.execution.Execution.Target;
import io.orchestrion.orchestrations.execution.StepStarts.Wanted;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/// Makes executions: the row, its first step, the item of that step and what is told of it are one
/// transaction. Many requests share one.
final class ExecutionCreates implements AutoCloseable {
    /// A definition may be published between the look and the transaction, but not for ever.
    private static final int TRIES = 3;

    private final Kernel kernel;
    private final Executions executions;
    private final Definitions definitions;
    private final Combiner<Pinned, Created> plain;

    /// Apart, because a key that another node is just using makes its batch wait.
    private final Combiner<Pinned, Created> keyed;

    /// @param version the one that it will follow
    private record Pinned(NewExecution asked, Published published, int version)
            implements OfAccount {
        @Override
        public UUID accountId() {
            return asked.accountId();
        }

        Policies policies() {
            return published.definition().policies();
        }

        Standing.Ref ref() {
            return new Standing.Ref(asked.definition(), version);
        }
    }

    ExecutionCreates(Kernel kernel, Executions executions) {
        this.kernel = kernel;
        this.executions = executions;
        this.definitions = executions.definitions();
        this.plain = new Combiner<>(lane("execution-create"), kernel.database(), this::make);
        this.keyed = new Combiner<>(lane("execution-create-keyed"), kernel.database(), this::make);
    }

    private static Combiner.Lane lane(String name) {
        return new Combiner.Lane(name, 1, 10_000, 200, Duration.ofSeconds(30));
    }

    Created create(NewExecution asked) {
        kernel.database().checkRoom();
        Created created = new Created.NotPublished();
        for (int tries = 0; tries < TRIES; tries++) {
            created = tryOnce(asked, tries > 0);
            if (!(created instanceof Created.Outdated)) {
                break;
            }
        }
        boolean refused =
                created instanceof Created.NotPublished
                        || created instanceof Created.Deprecated
                        || created instanceof Created.Outdated;
        Created before = refused ? replay(asked) : null;
        if (before != null) {
            return before;
        }
        return created instanceof Created.Outdated ? new Created.NotPublished() : created;
    }

    private Created tryOnce(NewExecution asked, boolean fresh) {
        return switch (definitions.pin(
                asked.accountId(), asked.definition(), asked.version(), fresh)) {
            case Definitions.Pin.None _ -> new Created.NoDefinition();
            case Definitions.Pin.Draft _ -> new Created.NotPublished();
            case Definitions.Pin.Deprecated _ -> new Created.Deprecated();
            case Definitions.Pin.Usable(var published, int version) -> {
                List<String> faults = published.inputFaults(asked.input());
                yield faults.isEmpty()
                        ? call(new Pinned(asked, published, version))
                        : new Created.BadInput(faults);
            }
        };
    }

    private Created call(Pinned pinned) {
        if (pinned.asked().idempotencyKey() == null) {
            return plain.call(pinned);
        }
        try {
            return keyed.call(pinned);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.LOCKED) {
                // Another node makes the execution of this key.
                return new Created.KeyInFlight();
            }
            throw e;
        }
    }

    /// What an earlier call with the same key made, also where its definition has gone on since.
    private @Nullable Created replay(NewExecution asked) {
        String key = asked.idempotencyKey();
        if (key == null) {
            return null;
        }
        return kernel.database()
                .transaction(
                        tx ->
                                ExecutionSql.findByKey(tx, asked.accountId(), List.of(key)).stream()
                                        .map(found -> again(asked, found))
                                        .findFirst()
                                        .orElse(null));
    }

    private static Created again(NewExecution asked, Execution found) {
        return found.asked().digest().equals(asked.digest())
                ? new Created.Made(found, true)
                : new Created.KeyConflict();
    }

    /// Accounts always in the same order, so that two batches lock in the same order.
    private List<Created> make(Tx tx, List<Pinned> all) throws SQLException {
        var byAccount = new TreeMap<UUID, List<Integer>>();
        for (int i = 0; i < all.size(); i++) {
            byAccount.computeIfAbsent(all.get(i).accountId(), _ -> new ArrayList<>()).add(i);
        }
        var answers = new TreeMap<Integer, Created>();
        for (var entry : byAccount.entrySet()) {
            List<Pinned> mine = entry.getValue().stream().map(all::get).toList();
            List<Created> made = new Batch(tx, entry.getKey(), mine).run();
            for (int i = 0; i < made.size(); i++) {
                answers.put(entry.getValue().get(i), made.get(i));
            }
        }
        return List.copyOf(answers.values());
    }

    /// The requests of one account in one transaction.
    private final class Batch {
        private final Tx tx;
        private final UUID account;
        private final List<Pinned> requests;
        private final Map<Integer, Created> answers = new HashMap<>();

        Batch(Tx tx, UUID account, List<Pinned> requests) {
            this.tx = tx;
            this.account = account;
            this.requests = requests;
        }

        List<Created> run() throws SQLException {
            answerKnown(open());
            answerOutdated();
            answerLimited();
            insert();
            // What lost a race for its key against another transaction is known by now.
            answerKnown(open());
            var all = new ArrayList<Created>();
            for (int i = 0; i < requests.size(); i++) {
                all.add(answers.getOrDefault(i, new Created.KeyInFlight()));
            }
            return all;
        }

        private List<Integer> open() {
            var open = new ArrayList<Integer>();
            for (int i = 0; i < requests.size(); i++) {
                if (!answers.containsKey(i)) {
                    open.add(i);
                }
            }
            return open;
        }

        private void answerKnown(List<Integer> places) throws SQLException {
            var keys = new HashMap<String, List<Integer>>();
            for (int place : places) {
                String key = requests.get(place).asked().idempotencyKey();
                if (key != null) {
                    keys.computeIfAbsent(key, _ -> new ArrayList<>()).add(place);
                }
            }
            if (keys.isEmpty()) {
                return;
            }
            for (Execution found : ExecutionSql.findByKey(tx, account, keys.keySet())) {
                for (int place : keys.getOrDefault(found.asked().idempotencyKey(), List.of())) {
                    answers.put(place, again(requests.get(place).asked(), found));
                }
            }
        }

        private void answerOutdated() throws SQLException {
            List<Integer> places = open();
            if (places.isEmpty()) {
                return;
            }
            Set<UUID> ids = ids(places);
            Standing standing = DefinitionSql.standing(tx, account, ids);
            for (int place : places) {
                Pinned pinned = requests.get(place);
                Integer newest = standing.newest().get(pinned.asked().definition());
                boolean current =
                        standing.published().contains(pinned.ref())
                                && (pinned.asked().version() != null
                                        || (newest != null && newest == pinned.version()));
                if (!current) {
                    definitions.forget(account, pinned.asked().definition());
                    answers.put(place, new Created.Outdated());
                }
            }
        }

        private Set<UUID> ids(List<Integer> places) {
            var ids = new TreeSet<UUID>();
            places.forEach(place -> ids.add(requests.get(place).asked().definition()));
            return ids;
        }

        private void answerLimited() throws SQLException {
            List<Integer> limited =
                    open().stream()
                            .filter(place -> ConcurrencyLimits.any(requests.get(place).policies()))
                            .toList();
            if (limited.isEmpty()) {
                return;
            }
            DefinitionSql.serialize(tx, account, ids(limited));
            // Whoever was before us may have made the execution of one of these keys.
            answerKnown(limited);
            var keys = new HashSet<String>();
            var ofTarget = new HashMap<List<Object>, Integer>();
            var ofDefinition = new HashMap<UUID, Integer>();
            for (int place : limited) {
                Pinned pinned = requests.get(place);
                String asked = pinned.asked().idempotencyKey();
                if (answers.containsKey(place) || (asked != null && !keys.add(asked))) {
                    // The same key again makes nothing.
                    continue;
                }
                UUID definition = pinned.asked().definition();
                Target target = pinned.asked().target();
                List<Object> key = List.of(definition, target);
                int there =
                        ofTarget.containsKey(key)
                                ? ofTarget.get(key)
                                : ExecutionSql.activeOfTarget(tx, account, definition, target);
                int all =
                        ofDefinition.containsKey(definition)
                                ? ofDefinition.get(definition)
                                : ExecutionSql.activeOfDefinition(tx, account, definition);
                var reached = ConcurrencyLimits.reached(pinned.policies(), there, all);
                if (reached == null) {
                    ofTarget.put(key, there + 1);
                    ofDefinition.put(definition, all + 1);
                } else {
                    ofTarget.put(key, there);
                    ofDefinition.put(definition, all);
                    answers.put(place, new Created.TooMany(reached.limit(), reached.most()));
                }
            }
        }

        private void insert() throws SQLException {
            List<Integer> places = open();
            if (places.isEmpty()) {
                return;
            }
            var rows = new ArrayList<Execution>();
            places.forEach(place -> rows.add(row(requests.get(place))));
            Set<UUID> made = made(rows);
            var turn =
                    new Turn(
                            kernel,
                            tx,
                            account,
                            rows.stream().filter(row -> made.contains(row.id())).toList());
            for (int i = 0; i < rows.size(); i++) {
                Execution row = rows.get(i);
                if (made.contains(row.id())) {
                    begin(turn, row, requests.get(places.get(i)).published());
                }
            }
            turn.write();
            for (int i = 0; i < rows.size(); i++) {
                if (made.contains(rows.get(i).id())) {
                    Execution now = turn.execution(rows.get(i).id());
                    answers.put(places.get(i), new Created.Made(now, false));
                }
            }
        }

        /// The ids of those that there were not yet.
        private Set<UUID> made(List<Execution> rows) throws SQLException {
            if (requests.stream().anyMatch(one -> one.asked().idempotencyKey() != null)) {
                return ExecutionSql.insertKeyed(tx, account, rows);
            }
            ExecutionSql.insert(tx, account, rows);
            return rows.stream().map(Execution::id).collect(Collectors.toSet());
        }

        private void begin(Turn turn, Execution row, Published published) throws SQLException {
            turn.started(row);
            UUID timer = row.times().timer();
            Long timeout = row.times().timeoutMs();
            if (timer != null && timeout != null) {
                turn.submit(
                        row,
                        timer,
                        NewWork.of(account, Profiles.TIMERS, ItemKinds.TIMEOUT, "{}")
                                .notBefore(turn.nowMs() + timeout));
            }
            executions
                    .advance(turn, published)
                    .begin(row, Wanted.first(published.step(published.definition().startStepId())));
        }

        private Execution row(Pinned pinned) {
            NewExecution asked = pinned.asked();
            long now = tx.nowMillis();
            UUID id = kernel.ids().next(now);
            Long timeout = pinned.published().definition().policies().executionMs();
            String key = asked.idempotencyKey();
            String correlation = asked.correlationId();
            return new Execution(
                    account,
                    id,
                    new DefinitionRef(asked.definition(), pinned.version()),
                    ExecutionStatus.RUNNING,
                    1,
                    new Asked(
                            asked.target(),
                            asked.input(),
                            key == null ? "execution:" + id : key,
                            correlation == null ? id.toString() : correlation,
                            asked.trace(),
                            asked.digest(),
                            asked.parent()),
                    new Execution.Times(
                            now,
                            null,
                            0,
                            now,
                            timeout,
                            timeout == null ? null : kernel.ids().next(now)),
                    1,
                    Execution.Ending.NONE);
        }
    }

    @Override
    public void close() {
        plain.close();
        keyed.close();
    }
}
