package io.orchestrion.server.observe;

import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.signals.SubjectSeen;
import io.orchestrion.kernel.signals.Tracing;
import io.orchestrion.kernel.signals.TransitionSeen;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.CallObserver;
import io.orchestrion.server.http.Endpoint;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Hears everything that happens in this process, and passes it on to metrics, logs and traces.
public final class Observer implements Signals, CallObserver, AutoCloseable {
    private static final Set<String> ENDED = Set.of("succeeded", "failed", "dead", "cancelled");

    private final ObserveOptions options;
    private final DoorWords words;
    private final HappeningLog log;
    private final Metrics metrics;
    private final @Nullable OtlpTracing traces;

    /// @param version of the product
    /// @param doors in whose words it is told
    public Observer(ObserveOptions options, String version, List<? extends DoorDescription> doors) {
        this.options = options;
        this.words = new DoorWords(doors);
        this.log = new HappeningLog(words);
        this.metrics = new Metrics(words);
        this.traces =
                options.otlp() == null
                        ? null
                        : new OtlpTracing(
                                options.otlp(),
                                options.samplePercent(),
                                version,
                                metrics::spansDropped);
    }

    public Metrics metrics() {
        return metrics;
    }

    @Override
    public Tracing tracing() {
        return traces == null ? Tracing.NONE : traces;
    }

    private boolean logs(String door) {
        return options.logs(door, words.detailed());
    }

    @Override
    public boolean follows(String queue) {
        return traces != null || (logs(queue) && HappeningLog.tells());
    }

    @Override
    public void transitions(List<TransitionSeen> seen) {
        for (TransitionSeen each : seen) {
            if (logs(each.queue())) {
                log.transition(each);
            }
            if (traces != null && each.trace() != null) {
                trace(traces, each);
            }
        }
    }

    @Override
    public void subjects(List<SubjectSeen> seen) {
        for (SubjectSeen each : seen) {
            if (logs(each.log())) {
                HappeningLog.subject(each);
            }
            if (traces != null && each.trace() != null) {
                trace(traces, each);
            }
        }
    }

    /// One span for the state that ended, as long as it had lasted.
    private static void trace(OtlpTracing traces, SubjectSeen seen) {
        SubjectWords said = SubjectWords.of(seen);
        var attributes = new HashMap<String, String>();
        attributes.put("orchestrion.door", seen.log());
        attributes.put("orchestrion.client_id", seen.accountId().toString());
        attributes.put("orchestrion.event", seen.event());
        said.ids().forEach((name, id) -> attributes.put("orchestrion." + name, id));
        if (seen.correlationId() != null) {
            attributes.put("orchestrion.correlation_id", seen.correlationId());
        }
        long lasted = seen.lastedMs() == null ? 0 : Math.max(0, seen.lastedMs());
        traces.past(
                seen.kind() + "." + seen.event(),
                seen.trace(),
                seen.atMs() - lasted,
                seen.atMs(),
                attributes,
                said.failed() ? said.why() : null);
    }

    /// The spans of an item are made by whoever commits its changes, all of them below the request
    /// that handed it in: that it waited, that it was assigned, that it ran, and that its end was
    /// reported.
    private void trace(OtlpTracing traces, TransitionSeen seen) {
        Map<String, String> attributes = attributes(seen);
        String name = seen.queue() + ".";
        boolean held = "running".equals(seen.from()) || "leased".equals(seen.from());
        switch (seen.event()) {
            case "submit" -> past(traces, name + "enqueue", seen, seen.atMs(), attributes);
            case "lease" -> {
                past(traces, name + "queue", seen, seen.sinceMs(), attributes);
                past(traces, name + "assign", seen, seen.atMs(), attributes);
            }
            case "start" -> past(traces, name + "start", seen, seen.sinceMs(), attributes);
            case "retry", "reopen" -> past(traces, name + "retry", seen, seen.atMs(), attributes);
            case "cancel", "ask_cancel" ->
                    past(traces, name + "cancel", seen, seen.atMs(), attributes);
            default -> {}
        }
        if (held && !"start".equals(seen.event()) && !seen.to().equals(seen.from())) {
            past(traces, name + "run", seen, seen.sinceMs(), attributes);
        }
        if (ENDED.contains(seen.to())) {
            past(traces, name + "report", seen, seen.atMs(), attributes);
        }
    }

