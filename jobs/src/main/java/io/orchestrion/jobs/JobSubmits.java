package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.DefinitionSource;
import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.LogReaders;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Accepts jobs: item, job, definition, first events, the key's answer and the room taken are one
/// transaction. Many requests share one.
final class JobSubmits implements AutoCloseable {
    /// How long to wait for a request with the same key that is under way on this node. It takes as
    /// long as a commit.
    private static final long TWIN_SECONDS = 5;

    /// An id is made at random, so the second is free if the first was not.
    private static final int ID_TRIES = 3;

    private static final String UNIQUE_VIOLATION = "23505";

    private record Slot(UUID account, String key) {}

    private final Kernel kernel;
    private final JobsOptions options;
    private final DefinitionSource definitions;
    private final Capacity capacity;
    private final Combiner<NewJob, JobSubmitted> plain;

    /// A lane of its own, because a key that another node is using at this moment can make the
    /// whole batch wait.
    private final Combiner<NewJob, JobSubmitted> keyed;

    private final Map<Slot, CompletableFuture<Boolean>> twins = new ConcurrentHashMap<>();

    JobSubmits(
            Kernel kernel, JobsOptions options, DefinitionSource definitions, Capacity capacity) {
        this.kernel = kernel;
        this.options = options;
        this.definitions = definitions;
        this.capacity = capacity;
        this.plain = new Combiner<>(Jobs.lane("job-submit"), kernel.database(), this::accept);
        this.keyed = new Combiner<>(Jobs.lane("job-submit-keyed"), kernel.database(), this::accept);
    }

    JobSubmitted submit(NewJob job) {
        kernel.database().checkRoom();
        try {
            IdempotencyKey key = job.key();
            return key == null ? once(plain, job) : alone(job, key);
        } catch (Capacity.Full full) {
            return new JobSubmitted.QueueFull(full.waiting(), full.max());
        }
    }

