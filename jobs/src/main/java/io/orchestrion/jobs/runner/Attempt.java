package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.handler.JobFailedException;
import io.orchestrion.jobs.handler.JobHandler;
import io.orchestrion.jobs.handler.Produced;
import io.orchestrion.kernel.lanes.Work;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/// The work of one attempt: simulated, a handler's, or an outside worker's.
final class Attempt {
    private static final Logger log = LoggerFactory.getLogger(Attempt.class);

    /// As large as a payload may be.
    private static final int RESULT_BYTES_MAX = 256 * 1024;

    /// A fast time scale shortens the limit too; a stall of the machine is not to count as the
    /// work's own slowness then.
    private static final Duration SCALED_SLACK = Duration.ofSeconds(5);

    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final JsonFactory JSON = new JsonFactory();

    /// How the work ended by itself.
    sealed interface Ending {
        record Gave(Produced produced) implements Ending {}

        record Failed(JobFailure failure) implements Ending {}

        /// Over its limit, by its own clock.
        record Overdue() implements Ending {}
    }

    /// Does it.
    @FunctionalInterface
    interface Body {
        @Nullable Produced run(RunContext context) throws Exception;
    }

    private final Body body;
    private final Duration limit;

    private Attempt(Body body, Duration limit) {
        this.body = body;
        this.limit = limit;
    }

    /// The work of a job; null when the job is bound to a handler that is not here.
    static @Nullable Attempt of(Job job, long timeoutMs, double scale, Handlers all, Work work) {
        Duration real = Duration.ofMillis(timeoutMs);
        String name = job.handler();
        if (name == null) {
            Duration scaled = Duration.ofNanos((long) (real.toNanos() * scale));
            return new Attempt(
                    new SimulatedWork(scale)::run, scale < 1 ? scaled.plus(SCALED_SLACK) : real);
        }
        if (name.startsWith(Handlers.QUEUE_PREFIX)) {
            String type = name.substring(Handlers.QUEUE_PREFIX.length());
            return new Attempt(new ExternalWork(work, type)::run, real);
        }
        JobHandler handler = all.named(name);
        return handler == null ? null : new Attempt(context -> run(handler, context), real);
    }

    /// Libraries that come with a handler look for what they need where it came from.
    private static @Nullable Produced run(JobHandler handler, RunContext context) throws Exception {
        Thread.currentThread().setContextClassLoader(handler.getClass().getClassLoader());
        return handler.run(context);
    }

    /// How long it may run.
    Duration limit() {
        return limit;
    }

    Ending run(RunContext context) {
        try {
            Produced produced = body.run(context);
            String flaw = flaw(produced);
            return flaw != null || produced == null
                    ? failed(JobFailure.OUTPUT_INVALID, String.valueOf(flaw), false)
                    : new Ending.Gave(produced);
        } catch (TimeOver e) {
            return new Ending.Overdue();
        } catch (JobFailedException e) {
            // It may be null, whatever its type says: a handler is compiled elsewhere.
            String code = String.valueOf(e.code());
            return CODE.matcher(code).matches()
                    ? failed(code, String.valueOf(e.getMessage()), e.retryable())
                    : failed(
                            JobFailure.HANDLER_FAILED, code + ": " + e.getMessage(), e.retryable());
        } catch (Throwable e) {
            // A handler is somebody else's code: not even an Error of it ends the runner.
            if (!context.cancelled()) {
                log.warn("the work of job {} failed", context.jobId(), e);
            }
            return failed(JobFailure.HANDLER_FAILED, e.toString(), false);
        }
    }

    private static Ending failed(String code, String text, boolean retryable) {
        // PostgreSQL has no text with this character in it.
        return new Ending.Failed(new JobFailure(code, text.replace('\0', '\uFFFD'), retryable));
    }

    /// What is wrong with an output; null when nothing is.
    private static @Nullable String flaw(@Nullable Produced produced) {
        if (produced == null) {
            return "the handler gave no output";
        }
        if (Objects.isNull(produced.sha256())) {
            return "the output has no digest";
        }
        String json = produced.json();
        if (json == null) {
            return null;
        }
        int size = json.getBytes(StandardCharsets.UTF_8).length;
        if (size > RESULT_BYTES_MAX) {
            return "the result has " + size + " bytes, of at most " + RESULT_BYTES_MAX;
        }
        if (json.indexOf('\0') >= 0) {
            return "the result has a NUL in it";
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == null) {
                return "the result is empty";
            }
            parser.skipChildren();
            return parser.nextToken() == null ? null : "the result is more than one JSON value";
        } catch (JacksonException e) {
            return "the result is no JSON: " + e.getOriginalMessage();
        }
    }
}
