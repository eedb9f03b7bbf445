package io.orchestrion.server.observe;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.kernel.signals.Tracing;
import io.orchestrion.server.http.TraceContext;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/// Spans by OpenTelemetry, sent by OTLP over HTTP. What cannot be sent is dropped: a receiver that
/// is away costs a bounded queue and nothing else.
final class OtlpTracing implements Tracing, AutoCloseable {
    private static final int QUEUE = 4096;
    private static final Duration SEND_EVERY = Duration.ofMillis(500);
    private static final Duration SEND_TIME = Duration.ofSeconds(5);
    private static final String PATH = "/v1/traces";

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /// @param endpoint of the receiver; without a path, that of OTLP is meant
    /// @param dropped is called with the number of spans that were not taken
    OtlpTracing(URI endpoint, int samplePercent, String version, LongConsumer dropped) {
        String path = endpoint.getRawPath();
        boolean bare = path == null || path.isEmpty() || path.equals("/");
        URI full = bare ? endpoint.resolve(PATH) : endpoint;
        var exporter = new OtlpExporter(full, SEND_TIME, dropped);
        provider =
                SdkTracerProvider.builder()
                        .setResource(
                                Resource.create(
                                        Attributes.of(
                                                AttributeKey.stringKey("service.name"),
                                                "orchestrion",
                                                AttributeKey.stringKey("service.version"),
                                                version,
                                                AttributeKey.stringKey("service.instance.id"),
                                                UUID.randomUUID().toString(),
                                                AttributeKey.longKey("process.pid"),
                                                ProcessHandle.current().pid())))
                        .setSampler(
                                Sampler.parentBased(
                                        Sampler.traceIdRatioBased(samplePercent / 100.0)))
                        .addSpanProcessor(
                                BatchSpanProcessor.builder(exporter)
                                        .setMaxQueueSize(QUEUE)
                                        .setScheduleDelay(SEND_EVERY)
                                        .setExporterTimeout(SEND_TIME)
                                        .build())
                        .build();
        tracer = provider.get("io.orchestrion");
    }

    @Override
    public boolean on() {
        return true;
    }

    @Override
    public Span start(String name, @Nullable String parent, Map<String, String> attributes) {
        return new Begun(builder(name, parent, attributes, SpanKind.INTERNAL).startSpan());
    }

    /// The span of a request; its name is given when the route is known.
    Begun server(String method, @Nullable String parent) {
        return new Begun(builder(method, parent, Map.of(), SpanKind.SERVER).startSpan());
    }

    @Override
    public void past(
            String name,
            @Nullable String parent,
            long startMs,
            long endMs,
            Map<String, String> attributes,
            @Nullable String failure) {
        if (parent == null || TraceContext.read(parent) == null) {
            return;
        }
        io.opentelemetry.api.trace.Span span =
                builder(name, parent, attributes, SpanKind.INTERNAL)
                        .setStartTimestamp(startMs, TimeUnit.MILLISECONDS)
                        .startSpan();
        if (failure != null) {
            span.setStatus(StatusCode.ERROR, secretless(failure));
        }
        span.end(Math.max(startMs, endMs), TimeUnit.MILLISECONDS);
    }

    private SpanBuilder builder(
            String name, @Nullable String parent, Map<String, String> attributes, SpanKind kind) {
        SpanBuilder builder = tracer.spanBuilder(name).setSpanKind(kind);
        SpanContext known = context(parent);
        builder.setParent(
                known == null
                        ? Context.root()
                        : Context.root().with(io.opentelemetry.api.trace.Span.wrap(known)));
        attributes.forEach(builder::setAttribute);
        return builder;
    }

    /// Workers and services say why something failed, whatever that has in it.
    private static String secretless(String reason) {
        return Objects.requireNonNullElse(Redaction.summary(reason), "");
    }

    static @Nullable SpanContext context(@Nullable String traceparent) {
        String read = TraceContext.read(traceparent);
        return read == null
                ? null
                : SpanContext.createFromRemoteParent(
                        read.substring(3, 35),
                        read.substring(36, 52),
                        TraceFlags.fromHex(read, 53),
                        TraceState.getDefault());
    }

    /// Sends what waits to be sent.
    @Override
    public void close() {
        provider.shutdown().join(SEND_TIME.toSeconds(), TimeUnit.SECONDS);
    }

    /// A span under way.
    static final class Begun implements Span {
        private final io.opentelemetry.api.trace.Span span;

        private Begun(io.opentelemetry.api.trace.Span span) {
            this.span = span;
        }

        @Override
        public String traceparent() {
            SpanContext own = span.getSpanContext();
            return "00-"
                    + own.getTraceId()
                    + "-"
                    + own.getSpanId()
                    + "-"
                    + own.getTraceFlags().asHex();
        }

        void name(String name) {
            span.updateName(name);
        }

        @Override
        public void attribute(String name, String value) {
            span.setAttribute(name, value);
        }

        @Override
        public void link(@Nullable String traceparent) {
            SpanContext other = context(traceparent);
            if (other != null) {
                span.addLink(other);
            }
        }

        @Override
        public void failed(String reason) {
            span.setStatus(StatusCode.ERROR, secretless(reason));
        }

        @Override
        public void close() {
            span.end();
        }
    }
}