    private JobSubmitted alone(NewJob job, IdempotencyKey key) {
        var slot = new Slot(job.account(), key.key());
        var mine = new CompletableFuture<Boolean>();
        CompletableFuture<Boolean> first = twins.putIfAbsent(slot, mine);
        while (first != null) {
            if (!ends(first)) {
                return new JobSubmitted.KeyInFlight();
            }
            first = twins.putIfAbsent(slot, mine);
        }
        try {
            return once(keyed, job);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.LOCKED) {
                // Another node is handling a request with the same key.
                return new JobSubmitted.KeyInFlight();
            }
            throw e;
        } finally {
            twins.remove(slot, mine);
            mine.complete(true);
        }
    }

    private static boolean ends(CompletableFuture<Boolean> twin) {
        try {
            return twin.get(TWIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static JobSubmitted once(Combiner<NewJob, JobSubmitted> lane, NewJob job) {
        for (int tries = 1; ; tries++) {
            try {
                return lane.call(job);
            } catch (StoreException e) {
                if (tries == ID_TRIES || !e.sqlState().equals(UNIQUE_VIOLATION)) {
                    throw e;
                }
            }
        }
    }

    /// Accounts always in the same order, so that two batches lock in the same order; the room
    /// comes last, so that its lock is held for the commit and nothing else.
    private List<JobSubmitted> accept(Tx tx, List<NewJob> jobs) throws SQLException {
        var byAccount = new TreeMap<UUID, List<Integer>>();
        for (int i = 0; i < jobs.size(); i++) {
            byAccount.computeIfAbsent(jobs.get(i).account(), _ -> new ArrayList<>()).add(i);
        }
        var answers = new TreeMap<Integer, JobSubmitted>();
        int created = 0;
        for (var entry : byAccount.entrySet()) {
            List<NewJob> mine = entry.getValue().stream().map(jobs::get).toList();
            List<JobSubmitted> made = accept(tx, entry.getKey(), mine);
            for (int i = 0; i < made.size(); i++) {
                answers.put(entry.getValue().get(i), made.get(i));
                boolean isNew =
                        made.get(i) instanceof JobSubmitted.Accepted accepted
                                && !accepted.replayed();
                created += isNew ? 1 : 0;
            }
        }
        capacity.added(tx, created);
        return List.copyOf(answers.values());
    }

    private List<JobSubmitted> accept(Tx tx, UUID account, List<NewJob> jobs) throws SQLException {
        var rows = new ArrayList<JobSql.NewRow>();
        var submissions = new ArrayList<Submission>();
        for (NewJob job : jobs) {
            UUID id = kernel.ids().next(tx.nowMillis());
            JobDefinition definition =
                    definitions.define(job.workKind(), tx.nowMillis(), job.type());
            rows.add(new JobSql.NewRow(id, job, definition));
            submissions.add(submission(id, job, definition));
        }
        List<Submitted> answers = kernel.verbs().submit(tx, account, submissions);
        var written = new ArrayList<JobSql.NewRow>();
        var before = new ArrayList<UUID>();
        for (int i = 0; i < rows.size(); i++) {
            switch (answers.get(i)) {
                case Submitted.Created _ -> written.add(rows.get(i));
                case Submitted.Replayed(var answer) -> before.add(UUID.fromString(answer.body()));
                default -> {}
            }
        }
        if (!written.isEmpty()) {
            JobSql.insert(tx, account, written);
            if (written.stream().anyMatch(row -> row.job().callback() != null)) {
                // A receiver is sent every event from the first on.
                LogReaders.followForGood(tx, account, Profiles.JOBS.queue());
            }
        }
        Map<UUID, Job> known = find(tx, account, before);
        var submitted = new ArrayList<JobSubmitted>();
        for (int i = 0; i < rows.size(); i++) {
            submitted.add(answer(rows.get(i), answers.get(i), known));
        }
        return submitted;
    }

    private static Map<UUID, Job> find(Tx tx, UUID account, Collection<UUID> ids)
            throws SQLException {
        return ids.isEmpty() ? Map.of() : JobSql.find(tx, account, ids);
    }

    private Submission submission(UUID id, NewJob job, JobDefinition definition) {
        String payload = job.payload();
        NewWork work =
                NewWork.of(
                                job.account(),
                                Profiles.JOBS,
                                definition.workKind(),
                                payload == null ? "{}" : payload)
                        .ownedBy(new OwnerRef(JobEnds.KIND, id))
                        .notBefore(job.executionMs())
                        .tryingAtMost(1 + options.maxRetries())
                        .runningAtMost(options.maxRuntime().toMillis())
                        .traced(job.traceparent());
        return new Submission(
                        work, job.key(), view -> new StoredAnswer(202, view.item().id().toString()))
                .as(id);
    }

    private JobSubmitted answer(JobSql.NewRow row, Submitted answer, Map<UUID, Job> known) {
        return switch (answer) {
            case Submitted.Created(var view) ->
                    new JobSubmitted.Accepted(
                            Items.job(row.job(), row.definition(), view.item()), false);
            case Submitted.Replayed(var stored) -> {
                @Nullable Job job = known.get(UUID.fromString(stored.body()));
                // A key goes with its job, so one without the other is just being removed.
                yield job == null
                        ? new JobSubmitted.KeyInFlight()
                        : new JobSubmitted.Accepted(job, true);
            }
            case Submitted.KeyConflict _ -> new JobSubmitted.KeyConflict();
            case Submitted.KeyInFlight _ -> new JobSubmitted.KeyInFlight();
            case Submitted.ScheduleRefused(var nowMs) -> new JobSubmitted.ScheduleRefused(nowMs);
            case Submitted.UnknownParent _,
                    Submitted.UniqueConflict _,
                    Submitted.Existing _,
                    Submitted.OverQuota _ ->
                    throw new IllegalStateException("jobs have no such terms: " + answer);
        };
    }

    /// The answer to the first request with this key; null when there is none yet.
    @Nullable JobSubmitted replay(NewJob job) {
        return kernel.database()
                .transaction(
                        tx -> {
                            IdempotencyKey key = Objects.requireNonNull(job.key());
                            Submitted known = kernel.verbs().replay(tx, job.account(), key);
                            if (!(known instanceof Submitted.Replayed(var stored))) {
                                return null;
                            }
                            UUID id = UUID.fromString(stored.body());
                            Job found = JobSql.find(tx, job.account(), List.of(id)).get(id);
                            return found == null ? null : new JobSubmitted.Accepted(found, true);
                        });
    }

    @Override
    public void close() {
        plain.close();
        keyed.close();
    }
}
