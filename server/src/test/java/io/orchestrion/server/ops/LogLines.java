package io.orchestrion.server.ops;

import ch.qos.logback.classic.spi.ILoggingEvent;

import java.nio.charset.StandardCharsets;

/// A log event as a server with JSON logs writes it, for tests elsewhere.
public final class LogLines {
    private LogLines() {}

    public static String json(ILoggingEvent event) {
        return new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
    }
}
