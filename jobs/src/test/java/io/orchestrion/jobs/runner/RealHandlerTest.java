package io.orchestrion.jobs.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.handler.JobContext;
import io.orchestrion.jobs.handler.JobFailedException;
import io.orchestrion.jobs.handler.JobHandler;
import io.orchestrion.jobs.handler.Produced;
import io.orchestrion.kernel.pool.LeaseKeeper;
import io.orchestrion.kernel.sweep.SweepLoop;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/// Work that is really done, by Java handlers.
@Timeout(180)
class RealHandlerTest {
    private static final Duration LIMIT = Duration.ofMillis(1500);

    private final RunnerFixture fixture = new RunnerFixture(LIMIT);

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    /// The body of a handler.
    private interface Body {
        @Nullable Produced run(JobContext context) throws Exception;
    }

    private static JobHandler handler(String name, Body body) {
        return new JobHandler() {
            @Override
            public String name() {
                return name;
            }

            @Override
            @SuppressWarnings("NullAway")
            public Produced run(JobContext context) throws Exception {
                return body.run(context);
            }
        };
    }

    private RunnerPool runWith(JobHandler... handlers) {
        // A time scale that would end simulated work at once: real work is not scaled.
        return fixture.run(RunnerFixture.quick("real", 1, 0.0001), handlers);
    }

    private JobFailure failureOf(UUID id) {
        return Objects.requireNonNull(fixture.await(id, JobState.FAILED).failure());
    }

    /// L-026.
    @Test
    void a_job_that_names_a_handler_gets_its_result() {
        var seen = new AtomicReference<JobContext>();
        runWith(
                handler(
                        "double",
                        context -> {
                            seen.set(context);
                            return Produced.json("{\"twice\":84}");
                        }));
        UUID id = fixture.submitFor("double", "{\"number\":42}").id();
        UUID simulated = fixture.submit("FAIL_IMMEDIATE").id();
        fixture.await(id, JobState.SUCCEEDED);
        assertThat(fixture.report(id).result()).isEqualTo("{\"twice\":84}");
        assertThat(fixture.report(id).outputBytes()).isEqualTo(12);
        JobContext context = Objects.requireNonNull(seen.get());
        assertThat(context.payload()).contains("42");
        assertThat(context.jobId()).isEqualTo(id);
        assertThat(context.account()).isEqualTo(fixture.account);
        assertThat(context.attempt()).isEqualTo(1);
        // The catalogue stays as it is.
        assertThat(failureOf(simulated).code()).isEqualTo(JobFailure.SIMULATED);
    }

    /// L-027, J-256, J-257, J-282, J-283, J-381.
    @Test
    void a_handler_sees_its_deadline_and_is_stopped_there() {
        var remaining = new AtomicReference<Duration>();
        var cancelled = new AtomicBoolean();
        RunnerPool pool =
                runWith(
                        handler(
                                "endless",
                                context -> {
                                    remaining.set(context.remaining());
                                    try {
                                        context.pause(Duration.ofHours(1));
                                    } finally {
                                        cancelled.set(context.cancelled());
                                    }
                                    return Produced.nothing();
                                }));
        UUID id = fixture.submitFor("endless", "{}").id();
        assertThat(failureOf(id).code()).isEqualTo(JobFailure.TIMED_OUT);
        Until.isTrue("its place is free", RunnerFixture.SOON, () -> pool.busy() == 0);
        assertThat(remaining.get()).isPositive().isLessThanOrEqualTo(LIMIT);
        assertThat(cancelled).isTrue();
        assertThat(fixture.events(id)).last().isEqualTo("job.timed_out");
        assertThat(fixture.report(id).durationMs()).isGreaterThanOrEqualTo(LIMIT.toMillis() - 100);
    }

    /// L-027, J-104.
    @Test
    void cancellation_interrupts_a_handler_and_whatever_it_still_says_counts_for_nothing() {
        var interrupted = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        RunnerPool pool =
                runWith(
                        handler(
                                "stubborn",
                                context -> {
                                    try {
                                        context.pause(Duration.ofHours(1));
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                    }
                                    awaitWhateverComes(goOn);
                                    return Produced.json("\"done all the same\"");
                                }));
        UUID id = fixture.submitFor("stubborn", "{}").id();
        fixture.await(id, JobState.RUNNING);
        fixture.cancel(id);
        Until.isTrue("it is told", RunnerFixture.SOON, () -> interrupted.getCount() == 0);
        int events = fixture.events(id).size();
        // It has its place for as long as it runs: a runner never has more at work than it may.
        assertThat(pool.busy()).isEqualTo(1);
        goOn.countDown();
        Until.isTrue("its place is free", RunnerFixture.SOON, () -> pool.busy() == 0);
        assertThat(fixture.job(id).state()).isEqualTo(JobState.CANCELED);
        assertThat(fixture.events(id)).hasSize(events).last().isEqualTo("job.canceled");
        assertThat(fixture.report(id).result()).isNull();
    }

