package io.orchestrion.jobs;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/// A process to be killed: clients and runners that say on stdout what was accepted and what was
/// finished, once the call has returned, which is after its commit.
public final class CrashingJobs {
    private static final int THREADS = 32;

    private CrashingJobs() {}

    public static void main(String[] args) throws InterruptedException {
        var kernel =
                new Kernel(
                        KernelOptions.on(DatabaseOptions.of(args[0], args[1], args[2]))
                                .withPace(Duration.ofMillis(100), Duration.ZERO, false)
                                .withOwners(List.of(Jobs.owner())));
        var jobs = new Jobs(kernel, JobsOptions.DEFAULT, JobsFixture.DEFINITIONS);
        kernel.start();
        UUID account = UUID.fromString(args[3]);
        for (int i = 0; i < THREADS; i++) {
            var random = new Random(i);
            Thread.ofPlatform().start(() -> go(jobs, account, random));
        }
        Thread.currentThread().join();
    }

    private static void go(Jobs jobs, UUID account, Random random) {
        while (true) {
            NewJob draft =
                    NewJob.of(account, io.orchestrion.jobs.catalogue.JobType.EXECUTE)
                            .of("SUCCESS_FAST");
            if (jobs.submit(random.nextInt(10) == 0 ? draft.retriedByItself() : draft)
                    instanceof JobSubmitted.Accepted accepted) {
                say("accepted", accepted.job().id());
                if (random.nextInt(12) == 0
                        && jobs.cancel(account, accepted.job().id()) instanceof JobAck.Done) {
                    say("canceled", accepted.job().id());
                }
            }
            for (Assigned one : jobs.claim("r", 1)) {
                run(jobs, account, random, one);
            }
        }
    }

    private static void run(Jobs jobs, UUID account, Random random, Assigned one) {
        if (random.nextInt(50) == 0) {
            return;
        }
        jobs.start(one);
        UUID id = one.job().id();
        switch (random.nextInt(8)) {
            case 0 -> {
                if (jobs.fail(one, JobsFixture.failure()) instanceof RunnerAck.Applied) {
                    say("failed", id);
                }
                jobs.retry(account, id);
            }
            case 1 -> jobs.timeOut(one);
            default -> {
                if (jobs.complete(one, JobsFixture.output(one)) instanceof RunnerAck.Applied) {
                    say("succeeded", id);
                }
            }
        }
    }

    private static synchronized void say(String what, UUID id) {
        System.out.println(what + " " + id);
        System.out.flush();
    }
}
