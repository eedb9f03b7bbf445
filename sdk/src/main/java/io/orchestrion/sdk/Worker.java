package io.orchestrion.sdk;

import io.orchestrion.sdk.WorkLoop.Asked;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Claims work and runs a handler for each piece of it, up to `concurrency` at a time. The work is
/// tasks of a type, or jobs of the queue.
///
/// ```java
/// try (var worker = Worker.builder(client)
///         .type("hello")
///         .concurrency(8)
///         .handler(task -> "{\"type\":\"" + task.type() + "\"}")
///         .start()) {
///     worker.await();
/// }
/// ```
///
/// Each handler runs on its own virtual thread. While it runs, the worker sends heartbeats with the
/// lease token. When the server says that the lease is lost, or no heartbeat was answered for two
/// thirds of the lease, the worker interrupts the handler and reports nothing. When the handler
/// returns, the worker completes the work; when it throws, the worker fails the work with the
/// message as the reason. If the server restarts meanwhile, the worker repeats the report until the
/// lease has run out. When there is nothing to claim, the worker asks again after the wait that the
/// server names.
///
/// When somebody cancels a job of the queue, its handler is interrupted, and the job is cancelled
/// once the handler has ended. A cancelled step of an orchestration or a run loses its lease: its
/// handler is interrupted, and the step is over. If the handler then returns or throws a
/// [TaskFailure], this changes nothing; the server keeps it in the step's history.
///
/// A handler of tasks that takes a [TaskContext] sees when it is asked to pause, and can report
/// what it used. A handler that throws a [TaskFailure] reports an error that programs understand.
public final class Worker implements AutoCloseable {
    private final WorkLoop<?> loop;

    Worker(WorkLoop<?> loop) {
        this.loop = loop;
        loop.start();
    }

    /// Starts a worker on tasks.
    public static Builder builder(OrchestrionClient client) {
        return new Builder(client);
    }

    /// Starts a worker on jobs of the queue.
    ///
    /// ```java
    /// Worker worker = Worker.ofQueue(client)
    ///         .workerId("executor-01")
    ///         .types(Set.of("codex_exec"))
    ///         .handler(run -> "done with " + run.job().id())
    ///         .start();
    /// ```
    public static QueueBuilder ofQueue(OrchestrionClient client) {
        return new QueueBuilder(client);
    }

    /// Builds a worker on tasks; see [Worker].
    public static final class Builder extends WorkerBuilder<Task, Builder> {
        private final OrchestrionClient client;
        private List<String> types = List.of();
        private @Nullable ContextHandler handler;
        private int next;

        /// The time limit of the last claim of a worker that is closing; its server may be stopping
        /// too.
        private static final Duration LAST_LOOK = Duration.ofSeconds(2);

        private Builder(OrchestrionClient client) {
            this.client = client;
        }

        @Override
        Builder self() {
            return this;
        }

        /// The type of tasks to claim.
        public Builder type(String type) {
            return types(List.of(type));
        }

        /// The types of tasks to claim, in turn.
        public Builder types(Collection<String> types) {
            this.types = List.copyOf(types);
            return this;
        }

        /// The handler, if it needs only the task.
        public Builder handler(TaskHandler handler) {
            return handler((task, _) -> handler.handle(task));
        }

        /// The handler, if it has to notice a request to pause or reports more than a result.
        public Builder handler(ContextHandler handler) {
            this.handler = handler;
            return this;
        }

        /// The handler of steps of orchestrations. It fails a task that is no step.
        public Builder steps(StepHandler handler) {
            return handler((task, run) -> handler.handle(StepAttempt.claimed(task), run));
        }

        /// The handler of steps of runs. It fails a task that is no step of a run.
        public Builder runSteps(RunStepHandler handler) {
            return handler(
                    (task, run) -> {
                        ClaimedStep step = ClaimedStep.claimed(task);
                        return handler.handle(step, new StepContext(run, client.runs(), step));
                    });
        }

        @Override
        WorkLoop.Source<Task> source() {
            if (types.isEmpty()) {
                throw new IllegalArgumentException("a worker on tasks needs a type");
            }
            ContextHandler chosen = Objects.requireNonNull(handler, "a worker needs a handler");
            return () -> asked(chosen);
        }