    private static void awaitWhateverComes(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                // It does not listen.
            }
        }
    }

    /// L-027: fenced like every worker.
    @Test
    void a_handler_whose_lease_was_given_to_another_is_stopped_and_not_believed() {
        var stopped = new CountDownLatch(1);
        runWith(
                handler(
                        "slow",
                        context -> {
                            if (context.attempt() > 1) {
                                return Produced.json("\"second\"");
                            }
                            try {
                                context.pause(Duration.ofHours(1));
                            } finally {
                                stopped.countDown();
                            }
                            return Produced.json("\"first\"");
                        }));
        UUID id = fixture.submitFor("slow", "{}").id();
        fixture.await(id, JobState.RUNNING);
        fixture.database()
                .execute(
                        "update work set lease_until_ms = lease_until_ms - 60000,"
                                + " lease_check_ms = 0 where id = ?::uuid",
                        id.toString());
        fixture.test.kernel().sweepOnce("lease-reaper");
        Until.isTrue("it is told", RunnerFixture.SOON, () -> stopped.getCount() == 0);
        fixture.await(id, JobState.FAILED);
        fixture.retry(id);
        fixture.await(id, JobState.SUCCEEDED);
        assertThat(fixture.report(id).result()).isEqualTo("\"second\"");
    }

    /// J-211: who cannot renew its lease does not work on when another may have been given the job.
    @Test
    void work_stops_before_its_lease_could_run_out_unseen() {
        UUID id = fixture.submitFor("cut-off", "{}").id();
        var stopped = new CountDownLatch(1);
        JobHandler handler =
                handler(
                        "cut-off",
                        context -> {
                            try {
                                context.pause(Duration.ofHours(1));
                            } finally {
                                stopped.countDown();
                            }
                            return Produced.nothing();
                        });
        Assigned claimed = fixture.jobs().claim("cut-off", 1).getFirst();
        // A lease that is over after the margin that the runner keeps.
        var brief = new Assigned(claimed.job(), claimed.fence(), 3_500, 60_000, null);
        var answers = new CountDownLatch(1);
        var keeper =
                new LeaseKeeper(
                        "leases",
                        fixture.test.kernel().work(),
                        fixture.test.kernel().database(),
                        NanoTicker.SYSTEM,
                        Duration.ofMillis(20));
        var run =
                new JobRun(
                        fixture.test.kernel(),
                        fixture.jobs(),
                        brief,
                        System.nanoTime(),
                        keeper,
                        RunnerFixture.quick("cut-off", 1, 1),
                        Handlers.of(handler),
                        new RunnerListener() {
                            @Override
                            public void started(Assigned job) {
                                // From here on the database does not answer.
                                fixture.test
                                        .failpoints()
                                        .arm("holder.before-commit", answers::await);
                            }
                        });
        try (var loop = new SweepLoop(Duration.ofMillis(20), List.of(keeper), NanoTicker.SYSTEM)) {
            loop.start();
            Thread running = Thread.ofVirtual().start(run::run);
            Until.isTrue("it is stopped", RunnerFixture.SOON, () -> stopped.getCount() == 0);
            assertThat(answers.getCount()).isEqualTo(1);
            answers.countDown();
            Until.isTrue("it has ended", RunnerFixture.SOON, () -> !running.isAlive());
        }
        assertThat(fixture.job(id).state()).isEqualTo(JobState.RUNNING);
    }

    /// J-259.
    @Test
    void output_that_is_missing_no_json_or_too_large_fails_the_job_and_says_so() {
        String large = "\"" + "x".repeat(256 * 1024) + "\"";
        runWith(
                handler("nothing", _ -> null),
                handler("broken", _ -> Produced.json("{\"cut")),
                handler("two", _ -> Produced.json("1 2")),
                handler("large", _ -> Produced.json(large)),
                handler("short", _ -> new Produced(3, "no digest", null)),
                handler("bare", _ -> new Produced(3, none(), null)));
        for (String name : new String[] {"nothing", "broken", "two", "large", "short", "bare"}) {
            UUID id = fixture.submitFor(name, "{}").id();
            JobFailure failure = failureOf(id);
            assertThat(failure.code()).as(name).isEqualTo(JobFailure.OUTPUT_INVALID);
            assertThat(failure.retryable()).isFalse();
            assertThat(fixture.report(id).outputBytes()).isNull();
        }
    }

    /// Handlers are compiled elsewhere, where nobody may look at what can be null.
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T none() {
        return null;
    }

    @Test
    void what_a_handler_throws_is_the_reason_of_the_failure() {
        runWith(
                handler(
                        "later",
                        _ -> {
                            throw new JobFailedException("NO_ANSWER", "the bank is closed", true);
                        }),
                handler(
                        "odd",
                        _ -> {
                            throw new JobFailedException("not a code", "odd\0text", false);
                        }),
                handler(
                        "nameless",
                        _ -> {
                            throw new JobFailedException(none(), "no code", true);
                        }),
                handler(
                        "unreadable",
                        _ -> {
                            throw new IllegalStateException() {
                                private static final long serialVersionUID = 1;

                                @Override
                                public String toString() {
                                    throw new IllegalStateException("not even that");
                                }
                            };
                        }),
                handler(
                        "error",
                        _ -> {
                            throw new StackOverflowError("too deep");
                        }));
        JobFailure later = failureOf(fixture.submitFor("later", "{}").id());
        assertThat(later).isEqualTo(new JobFailure("NO_ANSWER", "the bank is closed", true));
        JobFailure odd = failureOf(fixture.submitFor("odd", "{}").id());
        assertThat(odd.code()).isEqualTo(JobFailure.HANDLER_FAILED);
        assertThat(odd.text()).contains("not a code");
        JobFailure nameless = failureOf(fixture.submitFor("nameless", "{}").id());
        assertThat(nameless.code()).isEqualTo(JobFailure.HANDLER_FAILED);
        assertThat(nameless.text()).contains("no code");
        JobFailure unreadable = failureOf(fixture.submitFor("unreadable", "{}").id());
        assertThat(unreadable.code()).isEqualTo(JobFailure.HANDLER_FAILED);
        JobFailure error = failureOf(fixture.submitFor("error", "{}").id());
        assertThat(error.code()).isEqualTo(JobFailure.HANDLER_FAILED);
        assertThat(error.text()).contains("too deep");
        JobFailure missing = failureOf(fixture.submitFor("unheard-of", "{}").id());
        assertThat(missing.code()).isEqualTo(JobFailure.NO_HANDLER);
        assertThat(missing.text()).contains("unheard-of");
    }

    /// Found by its name in META-INF/services.
    public static final class Found implements JobHandler {
        @Override
        public String name() {
            return "found";
        }

        @Override
        public Produced run(JobContext context) {
            return Produced.nothing();
        }
    }

    /// L-026.
    @Test
    void handlers_are_found_on_the_class_path_and_in_the_jars_of_a_folder(@TempDir Path folder)
            throws IOException {
        assertThat(Handlers.onClassPath().names()).containsExactly("found");
        try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve("handlers.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + JobHandler.class.getName()));
            jar.write(SecondFound.class.getName().getBytes(StandardCharsets.UTF_8));
            jar.closeEntry();
        }
        try (Handlers both = Handlers.in(folder)) {
            assertThat(both.names()).containsExactlyInAnyOrder("found", "second.found");
        }
        assertThatThrownBy(() -> Handlers.in(folder.resolve("missing")))
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> Handlers.of(new Found(), new Found()))
                .hasMessageContaining("two handlers are called found");
        assertThatThrownBy(() -> Handlers.of(handler("queue:x", _ -> null)))
                .hasMessageContaining("queue:x");
    }

    /// Named by the jar that the test makes.
    public static final class SecondFound implements JobHandler {
        @Override
        public String name() {
            return "second.found";
        }

        @Override
        public Produced run(JobContext context) {
            return Produced.nothing();
        }
    }

    @Test
    void a_job_is_run_again_when_it_is_retried() {
        runWith(
                handler(
                        "second-time",
                        context -> {
                            if (context.attempt() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                            return Produced.json("[" + context.attempt() + "]");
                        }));
        Job job = fixture.submitFor("second-time", "{}");
        assertThat(failureOf(job.id()).code()).isEqualTo(JobFailure.HANDLER_FAILED);
        fixture.retry(job.id());
        fixture.await(job.id(), JobState.SUCCEEDED);
        assertThat(fixture.report(job.id()).result()).isEqualTo("[2]");
    }
}
