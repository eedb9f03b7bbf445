package io.orchestrion.simulator.play;

import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobAnswer;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobState;
import io.orchestrion.sdk.JobSubmission;
import io.orchestrion.sdk.Jobs;
import io.orchestrion.sdk.MonotonicClock;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.RetryPolicy;
import io.orchestrion.sdk.SubmittedJob;

import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/// One client of the simulation, with a key of its own. It is patient: a server that is being
/// restarted is waited for.
final class Actor implements AutoCloseable {
    private static final int CONFLICT = 409;
    private static final int TRIES = 200;
    private static final Duration AGAIN = Duration.ofMillis(500);

    final int number;
    final OrchestrionClient client;

    Actor(int number, URI server, String key) {
        this.number = number;
        client = OrchestrionClient.builder(server).key(key).retries(patience()).build();
    }

    /// For several minutes of downtime, never more than two seconds apart.
    static RetryPolicy patience() {
        return new RetryPolicy(
                TRIES,
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                MonotonicClock.SYSTEM,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    Jobs jobs() {
        return client.jobs();
    }

    /// A server that is full, or that has had enough of this client, names a time to come back.
    SubmittedJob submit(JobSubmission submission) throws InterruptedException {
        for (int tries = 0; ; tries++) {
            try {
                return jobs().submit(submission);
            } catch (OrchestrionException e) {
                boolean later = e.status() == 429 || e.status() == 503;
                if (!later || tries == TRIES) {
                    throw e;
                }
                Thread.sleep(Duration.ofSeconds(e.retryAfterSeconds().orElse(1)));
            }
        }
    }

    /// A retry is sent once; when its answer is lost, the job's attempt tells whether it counted.
    /// Of two at once, the second may find the attempt that the first began at its end already.
    JobAnswer retry(UUID id, int attempt) throws InterruptedException {
        for (int tries = 0; ; tries++) {
            try {
                return jobs().retry(id);
            } catch (OrchestrionException e) {
                boolean again = e.retryable() && tries < TRIES;
                if (!again && e.status() != CONFLICT) {
                    throw e;
                }
                if (again) {
                    Thread.sleep(AGAIN);
                }
                Job now = jobs().get(id);
                if (now.attempt() > attempt) {
                    return new JobAnswer(id, now.state(), now.updatedAt(), now.attempt());
                }
                if (!again) {
                    throw e;
                }
            }
        }
    }

    /// Looks until the job is in one of these states or has ended.
    Job awaitState(UUID id, JobState state, Duration every, Duration within)
            throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        Job job = jobs().get(id);
        while (job.state() != state && !job.state().ended() && System.nanoTime() < end) {
            Thread.sleep(every);
            job = jobs().get(id);
        }
        return job;
    }

    JobReport report(UUID id) {
        return jobs().report(id);
    }

    @Override
    public void close() {
        client.close();
    }
}
