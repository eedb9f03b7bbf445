package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.handler.JobFailedException;
import io.orchestrion.jobs.handler.Produced;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/// Has a job's work done by an outside worker: hands in an item of the queue door in the job's own
/// account, follows it, and ends as it ends. The runner keeps the job's lease meanwhile, so that
/// limits, timeout, cancellation and fencing are those of every other job (decision 88).
final class ExternalWork {
    private static final Logger log = LoggerFactory.getLogger(ExternalWork.class);

    private static final Profile QUEUE = Profiles.QUEUE;

    /// A failure goes to the job. Its client decides about another try.
    private static final int ATTEMPTS = 1;

    private static final Duration LOOK_EVERY = Duration.ofMillis(250);
    private static final Duration KEY_LIFE = Duration.ofDays(7);
    private static final Duration KEY_STALE_AFTER = Duration.ofSeconds(90);

    private static final String FAILED = "EXTERNAL_FAILED";
    private static final int TAKE_BACK_TRIES = 10;

    private final Work work;
    private final String type;

    ExternalWork(Work work, String type) {
        this.work = work;
        this.type = type;
    }

    Produced run(RunContext context) throws Exception {
        if (context.attempt() > 1) {
            withdrawEarlier(context);
        }
        Submission submission = submission(context);
        UUID id;
        try {
            id = handIn(context, submission);
        } catch (InterruptedException e) {
            takeBack(context, submission);
            throw e;
        }
        try {
            return follow(context, id);
        } finally {
            if (context.cancelled()) {
                // The thread was interrupted by the cancellation, and would not get through to the
                // database.
                boolean interrupted = Thread.interrupted();
                cancel(context.account(), id);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private Produced follow(RunContext context, UUID id) throws Exception {
        while (true) {
            WorkView view = look(context, id);
            if (view != null) {
                WorkItem item = view.item();
                String failure =
                        item.attempts().failure() == null ? "" : ": " + item.attempts().failure();
                switch (item.state()) {
                    case SUCCEEDED -> {
                        String result = view.documents().result();
                        return Produced.json(result == null ? "null" : result);
                    }
                    case FAILED ->
                            throw new JobFailedException(
                                    FAILED, "queue job " + id + " failed" + failure, false);
                    case DEAD ->
                            throw new JobFailedException(
                                    FAILED, "queue job " + id + " failed" + failure, true);
                    case CANCELLED ->
                            throw new JobFailedException(
                                    FAILED, "queue job " + id + " was cancelled", false);
                    case WAITING, READY, LEASED, RUNNING -> {}
                }
            }
            context.pause(LOOK_EVERY);
        }
    }

    /// Null when the database does not answer for now: the job's own lease says how long that may
    /// last.
    private @Nullable WorkView look(RunContext context, UUID id) throws JobFailedException {
        WorkView view;
        try {
            view = work.get(context.account(), QUEUE, id);
        } catch (StoreException e) {
            log.warn("queue job {} cannot be looked at for now: {}", id, e.getMessage());
            return null;
        }
        if (view == null) {
            throw new JobFailedException(FAILED, "queue job " + id + " is gone", false);
        }
        return view;
    }

    private Submission submission(RunContext context) {
        var item =
                NewWork.of(context.account(), QUEUE, type, context.payload())
                        .tryingAtMost(ATTEMPTS)
                        .runningAtMost(Math.max(1, context.remaining().toMillis()))
                        .traced(context.traceparent());
        return new Submission(
                item,
                key(context, context.attempt()),
                view -> new StoredAnswer(0, view.item().id().toString()));
    }

    /// Once an attempt, also when the answer to the first try got lost.
    private UUID handIn(RunContext context, Submission submission) throws Exception {
        while (true) {
            try {
                UUID id = handedIn(submission);
                if (id != null) {
                    return id;
                }
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.REJECTED) {
                    throw e;
                }
                log.warn("a queue job cannot be handed in for now: {}", e.getMessage());
            }
            context.pause(LOOK_EVERY);
        }
    }

    /// Null while another try hands it in.
    private @Nullable UUID handedIn(Submission submission) throws JobFailedException {
        return switch (work.submit(submission)) {
            case Submitted.Created(var view) -> view.item().id();
            case Submitted.Replayed(var answer) -> UUID.fromString(answer.body());
            case Submitted.KeyInFlight _ -> null;
            case Submitted.KeyConflict _,
                    Submitted.ScheduleRefused _,
                    Submitted.UnknownParent _,
                    Submitted.UniqueConflict _,
                    Submitted.Existing _,
                    Submitted.OverQuota _ ->
                    throw new JobFailedException(
                            FAILED, "the queue took no job of type " + type, false);
        };
    }

    /// After an interruption it is not known whether the item was handed in. It is handed in again
    /// under its key, which gives its id, and then it can be cancelled.
    private void takeBack(RunContext context, Submission submission) {
        // An interrupted thread would not come through to the database.
        boolean interrupted = Thread.interrupted();
        try {
            UUID id = handedIn(submission);
            for (int tries = 1; id == null && tries < TAKE_BACK_TRIES; tries++) {
                Thread.sleep(LOOK_EVERY);
                id = handedIn(submission);
            }
            if (id != null) {
                cancel(context.account(), id);
            }
        } catch (StoreException | JobFailedException e) {
            log.warn("the queue job of {} is left as it is", context.jobId(), e);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private IdempotencyKey key(RunContext context, int attempt) {
        return new IdempotencyKey(
                "jobs",
                context.account(),
                "external",
                context.jobId() + "/" + attempt,
                type.getBytes(StandardCharsets.UTF_8),
                KEY_LIFE,
                KEY_STALE_AFTER);
    }

    /// The attempt before may have ended with its runner, and its item be worked on still.
    private void withdrawEarlier(RunContext context) {
        try {
            if (work.replay(context.account(), key(context, context.attempt() - 1))
                    instanceof Submitted.Replayed(var answer)) {
                cancel(context.account(), UUID.fromString(answer.body()));
            }
        } catch (StoreException e) {
            log.warn("the earlier queue job of {} is left as it is", context.jobId(), e);
        }
    }

    private void cancel(UUID account, UUID id) {
        try {
            work.command(new CommandRequest(account, QUEUE, id, new Command.Cancel(), false));
        } catch (StoreException e) {
            log.warn("queue job {} could not be cancelled", id, e);
        }
    }
}
