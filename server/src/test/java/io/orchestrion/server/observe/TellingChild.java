package io.orchestrion.server.observe;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.events.SubjectEvent;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A process to be killed: an engine that tells of its subjects and a reader of the totals, both
/// as fast as they can. It says on stdout what was told, once the call has returned.
public final class TellingChild {
    private static final int THREADS = 8;

    private TellingChild() {}

    public static void main(String[] args) throws InterruptedException {
        var kernel =
                new Kernel(
                        KernelOptions.on(DatabaseOptions.of(args[0], args[1], args[2]))
                                .withPace(Duration.ofMillis(100), Duration.ZERO, false)
                                .withSubjects(SubjectMetricsTest.KINDS));
        kernel.start();
        UUID account = UUID.fromString(args[3]);
        for (int i = 0; i < THREADS; i++) {
            boolean counts = i == 0;
            Thread.ofPlatform().start(() -> go(kernel, account, counts));
        }
        Thread.currentThread().join();
    }

    private static void go(Kernel kernel, UUID account, boolean counts) {
        while (true) {
            if (counts) {
                kernel.totals().read(Duration.ofSeconds(1));
            }
            UUID execution = UUID.randomUUID();
            tell(
                    kernel,
                    account,
                    SubjectEvent.of("execution", execution, 1, "started", null, "running"));
            tell(
                    kernel,
                    account,
                    SubjectEvent.of("execution", execution, 2, "ended", "running", "done")
                            .after(70));
        }
    }

    private static void tell(Kernel kernel, UUID account, SubjectEvent event) {
        kernel.database()
                .transaction(
                        tx -> {
                            kernel.subjects().append(tx, account, List.of(event));
                            return event;
                        });
        synchronized (TellingChild.class) {
            System.out.println(event.event());
            System.out.flush();
        }
    }
}
