package io.orchestrion.kernel.work;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.joblog.JobEvent;
import io.orchestrion.kernel.joblog.JobEventPage;
import io.orchestrion.kernel.joblog.JobLevel;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// A kernel with one account, and short words for what workers of the queue do.
public final class QueueFixture implements AutoCloseable {
    public static final Profile QUEUE = Profiles.QUEUE;

    public final WorkFixture fixture;
    public final UUID account;

    public QueueFixture() {
        this(options -> options);
    }

    public QueueFixture(UnaryOperator<KernelOptions> with) {
        this(new WorkFixture(with));
    }

    private QueueFixture(WorkFixture fixture) {
        this.fixture = fixture;
        account = fixture.account;
    }

    /// Another account on the same kernel, which is closed with this one.
    public QueueFixture another() {
        return new QueueFixture(fixture.another());
    }

    public Work work() {
        return fixture.work();
    }

    public Kernel kernel() {
        return fixture.kernel();
    }

    public NewWork draft(String kind, String repository, List<String> capabilities) {
        return NewWork.of(account, QUEUE, kind, "{\"n\": 1}")
                .asking(new Requirements(repository, capabilities));
    }

    public NewWork draft(String kind, int priority, int maxAttempts, Long runAtMs) {
        return NewWork.of(account, QUEUE, kind, "{}")
                .prioritised(priority)
                .notBefore(runAtMs)
                .tryingAtMost(maxAttempts);
    }

    public UUID submit(String kind) {
        return submit(kind, null, List.of());
    }

    public UUID submit(String kind, String repository, List<String> capabilities) {
        return fixture.submit(draft(kind, repository, capabilities));
    }

    public List<WorkItem> claim(Policy policy, String worker, int count) {
        return claim(kernel(), policy, worker, count);
    }

    public List<WorkItem> claim(Kernel node, Policy policy, String worker, int count) {
        return node
                .work()
                .claimWithPolicy(account, new PolicyClaim(policy, worker, 120, count))
                .items()
                .stream()
                .map(WorkView::item)
                .toList();
    }

    /// The next item of any kind.
    public WorkItem claimAny(String worker) {
        return claim(Policy.ANYTHING, worker, 1).getFirst();
    }

    /// An item that the worker holds now.
    public UUID held(String worker) {
        UUID id = submit("build");
        claimAny(worker);
        return id;
    }

    public Ack say(UUID id, Command command) {
        return fixture.command(QUEUE, id, command);
    }

    public WorkItem apply(UUID id, Command command) {
        return fixture.apply(QUEUE, id, command);
    }

    public Refusal refused(UUID id, Command command) {
        return fixture.refused(QUEUE, id, command);
    }

    public WorkItem item(UUID id) {
        return fixture.item(QUEUE, id);
    }

    public static Fence by(String worker) {
        return Fence.ofHolder(worker, null);
    }

    public static Command fail(String worker, boolean retryable) {
        return new Command.Fail(by(worker), "no luck", null, retryable);
    }

    public static Command complete(String worker) {
        return new Command.Complete(by(worker), "\"done\"", null);
    }

    public void advance(Duration by) {
        fixture.advance(by);
    }

    public Appended append(UUID id, String worker, String message) {
        return append(kernel(), id, worker, message);
    }

    public Appended append(Kernel node, UUID id, String worker, String message) {
        return node.work()
                .append(new LogLine(account, QUEUE, id, by(worker), JobLevel.INFO, message, null));
    }

    public JobEventPage log(UUID id, long after, int limit) {
        return Objects.requireNonNull(
                kernel().jobEvents().read(account, QUEUE.queue(), id, after, limit));
    }

    /// All lines: what happened as its word, what was said as it was said.
    public List<String> lines(UUID id) {
        return log(id, -1, 1000).events().stream().map(QueueFixture::word).toList();
    }

    private static String word(JobEvent event) {
        return event.happened() == null ? event.message() : event.happened().event();
    }

    @Override
    public void close() {
        fixture.close();
    }
}