        /// Claims each type in turn. The types share the long poll, so a round without work takes
        /// no longer than one long poll.
        private Asked<Task> asked(ContextHandler handler) {
            Duration each = pollWait().dividedBy(types.size());
            Duration pause = Duration.ZERO;
            for (int i = 0; i < types.size(); i++) {
                String type = types.get(next++ % types.size());
                long sent = clock().nanos();
                switch (claimed(type, each)) {
                    case ClaimedTask claimed -> {
                        return new Asked.Got<>(new HeldTask(client, handler, claimed));
                    }
                    case NothingToClaim(var askAgainAfter) ->
                            pause =
                                    pollWait().isZero()
                                            ? askAgainAfter
                                            : pause.plus(leftOf(each, sent));
                }
            }
            return new Asked.Nothing<>(pause);
        }

        /// Claims with an id. If the wait is interrupted, the server may have given it a task at
        /// that moment; the same id asks for that task again.
        private Claim claimed(String type, Duration wait) {
            UUID claimId = UUID.randomUUID();
            try {
                return client.claim(type, workerId(), wait, claimId);
            } catch (OrchestrionException e) {
                if (!e.is(OrchestrionException.INTERRUPTED)) {
                    throw e;
                }
                Thread.interrupted();
                return again(type, claimId, e)
                        .filter(ClaimedTask.class::isInstance)
                        .orElseThrow(() -> e);
            }
        }

        private Optional<Claim> again(String type, UUID claimId, OrchestrionException before) {
            try {
                return Optional.of(client.claimAgain(type, workerId(), claimId, LAST_LOOK));
            } catch (OrchestrionException e) {
                before.addSuppressed(e);
                return Optional.empty();
            }
        }
    }

    /// Builds a worker on jobs of the queue; see [Worker#ofQueue].
    public static final class QueueBuilder extends WorkerBuilder<QueueJob, QueueBuilder> {
        private final OrchestrionClient client;
        private @Nullable Set<String> types;
        private @Nullable Set<String> capabilities;
        private Duration lease = Duration.ofSeconds(120);
        private @Nullable JobHandler handler;

        private QueueBuilder(OrchestrionClient client) {
            this.client = client;
        }

        @Override
        QueueBuilder self() {
            return this;
        }

        /// Claims only these types; unless set, all that the credential allows.
        public QueueBuilder types(Set<String> types) {
            this.types = Set.copyOf(types);
            return this;
        }

        /// What this worker can do; unless set, the capabilities of its token.
        public QueueBuilder capabilities(Set<String> capabilities) {
            this.capabilities = Set.copyOf(capabilities);
            return this;
        }

        /// How long a claim lasts without a heartbeat: 1 second to an hour, two minutes unless set.
        public QueueBuilder lease(Duration lease) {
            if (lease.toSeconds() < 1 || lease.toSeconds() > 3600) {
                throw new IllegalArgumentException("a lease is 1 to 3600 seconds");
            }
            this.lease = Duration.ofSeconds(lease.toSeconds());
            return this;
        }

        /// The handler of each job.
        public QueueBuilder handler(JobHandler handler) {
            this.handler = handler;
            return this;
        }

        @Override
        WorkLoop.Source<QueueJob> source() {
            JobHandler chosen = Objects.requireNonNull(handler, "a worker needs a handler");
            String worker = Objects.requireNonNull(workerId(), "a worker on jobs needs a name");
            var claim = new JobClaim(worker, lease, types, capabilities, pollWait());
            return () -> {
                long sent = clock().nanos();
                return client.queue()
                        .claim(claim)
                        .<Asked<QueueJob>>map(
                                job -> new Asked.Got<>(new HeldJob(client.queue(), chosen, job)))
                        .orElseGet(
                                () ->
                                        new Asked.Nothing<>(
                                                leftOf(
                                                        pollWait().isZero()
                                                                ? JobClaim.IDLE_WAIT
                                                                : pollWait(),
                                                        sent)));
            };
        }
    }

    /// How many handlers run now.
    public int running() {
        return loop.running();
    }

    /// Waits until the worker has ended: closed by another thread, or done with its one piece of
    /// work after [WorkerBuilder#once].
    public void await() throws InterruptedException {
        loop.await();
    }

    /// Claims no more, interrupts a claim that waits for work, and waits until all handlers have
    /// ended. If the caller is interrupted while it waits, the handlers are stopped as by [#stop].
    @Override
    public void close() {
        loop.end(false);
    }

    /// As [#close], but interrupts the handlers. Work whose handler then throws is failed, so that
    /// it can be claimed again without waiting for its lease to run out.
    public void stop() {
        loop.end(true);
    }
}
