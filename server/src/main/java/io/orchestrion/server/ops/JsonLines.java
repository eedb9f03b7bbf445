package io.orchestrion.server.ops;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;

import io.orchestrion.kernel.json.JsonWriter;

import org.slf4j.event.KeyValuePair;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A log event as one JSON object on one line, with what it says of itself as fields of their own,
/// as those who search logs want them.
final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = new byte[0];
    private static final Set<String> OWN =
            Set.of("timestamp", "level", "logger", "thread", "message", "exception");

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return (JsonWriter.objectText(out -> write(out, event)) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void write(JsonWriter out, ILoggingEvent event) {
        out.instant("timestamp", event.getTimeStamp())
                .text("level", event.getLevel().toString())
                .text("logger", event.getLoggerName())
                .text("thread", event.getThreadName())
                .text("message", event.getFormattedMessage());
        var said = new HashSet<>(OWN);
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            for (KeyValuePair pair : pairs) {
                // A field that is there twice is read differently by everybody.
                if (said.add(pair.key)) {
                    field(out, pair);
                }
            }
        }
        event.getMDCPropertyMap()
                .forEach(
                        (name, value) -> {
                            if (said.add(name)) {
                                out.text(name, value);
                            }
                        });
        IThrowableProxy failure = event.getThrowableProxy();
        if (failure != null) {
            out.text("exception", ThrowableProxyUtil.asString(failure));
        }
    }

    private static void field(JsonWriter out, KeyValuePair pair) {
        switch (pair.value) {
            case null -> out.nil(pair.key);
            case Integer number -> out.integer(pair.key, number);
            case Long number -> out.integer(pair.key, number);
            case Boolean yes -> out.bool(pair.key, yes);
            default -> out.text(pair.key, pair.value.toString());
        }
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
