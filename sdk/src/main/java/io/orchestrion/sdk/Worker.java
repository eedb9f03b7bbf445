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

/// Claims work and runs a handler for each piece of it, so many at a time: tasks of a type, or jobs
/// of the queue.
///
/// ```java
/// try (var worker = Worker.builder(client)
///         .type("hello")
///         .concurrency(8)
///         .handler(task -> greet(task.payloadJson().path("name").asString()))
///         .start()) {
///     ...
/// }
/// ```
///
/// A handler has a virtual thread of its own. While it runs, heartbeats keep the lease, with the
/// lease's token; when the server says that the lease is gone, or no heartbeat was answered for two
/// thirds of it, the handler is interrupted and nothing is reported. What the handler returns
/// completes the work; what it throws fails it, with the message as the reason. A server that
/// restarts meanwhile is asked again until the lease has run out. When there is nothing to do, the
/// worker asks again after the wait that the server names.
///
/// A job of the queue that somebody cancels has its handler interrupted, too; the job is cancelled
/// once the handler has ended. A step of an orchestration or a run that is cancelled has no lease
/// any more: its handler is interrupted, and the step is over. What the handler then still returns,
/// or throws as a [TaskFailure], changes nothing; the server keeps it in the step's history.
///
/// A handler of tasks that takes a [TaskContext] sees when it is asked to pause, and can report
/// what it used up. One that throws a [TaskFailure] says why in a form that programs can go by.
public final class Worker implements AutoCloseable {
    private final WorkLoop<?> loop;

    Worker(WorkLoop<?> loop) {
        this.loop = loop;
        loop.start();
    }

    /// A worker on tasks.
    public static Builder builder(OrchestrionClient client) {
        return new Builder(client);
    }

    /// A worker on jobs of the queue.
    public static QueueBuilder ofQueue(OrchestrionClient client) {
        return new QueueBuilder(client);
    }

    /// Collects what a worker on tasks is made of.
    public static final class Builder extends WorkerBuilder<Task, Builder> {
        private final OrchestrionClient client;
        private List<String> types = List.of();
        private @Nullable ContextHandler handler;
        private int next;

        /// The worker is at its end, and its server may be as well.
        private static final Duration LAST_LOOK = Duration.ofSeconds(2);

        private Builder(OrchestrionClient client) {
            this.client = client;
        }

        @Override
        Builder self() {
            return this;
        }

        /// Which tasks to claim.
        public Builder type(String type) {
            return types(List.of(type));
        }

        /// Which tasks to claim, of each type in turn.
        public Builder types(Collection<String> types) {
            this.types = List.copyOf(types);
            return this;
        }

        /// What is done with a task that needs to know nothing but the task.
        public Builder handler(TaskHandler handler) {
            return handler((task, _) -> handler.handle(task));
        }

        /// What is done with a task that may be asked to pause, or has more to say than a result.
        public Builder handler(ContextHandler handler) {
            this.handler = handler;
            return this;
        }

        @Override
        WorkLoop.Source<Task> source() {
            if (types.isEmpty()) {
                throw new IllegalArgumentException("a worker on tasks needs a type");
            }
            ContextHandler chosen = Objects.requireNonNull(handler, "a worker needs a handler");
            return () -> asked(chosen);
        }

        /// The wait is shared among the types, and at the end of a round without any find nothing
        /// of it is left.
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

        /// A wait that is hung up on may have been given a task in that moment, which the same
        /// claim finds when it asks again.
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

    /// Collects what a worker on jobs of the queue is made of.
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

        /// Only these; unless set, every type that the credential allows.
        public QueueBuilder types(Set<String> types) {
            this.types = Set.copyOf(types);
            return this;
        }

        /// What this worker can do; unless set, what its token says.
        public QueueBuilder capabilities(Set<String> capabilities) {
            this.capabilities = Set.copyOf(capabilities);
            return this;
        }

        /// How long a job stays ours without a heartbeat: 1 second to an hour, two minutes unless
        /// set.
        public QueueBuilder lease(Duration lease) {
            if (lease.toSeconds() < 1 || lease.toSeconds() > 3600) {
                throw new IllegalArgumentException("a lease is 1 to 3600 seconds");
            }
            this.lease = Duration.ofSeconds(lease.toSeconds());
            return this;
        }

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

    /// Waits until the worker has come to an end: closed from elsewhere, or done with the one piece
    /// of work that it was to do.
    public void await() throws InterruptedException {
        loop.await();
    }

    /// Claims no more, hangs up on a claim that waits for work, and waits until what runs
    /// has ended. A caller who is interrupted in this waiting stops the handlers as [#stop] does.
    @Override
    public void close() {
        loop.end(false);
    }

    /// As [#close], but interrupts the handlers; work whose handler then throws is failed, so
    /// that it comes back without waiting for its lease to run out.
    public void stop() {
        loop.end(true);
    }
}
