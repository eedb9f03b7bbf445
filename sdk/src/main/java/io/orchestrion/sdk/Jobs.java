package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/// The jobs of `/v1/jobs`, which the server's own runners execute. From [OrchestrionClient#jobs].
///
/// ```java
/// SubmittedJob job = client.jobs().submit(JobSubmission.execute().withWorkKind("SUCCESS_FAST"));
/// Optional<Job> ended = client.jobs().await(job.id(), Duration.ofMinutes(1));
/// ```
///
/// Refusals are [OrchestrionException]s with a code that begins with `RFA_`. When an answer is
/// lost, the client repeats reads, deletes, cancels and submits that have a key. Cancelling twice
/// is the same as once. A retry is sent once: after a lost answer, the attempt in the answer of
/// [#get] tells whether it was done.
public final class Jobs {
    private static final String JOBS = "/v1/jobs";
    private static final Duration FIRST_LOOK = Duration.ofMillis(50);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);

    private final Transport transport;
    private final MonotonicClock clock;

    Jobs(Transport transport) {
        this.transport = transport;
        clock = transport.clock();
    }

    /// A page of jobs, newest first.
    ///
    /// @param nextCursor pass it to [JobSearch#after]; null on the last page
    public record Page(List<Job> jobs, @Nullable String nextCursor) {
        public Page {
            jobs = List.copyOf(jobs);
        }
    }

    /// Submits a job. If the server has seen its key before, the answer is the job that was made
    /// then.
    public SubmittedJob submit(JobSubmission job) {
        ObjectNode body = Json.object().put("type", job.type().name());
        putIfThere(
                body,
                "execution_at",
                job.executionAt() == null ? null : job.executionAt().toString());
        putIfThere(body, "work_kind", job.workKind());
        if (job.payload() != null) {
            Json.putRaw(body, "payload", job.payload());
        }
        putIfThere(body, "callback", job.callback() == null ? null : job.callback().toString());
        if (job.autoRetry()) {
            body.put("auto_retry", true);
        }
        putIfThere(body, "handler", job.handler());
        Call call = Call.post(JOBS, body);
        String key = job.idempotencyKey();
        return transport.send(key == null ? call : call.withKey(key), JobsWire::submitted);
    }

    /// Reads one job.
    public Job get(UUID id) {
        return transport.send(Call.get(path(id, "")), JobsWire::job);
    }

    /// Reads one page of jobs.
    public Page list(JobSearch search) {
        JobState state = search.state();
        var parameters =
                new Parameters()
                        .with("state", state == null ? null : state.name())
                        .with("outcome", search.outcome())
                        .with("limit", search.limit())
                        .with("cursor", search.cursor());
        return transport.send(Call.get(JOBS + parameters), JobsWire::jobs);
    }

    /// The report of the attempt that ended last. The server answers 404 while no attempt has
    /// ended.
    public JobReport report(UUID id) {
        return transport.send(Call.get(path(id, "/report")), JobsWire::report);
    }

    /// Cancels a job that has not ended. The runner of a running job stops.
    public JobAnswer cancel(UUID id) {
        Call call = Call.post(path(id, "/cancel"), Json.object());
        return transport.send(call.repeated(true), JobsWire::answer);
    }

    /// Queues a failed job again. Without retries left the server refuses (`RFA_JOB_CONFLICT`).
    public JobAnswer retry(UUID id) {
        return transport.send(Call.post(path(id, "/retry"), Json.object()), JobsWire::answer);
    }

    /// Deletes a job that has ended, with everything that is stored about it.
    ///
    /// @return false if it was gone already, perhaps because of an earlier try of this call whose
    ///     answer was lost
    public boolean delete(UUID id) {
        return transport.delete(path(id, ""));
    }

    /// Every kind of simulated work.
    public List<WorkKind> catalogue() {
        return transport.send(Call.get(JOBS + "/catalogue"), JobsWire::catalogue);
    }

    /// Reads the job at growing intervals until it has ended.
    ///
    /// @return empty if it has not ended within the time
    public Optional<Job> await(UUID id, Duration within) {
        return await(id, within, _ -> {});
    }

    /// @param changed receives the job whenever its state or attempt differs from the last time it
    ///     was read. Changes between two reads are only in the report
    public Optional<Job> await(UUID id, Duration within, Consumer<Job> changed) {
        long end = clock.nanos() + within.toNanos();
        Duration wait = FIRST_LOOK;
        Job before = null;
        while (true) {
            Job job = get(id);
            if (before == null
                    || job.state() != before.state()
                    || job.attempt() != before.attempt()) {
                changed.accept(job);
                wait = FIRST_LOOK;
            }
            before = job;
            long left = end - clock.nanos();
            if (job.state().ended() || left <= 0) {
                return job.state().ended() ? Optional.of(job) : Optional.empty();
            }
            sleep(Duration.ofNanos(Math.min(left, wait.toNanos())));
            Duration longer = wait.multipliedBy(3).dividedBy(2);
            wait = longer.compareTo(LONGEST_LOOK) < 0 ? longer : LONGEST_LOOK;
        }
    }

    private void sleep(Duration wait) {
        try {
            clock.sleep(wait);
        } catch (InterruptedException e) {
            throw Transport.interrupted(e);
        }
    }

    /// All deliveries to the callback and to webhooks about the job.
    public List<Delivery> deliveries(UUID id) {
        var all = new ArrayList<Delivery>();
        String cursor = null;
        do {
            Webhooks.DeliveryPage page = deliveries(id, cursor);
            all.addAll(page.deliveries());
            cursor = page.nextCursor();
        } while (cursor != null);
        return all;
    }

    /// One page of these deliveries.
    ///
    /// @param cursor the cursor of the page before; null for the first page
    public Webhooks.DeliveryPage deliveries(UUID id, @Nullable String cursor) {
        var from = new Parameters().with("limit", Webhooks.PAGE).with("cursor", cursor);
        return transport.send(Call.get(path(id, "/deliveries" + from)), JobsWire::deliveryPage);
    }

    private static String path(UUID id, String rest) {
        return JOBS + "/" + id + rest;
    }
}
