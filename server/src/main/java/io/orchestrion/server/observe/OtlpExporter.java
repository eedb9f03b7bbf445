package io.orchestrion.server.observe;

import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.orchestrion.server.egress.ServiceClient;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/// Sends spans by OTLP: protobuf over HTTP, by the client that everything here sends with. It is
/// tried once: spans are worth less than the memory that holding them would take.
final class OtlpExporter implements SpanExporter {
    private static final Logger log = LoggerFactory.getLogger(OtlpExporter.class);
    private static final int ANSWER_BYTES_MAX = 64 * 1024;

    private final URI endpoint;
    private final ServiceClient service;
    private final LongConsumer dropped;
    private final AtomicBoolean away = new AtomicBoolean();

    OtlpExporter(URI endpoint, Duration time, LongConsumer dropped) {
        this.endpoint = endpoint;
        this.service = new ServiceClient(time, time, ANSWER_BYTES_MAX);
        this.dropped = dropped;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        String problem = send(spans);
        if (problem == null) {
            if (away.getAndSet(false)) {
                log.info("spans are taken again by {}", endpoint);
            }
            return CompletableResultCode.ofSuccess();
        }
        dropped.accept(spans.size());
        if (!away.getAndSet(true)) {
            log.warn("spans are dropped: {}", problem);
        }
        return CompletableResultCode.ofFailure();
    }

    private @org.jspecify.annotations.Nullable String send(Collection<SpanData> spans) {
        var body = new ByteArrayOutputStream();
        try {
            TraceRequestMarshaler.create(spans).writeBinaryTo(body);
            int status =
                    service.exchange(
                                    HttpRequest.newBuilder(endpoint)
                                            .header("Content-Type", "application/x-protobuf")
                                            .POST(BodyPublishers.ofByteArray(body.toByteArray())))
                            .statusCode();
            return status / 100 == 2 ? null : endpoint + " answered " + status;
        } catch (ServiceClient.NoAnswer e) {
            return e.by(endpoint.toString());
        } catch (IOException e) {
            return "they cannot be written: " + e.getMessage();
        }
    }

    @Override
    public CompletableResultCode flush() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
        service.close();
        return CompletableResultCode.ofSuccess();
    }
}
