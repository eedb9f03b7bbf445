package io.orchestrion.testkit.sample;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Order;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;
import io.orchestrion.testkit.sample.Errand.State;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/// A kernel with errands, one account, and somebody to be called.
final class ErrandFixture implements AutoCloseable {
    static final String ANSWER = "{\"answer\":42}";
    static final Duration REST = Duration.ofSeconds(61);

    final TestKernel test = new TestKernel(ErrandFixture::withErrands);
    final Errands errands = new Errands(test.kernel());
    final UUID account = test.account();
    final HookReceiver receiver = new HookReceiver();

    /// Another node on the same database.
    Kernel anotherNode() {
        return test.anotherNode(ErrandFixture::withErrands);
    }

    private static KernelOptions withErrands(KernelOptions options) {
        return options.withSubjects(Errands.SUBJECTS)
                .withSchema(options.schema().plus(List.of(Errands.SCHEMA)));
    }

    UUID create() {
        return errands.create(
                account, "{\"url\":\"%s\"}".formatted(receiver.url("/call")), "order-7");
    }

    /// What a worker outside gets; empty when there is nothing for it.
    List<WorkItem> claim(int most) {
        var request =
                new ClaimRequest(account, "tasks", Errand.Step.WORK.kind, most, "worker", null);
        return test.kernel().work().claim(request, Duration.ZERO).items().stream()
                .map(WorkView::item)
                .toList();
    }

    WorkItem claim() {
        return claim(1).getFirst();
    }

    Ack complete(WorkItem held) {
        return say(held, new Command.Complete(Fence.of(held.leaseToken()), ANSWER, null));
    }

    Ack fail(WorkItem held, WorkError error) {
        return say(
                held,
                new Command.Fail(
                        Fence.of(held.leaseToken()), null, null, true, Report.of(error), null));
    }

    Ack say(WorkItem held, Command command) {
        return test.kernel()
                .work()
                .command(new Order(account, Profiles.TASKS, held.id(), command, false));
    }

    void advance(Duration by) {
        test.clock().advance(by);
    }

    int sweep(String duty) {
        return test.kernel().sweepOnce(duty);
    }

    /// The time of waits is over, also for those who only look.
    void later(Duration by) {
        advance(by);
        sweep("due-promoter");
    }

    State state(UUID id) {
        return State.valueOf(column(id, "state"));
    }

    Errand.Step step(UUID id) {
        return Errand.Step.valueOf(column(id, "step"));
    }

    private String column(UUID id, String name) {
        return test.database().value("select " + name + " from errand where id = ?", id);
    }

    /// What was told of the errand so far.
    List<SubjectLine> lines(UUID id) {
        return test.kernel().subjects().of(account, id, 0, 100);
    }

    List<String> told(UUID id) {
        return lines(id).stream().map(line -> line.event().event()).toList();
    }

    static void until(String what, BooleanSupplier condition) {
        Until.isTrue(what, Duration.ofSeconds(20), condition);
    }

    /// From its start to where the call is to be made.
    void toTheCall(UUID id) {
        complete(claim());
        later(REST);
        until("it is to be called", () -> step(id) == Errand.Step.CALL);
    }

    /// The server makes its calls until the errand is where it is wanted.
    void callUntil(UUID id, State wanted) {
        until(
                "it is " + wanted,
                () -> {
                    sweep("errand-calls");
                    return state(id) == wanted;
                });
    }

    @Override
    public void close() {
        receiver.close();
        test.close();
    }
}
