package io.orchestrion.kernel.work;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestKernel;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// A kernel with one account, and short words for what tests do with work.
public final class WorkFixture implements AutoCloseable {
    public static final String KIND = "build";

    public final TestKernel test;
    public final UUID account;

    public WorkFixture() {
        this(options -> options);
    }

    public WorkFixture(UnaryOperator<KernelOptions> with) {
        this(new TestKernel(with));
    }

    private WorkFixture(TestKernel test) {
        this.test = test;
        account = test.account();
    }

    /// Another account on the same kernel, which is closed with this one.
    public WorkFixture another() {
        return new WorkFixture(test);
    }

    public Kernel kernel() {
        return test.kernel();
    }

    public Work work() {
        return test.kernel().work();
    }

    public TestDatabase database() {
        return test.database();
    }

    public void advance(Duration by) {
        test.clock().advance(by);
    }

    public NewWork draft(Profile profile) {
        return NewWork.of(account, profile, KIND, "{\"n\": 1}");
    }

    public NewWork draft(Profile profile, Long runAtMs, Long timeoutMs, OwnerRef owner) {
        return draft(profile).notBefore(runAtMs).runningAtMost(timeoutMs).ownedBy(owner);
    }

    public UUID submit(Profile profile) {
        return submit(draft(profile));
    }

    public UUID submit(NewWork draft) {
        return ((Submitted.Created) work().submit(Submission.of(draft))).view().item().id();
    }

    public Submission keyed(Profile profile, String key) {
        return new Submission(
                draft(profile),
                new IdempotencyKey(
                        profile.name(),
                        account,
                        "create",
                        key,
                        key.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        Duration.ofDays(7),
                        Duration.ofSeconds(90)),
                view -> new StoredAnswer(201, view.item().id().toString()));
    }

    public ClaimRequest wish(Profile profile, int count) {
        return new ClaimRequest(account, profile.queue(), KIND, count, "w1", null);
    }

    public List<WorkView> claim(Profile profile, int count) {
        return work().claim(wish(profile, count), Duration.ZERO).items();
    }

    public WorkItem claim(Profile profile) {
        return claim(profile, 1).getFirst().item();
    }

    public Order order(Profile profile, UUID id, Command command) {
        return new Order(account, profile, id, command, false);
    }

    public Ack command(Profile profile, UUID id, Command command) {
        return work().command(order(profile, id, command));
    }

    public WorkItem apply(Profile profile, UUID id, Command command) {
        return ((Ack.Applied) command(profile, id, command)).item();
    }

    public Refusal refused(Profile profile, UUID id, Command command) {
        return ((Ack.Refused) command(profile, id, command)).refusal();
    }

    public WorkView view(Profile profile, UUID id) {
        return work().get(account, profile, id);
    }

    public WorkItem item(Profile profile, UUID id) {
        return view(profile, id).item();
    }

    public List<WorkEvent> events(UUID id) {
        return work().history(account, id).stream().map(HistoryEntry::event).toList();
    }

    public int sweep(String duty) {
        return kernel().sweepOnce(duty);
    }

    @Override
    public void close() {
        test.close();
    }
}
