package io.orchestrion.simulator.play;

import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobAnswer;
import io.orchestrion.sdk.JobState;
import io.orchestrion.sdk.JobSubmission;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.SubmittedJob;
import io.orchestrion.sdk.WorkKind;
import io.orchestrion.simulator.play.Plan.Scene;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// One scene, played: everything that a client does and sees, from the submit to the report.
final class Performance {
    private static final String INVALID = "400 RFA_JOB_VALIDATION_FAILED";
    private static final String FORBIDDEN = "403 RFA_AUTH_FORBIDDEN";
    private static final Duration CLOSE_LOOK = Duration.ofMillis(5);
    private static final Duration OFTEN = Duration.ofMillis(50);

    private final Stage stage;
    private final Scene scene;
    private final String scenario;
    private final Actor actor;
    private final Random random;

    Performance(Stage stage, Scene scene) {
        this.stage = stage;
        this.scene = scene;
        scenario = scene.scenario().word();
        actor = stage.actors.get(scene.client());
        random = new Random(scene.seed());
    }

    void play() throws Exception {
        switch (scene.scenario()) {
            case KINDS -> kind(scene.kinds().getFirst());
            case BURSTS -> burst();
            case CANCELS -> cancelled(scene.kinds().getFirst());
            case RETRIES -> retried(scene.kinds().getFirst());
            case DUPLICATES -> duplicated(scene.kinds().getFirst());
            case WEBHOOKS -> listened(scene.kinds().getFirst());
            case SCHEDULES -> scheduled(scene.kinds().getFirst());
            case RANDOM -> follow(submit(JobSubmission.execute(), null));
        }
    }

    private Tale submit(JobSubmission submission, @Nullable String receiver)
            throws InterruptedException {
        SubmittedJob submitted = actor.submit(submission);
        var tale = new Tale(scenario, scene.client(), submission, submitted, receiver);
        stage.begun(tale);
        return tale;
    }

    private JobSubmission instant(String kind) {
        boolean emits = random.nextInt(20) == 0;
        return (emits ? JobSubmission.emitEvent() : JobSubmission.execute()).withWorkKind(kind);
    }

    /// As the catalogue means it.
    private void kind(String name) throws Exception {
        WorkKind kind = stage.kind(name);
        switch (kind == null ? "NOTHING" : kind.needs()) {
            case "CANCEL" -> cancelled(name);
            case "DUPLICATE" -> duplicated(name);
            case "RECEIVER" -> calledBack(name);
            case "SCHEDULE" -> scheduled(name);
            case "INVALID" -> invalid(name);
            default -> plain(name);
        }
    }

    private void plain(String kind) throws Exception {
        Tale tale = submit(instant(kind), null);
        if (random.nextInt(10) == 0) {
            stranger(tale);
        }
        follow(tale);
        Job end = tale.end();
        if (end != null && random.nextInt(20) == 0) {
            actor.jobs().delete(tale.id());
            tale.deleted();
            stage.refused(
                    scenario,
                    tale.id(),
                    "get of a deleted job",
                    "404 RFA_JOB_NOT_FOUND",
                    () -> actor.jobs().get(tale.id()));
        }
    }

    /// Somebody else asks for the job.
    private void stranger(Tale tale) throws InterruptedException {
        int other = (scene.client() + 1) % stage.actors.size();
        Actor stranger = stage.actors.get(other);
        refusedTo("get", tale, () -> stranger.jobs().get(tale.id()));
        refusedTo("report", tale, () -> stranger.jobs().report(tale.id()));
        refusedTo("cancel", tale, () -> stranger.jobs().cancel(tale.id()));
        refusedTo("retry", tale, () -> stranger.jobs().retry(tale.id()));
    }

    private void refusedTo(String verb, Tale tale, Runnable deed) throws InterruptedException {
        stage.refused(scenario, tale.id(), verb + " of another client's job", FORBIDDEN, deed);
    }

