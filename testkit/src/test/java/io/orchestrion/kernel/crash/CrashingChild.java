package io.orchestrion.kernel.crash;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Order;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import java.time.Duration;
import java.util.UUID;

/// A process to be killed: 64 writers that hand in, claim, complete and fail, and say so on stdout
/// once the call has returned, which is after its commit.
public final class CrashingChild {
    private static final int WRITERS = 64;

    private final Kernel kernel;
    private final UUID account;

    private CrashingChild(Kernel kernel, UUID account) {
        this.kernel = kernel;
        this.account = account;
    }

    public static void main(String[] args) throws InterruptedException {
        var kernel =
                new Kernel(
                        KernelOptions.on(DatabaseOptions.of(args[0], args[1], args[2]))
                                .withPace(Duration.ofMillis(100), Duration.ZERO, false));
        kernel.start();
        var child = new CrashingChild(kernel, UUID.fromString(args[3]));
        for (int writer = 0; writer < WRITERS; writer++) {
            int number = writer;
            Thread.ofPlatform().start(() -> child.write(number));
        }
        Thread.currentThread().join();
    }

    private void write(int writer) {
        for (int n = 0; ; n++) {
            String tag = "\"" + writer + "-" + n + "\"";
            var created =
                    (Submitted.Created)
                            kernel.work()
                                    .submit(
                                            Submission.of(
                                                    NewWork.of(
                                                            account,
                                                            Profiles.TASKS,
                                                            "crash",
                                                            tag)));
            say("created", created.view().item(), tag);
            for (WorkView view :
                    kernel.work()
                            .claim(
                                    new ClaimRequest(account, "tasks", "crash", 1, "w", null),
                                    Duration.ZERO)
                            .items()) {
                finish(view.item(), tag, (writer + n) % 3 == 0);
            }
        }
    }

    private void finish(WorkItem item, String tag, boolean fails) {
        Fence fence = Fence.of(item.lease().token());
        Command command =
                fails
                        ? new Command.Fail(fence, "on purpose", null, true)
                        : new Command.Complete(fence, tag, null);
        kernel.work().command(new Order(account, Profiles.TASKS, item.id(), command, false));
        say(fails ? "failed" : "completed", item, tag);
    }

    private static synchronized void say(String what, WorkItem item, String tag) {
        System.out.println(what + " " + item.id() + " " + item.lease().number() + " " + tag);
        System.out.flush();
    }
}
