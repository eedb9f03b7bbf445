package io.orchestrion.testkit;

import com.sun.net.httpserver.HttpServer;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/// Takes spans as a collector does, and keeps them.
public final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> spans = new CopyOnWriteArrayList<>();

    /// @param process the number of the process that made it
    public record Received(
            String name,
            String traceId,
            String spanId,
            String parentId,
            long startNanos,
            long endNanos,
            boolean failed,
            List<String> links,
            Map<String, String> attributes,
            long process) {}

    public OtlpReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext(
                "/v1/traces",
                exchange -> {
                    try (exchange) {
                        var request =
                                ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
                        keep(request);
                        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
                        exchange.sendResponseHeaders(200, -1);
                    }
                });
        server.start();
    }

    private void keep(ExportTraceServiceRequest request) {
        request.getResourceSpansList()
                .forEach(
                        resource -> {
                            long process =
                                    resource.getResource().getAttributesList().stream()
                                            .filter(each -> each.getKey().equals("process.pid"))
                                            .mapToLong(each -> each.getValue().getIntValue())
                                            .findFirst()
                                            .orElse(0);
                            resource.getScopeSpansList()
                                    .forEach(
                                            scope ->
                                                    scope.getSpansList()
                                                            .forEach(
                                                                    span ->
                                                                            spans.add(
                                                                                    received(
                                                                                            span,
                                                                                            process))));
                        });
    }

    private static Received received(Span span, long process) {
        return new Received(
                span.getName(),
                hex(span.getTraceId()),
                hex(span.getSpanId()),
                hex(span.getParentSpanId()),
                span.getStartTimeUnixNano(),
                span.getEndTimeUnixNano(),
                span.getStatus().getCodeValue() == 2,
                span.getLinksList().stream().map(link -> hex(link.getTraceId())).toList(),
                span.getAttributesList().stream()
                        .collect(
                                Collectors.toMap(
                                        KeyValue::getKey,
                                        each -> each.getValue().getStringValue())),
                process);
    }

    private static String hex(com.google.protobuf.ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public List<Received> spans() {
        return List.copyOf(spans);
    }

    public List<Received> ofTrace(String traceId) {
        return spans.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
