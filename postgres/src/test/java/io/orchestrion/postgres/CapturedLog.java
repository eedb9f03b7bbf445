package io.orchestrion.postgres;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// What the supervisor and its parts say at the level of a warning and above.
final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger =
            (Logger) LoggerFactory.getLogger(CapturedLog.class.getPackageName());
    private final List<String> lines = new CopyOnWriteArrayList<>();

    CapturedLog() {
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            lines.add(event.getFormattedMessage());
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