    private static void past(
            OtlpTracing traces,
            String name,
            TransitionSeen seen,
            long fromMs,
            Map<String, String> attributes) {
        boolean failed = seen.to().equals("failed") || seen.to().equals("dead");
        String detail = seen.detail();
        traces.past(
                name,
                seen.trace(),
                fromMs,
                seen.atMs(),
                attributes,
                failed ? detail == null ? seen.event() : detail : null);
    }

    private Map<String, String> attributes(TransitionSeen seen) {
        var attributes = new HashMap<String, String>();
        attributes.put("orchestrion.door", seen.queue());
        attributes.put("orchestrion.job_id", seen.workId().toString());
        attributes.put("orchestrion.client_id", seen.accountId().toString());
        attributes.put("orchestrion.kind", seen.kind());
        attributes.put("orchestrion.attempt", String.valueOf(seen.attempt()));
        attributes.put("orchestrion.event", seen.event());
        TransitionSeen.Owner owner = seen.owner();
        if (owner != null) {
            attributes.put("orchestrion." + DoorWords.field(owner), words.id(owner));
        }
        if (seen.holder() != null) {
            attributes.put("orchestrion.holder", seen.holder());
        }
        if (seen.correlationId() != null) {
            attributes.put("orchestrion.correlation_id", seen.correlationId());
        }
        if (seen.errorCode() != null) {
            attributes.put("orchestrion.error_code", seen.errorCode());
        }
        return attributes;
    }

    @Override
    public void deduplicated(String queue, int hits, int created) {
        metrics.deduplicated(queue, hits, created);
    }

    @Override
    public void heartbeats(String queue, int count) {
        metrics.heartbeats(queue, count);
    }

    @Override
    public void databaseError(String kind) {
        metrics.databaseError(kind);
    }

    @Override
    public void delivery(DeliverySeen seen) {
        metrics.delivery(seen.outcome(), seen.millis());
        HappeningLog.delivery(seen);
        if (traces != null) {
            traces.past(
                    "webhook.deliver",
                    seen.trace(),
                    seen.startedMs(),
                    seen.startedMs() + seen.millis(),
                    Map.of(
                            "orchestrion.event", seen.event(),
                            "orchestrion.webhook_id", seen.webhookId().toString(),
                            "orchestrion.delivery_id", seen.deliveryId().toString(),
                            "orchestrion.attempt", String.valueOf(seen.attempt()),
                            "orchestrion.outcome", seen.outcome()),
                    seen.outcome().equals("delivered") ? null : seen.outcome());
        }
    }

    @Override
    public Tracing.@Nullable Span begun(Call call, @Nullable String parent) {
        return traces == null ? null : traces.server(call.method(), parent);
    }

    @Override
    public void answered(Call call, int status, long tookNanos, Tracing.@Nullable Span span) {
        Endpoint endpoint = call.endpoint();
        metrics.request(endpoint, status, tookNanos);
        String trace = span == null ? null : span.traceparent();
        String door = HappeningLog.door(call);
        if (status == 401 || status == 403) {
            Call.Fault fault = call.fault();
            String reason = fault == null ? "refused" : fault.code();
            metrics.authFailure(door, reason);
            log.stranger(call, status, reason);
        } else if (logs(door)) {
            log.request(call, status, tookNanos, trace);
        }
        if (span instanceof OtlpTracing.Begun begun) {
            finish(begun, call, endpoint, status);
        }
    }

    private void finish(
            OtlpTracing.Begun span, Call call, @Nullable Endpoint endpoint, int status) {
        if (endpoint != null) {
            span.name(endpoint.method() + " " + endpoint.path());
            span.attribute("http.route", endpoint.path());
            span.attribute("orchestrion.door", endpoint.door());
            span.attribute("orchestrion.action", words.action(endpoint));
        }
        span.attribute("http.request.method", call.method());
        span.attribute("http.response.status_code", String.valueOf(status));
        span.attribute("orchestrion.request_id", call.requestId());
        if (call.subject() != null) {
            span.attribute("orchestrion.job_id", String.valueOf(call.subject()));
        }
        words.ids(call).forEach((name, id) -> span.attribute("orchestrion." + name, id));
        Call.Fault fault = call.fault();
        if (status >= 500) {
            span.failed(fault == null ? "status " + status : fault.code());
        }
        span.close();
    }

    /// Sends the last spans.
    @Override
    public void close() {
        if (traces != null) {
            traces.close();
        }
    }
}
