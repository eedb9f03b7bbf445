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

/// The jobs of `/v1/jobs`, which the server's own runners do. From [OrchestrionClient#jobs].
///
/// Refusals are [OrchestrionException]s with a code that begins with `RFA_`. Reads, deletes,
/// cancels and submits with a key are sent again by themselves when an answer is lost;
/// cancelling twice is the same as once. A retry is sent once: after a lost answer, [#get]
/// tells the attempt.
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
    /// @param nextCursor for [JobSearch#after]; null on the last page
    public record Page(List<Job> jobs, @Nullable String nextCursor) {
        public Page {
            jobs = List.copyOf(jobs);
        }
    }

    /// Hands a job in, or answers with the one that its key has made before.
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

    public Job get(UUID id) {
        return transport.send(Call.get(path(id, "")), JobsWire::job);
    }

    /// One page.
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

    /// The report of the attempt that ended last; refused with 404 while none has.
    public JobReport report(UUID id) {
        return transport.send(Call.get(path(id, "/report")), JobsWire::report);
    }

    /// Ends a job that has not ended; the runner of a running one stops.
    public JobAnswer cancel(UUID id) {
        Call call = Call.post(path(id, "/cancel"), Json.object());
        return transport.send(call.repeated(true), JobsWire::answer);
    }

    /// Puts a failed job back in line. Without retries left it is refused (`RFA_JOB_CONFLICT`).
    public JobAnswer retry(UUID id) {
        return transport.send(Call.post(path(id, "/retry"), Json.object()), JobsWire::answer);
    }

    /// Removes a job that has ended, and all that is known about it.
    ///
    /// @return false when it was gone already, perhaps by a try of this call whose answer got lost
    public boolean delete(UUID id) {
        return transport.delete(path(id, ""));
    }

    /// Every kind of simulated work.
    public List<WorkKind> catalogue() {
        return transport.send(Call.get(JOBS + "/catalogue"), JobsWire::catalogue);
    }

    /// Looks until the job has ended, less and less often.
    ///
    /// @return empty when it has not within the time
    public Optional<Job> await(UUID id, Duration within) {
        return await(id, within, _ -> {});
    }

    /// @param changed is told the job whenever its state or attempt is another than at the look
    ///     before; what lay between two looks is in the report
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

    /// All that was sent to callback and webhooks about the job.
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

    /// A page of it.
    ///
    /// @param cursor of the page before; null for the first
    public Webhooks.DeliveryPage deliveries(UUID id, @Nullable String cursor) {
        var from = new Parameters().with("limit", Webhooks.PAGE).with("cursor", cursor);
        return transport.send(Call.get(path(id, "/deliveries" + from)), JobsWire::deliveryPage);
    }

    private static String path(UUID id, String rest) {
        return JOBS + "/" + id + rest;
    }
}