    private void invalid(String kind) throws InterruptedException {
        Instant past = stage.time.instant().minus(Duration.ofHours(1));
        JobSubmission wrong =
                switch (random.nextInt(4)) {
                    case 0 -> JobSubmission.execute().withWorkKind("NO_SUCH_KIND");
                    case 1 -> JobSubmission.deferred(past).withWorkKind("SCHEDULED_ON_TIME");
                    case 2 -> JobSubmission.execute().withCallback(URI.create("ftp://host/file"));
                    default -> JobSubmission.execute().withWorkKind(kind);
                };
        stage.refused(
                scenario, null, "submit of " + wrong, INVALID, () -> actor.jobs().submit(wrong));
    }

    private void burst() throws Exception {
        var lives = new ArrayList<Callable<Void>>();
        for (String kind : scene.kinds()) {
            lives.add(
                    () -> {
                        follow(submit(JobSubmission.execute().withWorkKind(kind), null));
                        return null;
                    });
        }
        atOnce(lives);
    }

    private static <T> List<T> atOnce(List<Callable<T>> deeds)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (Future<T> each : threads.invokeAll(deeds)) {
                results.add(each.get());
            }
            return results;
        }
    }

    private void cancelled(String kind) throws Exception {
        boolean waits = kind.startsWith("SCHEDULED");
        JobSubmission job =
                waits
                        ? JobSubmission.deferred(stage.time.instant().plusSeconds(600))
                        : JobSubmission.execute();
        Tale tale = submit(job.withWorkKind(kind), null);
        switch (kind) {
            case "CANCEL_BEFORE_START", "SCHEDULED_FAR_FUTURE" -> {}
            case "CANCEL_DURING_RUN" ->
                    actor.awaitState(tale.id(), JobState.RUNNING, CLOSE_LOOK, Stage.PATIENCE);
            default -> Thread.sleep(Duration.ofMillis(random.nextInt(400)));
        }
        tale.acted("cancel", actor.jobs().cancel(tale.id()));
        tale.acted("cancel", actor.jobs().cancel(tale.id()));
        follow(tale);
    }

    private void retried(String kind) throws Exception {
        boolean automatic = random.nextInt(3) == 0;
        JobSubmission job = JobSubmission.execute().withWorkKind(kind);
        Tale tale = submit(automatic ? job.withAutoRetry() : job, null);
        follow(tale);
        Job end = tale.end();
        if (end != null && end.state() == JobState.SUCCEEDED) {
            // Nothing to retry, and nothing happens.
            tale.acted("retry", actor.retry(tale.id(), end.attempt()));
        }
    }

    private void duplicated(String kind) throws Exception {
        JobSubmission job = JobSubmission.execute().withWorkKind(kind);
        if (kind.equals("DUPLICATE_SUBMIT_DIFFERENT_KEY")) {
            Tale one = submit(job, null);
            Tale other = submit(JobSubmission.execute().withWorkKind(kind), null);
            follow(one);
            follow(other);
            return;
        }
        List<SubmittedJob> answers =
                atOnce(
                        List.of(
                                () -> actor.submit(job),
                                () -> actor.submit(job),
                                () -> actor.submit(job)));
        // The server chooses which of them makes the job, and tells the others how it stands by
        // then: the answer that is least far is of the one that made it.
        SubmittedJob made =
                answers.stream().min(Comparator.comparing(SubmittedJob::state)).orElseThrow();
        var tale = new Tale(scenario, scene.client(), job, made, null);
        stage.begun(tale);
        answers.forEach(each -> tale.answered(each.id()));
        follow(tale);
        tale.answered(actor.submit(job).id());
        stage.refused(
                scenario,
                tale.id(),
                "another submit with its key",
                "409 RFA_EXEC_IDEMPOTENCY_CONFLICT",
                () -> actor.jobs().submit(job.withPayload("{\"other\":true}")));
    }

    private void scheduled(String kind) throws Exception {
        long ahead =
                kind.equals("SCHEDULED_FAR_FUTURE")
                        ? 6_000 + random.nextInt(4_000)
                        : 1_000 + random.nextInt(3_000);
        Tale tale = deferred(kind, ahead);
        if (kind.equals("SCHEDULED_FAR_FUTURE")) {
            stage.refused(
                    scenario,
                    tale.id(),
                    "the report of a job that waits",
                    "404 RFA_REPORT_NOT_FOUND",
                    () -> actor.report(tale.id()));
        }
        follow(tale);
    }

    private Tale deferred(String kind, long aheadMillis) throws InterruptedException {
        while (true) {
            Instant due = Instant.ofEpochMilli(stage.time.instant().toEpochMilli() + aheadMillis);
            try {
                return submit(JobSubmission.deferred(due).withWorkKind(kind), null);
            } catch (OrchestrionException e) {
                if (stage.time.instant().isBefore(due)) {
                    throw e;
                }
                // The server was away until its time had passed, and refuses it rightly.
            }
        }
    }

    private void calledBack(String kind) throws Exception {
        String name = "callback-" + Long.toHexString(scene.seed());
        URI to = stage.receivers.add(name, scene.client(), Behaviour.of(kind), null);
        follow(submit(JobSubmission.execute().withWorkKind(kind).withCallback(to), name));
    }

    private void listened(String kind) throws Exception {
        if (kind.startsWith("CANCEL")) {
            cancelled(kind);
        } else {
            follow(submit(instant(kind), null));
        }
    }

    /// Looks at the job until it is over, retries it where that is the point of its kind or where
    /// it lost its runner to a kill, and reads the report of each end.
    void follow(Tale tale) throws InterruptedException {
        long patient = System.nanoTime() + Stage.PATIENCE.toNanos();
        while (true) {
            Optional<Job> found = actor.jobs().await(tale.id(), Stage.PATIENCE);
            if (found.isEmpty()) {
                return;
            }
            Job job = found.get();
            boolean failed = job.state() == JobState.FAILED;
            boolean comesBack = tale.submission.autoRetry() && job.attempt() <= stage.maxRetries;
            if (failed && comesBack && System.nanoTime() < patient) {
                // The server puts it back by itself.
                Thread.sleep(OFTEN);
                continue;
            }
            tale.read(actor.report(tale.id()));
            if (failed && worthARetry(tale, job)) {
                retry(tale, job);
                continue;
            }
            if (failed && job.attempt() > stage.maxRetries) {
                stage.refused(
                        scenario,
                        tale.id(),
                        "a retry beyond the limit",
                        "409 RFA_JOB_CONFLICT",
                        () -> actor.jobs().retry(tale.id()));
            }
            tale.read(actor.report(tale.id()));
            tale.ended(actor.jobs().get(tale.id()));
            stage.progress.ended();
            return;
        }
    }

    /// Now and then from two places at once.
    private void retry(Tale tale, Job job) throws InterruptedException {
        try {
            if (random.nextInt(4) > 0) {
                tale.acted("retry", actor.retry(tale.id(), job.attempt()));
                return;
            }
            Callable<JobAnswer> again = () -> actor.retry(tale.id(), job.attempt());
            // The later of them may have found the attempt that the other began at its end already.
            atOnce(List.of(again, again)).stream()
                    .sorted(Comparator.comparing(JobAnswer::attempt))
                    .forEach(answer -> tale.acted("retry", answer));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof OrchestrionException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        }
    }

    private boolean worthARetry(Tale tale, Job job) {
        if (job.attempt() > stage.maxRetries || job.definition() == null) {
            return false;
        }
        return switch (job.definition().workKind()) {
            case "RETRY_ON_FAIL", "RETRY_LIMIT_REACHED" -> tale.submission.workKind() != null;
            case "FAIL_AFTER_RETRYABLE" -> job.attempt() == 1;
            default ->
                    !job.definition().shouldFail() && stage.killedSince(tale.submitted.createdAt());
        };
    }
}
