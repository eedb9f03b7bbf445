package io.orchestrion.server.tasks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/// Everything that is logged while it is open, at the finest level: our own lines, those of the
/// libraries, and what the database driver would say if it were asked for all.
public final class CapturedLog implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger ours = (Logger) LoggerFactory.getLogger("io.orchestrion");
    private final java.util.logging.Logger driver =
            java.util.logging.Logger.getLogger("org.postgresql");
    private final Level rootBefore = root.getLevel();
    private final Level oursBefore = ours.getLevel();
    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Queue<String> driverLines = new ConcurrentLinkedQueue<>();
    private final Events appender = new Events();
    private final List<Appender<ILoggingEvent>> silenced = new ArrayList<>();
    private final Records handler = new Records();

    public CapturedLog() {
        appender.start();
        // Megabytes that nobody reads.
        root.iteratorForAppenders().forEachRemaining(silenced::add);
        silenced.forEach(root::detachAppender);
        root.setLevel(Level.TRACE);
        ours.setLevel(Level.TRACE);
        root.addAppender(appender);
        driver.setLevel(java.util.logging.Level.ALL);
        driver.setUseParentHandlers(false);
        driver.addHandler(handler);
    }

    private final class Events extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
            lines.add(
                    event.getLoggerName()
                            + " "
                            + event.getFormattedMessage()
                            + " "
                            + event.getMDCPropertyMap()
                            + " "
                            + event.getThreadName()
                            + (event.getKeyValuePairs() == null ? "" : event.getKeyValuePairs())
                            + (event.getThrowableProxy() == null
                                    ? ""
                                    : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    }

    private final class Records extends Handler {
        @Override
        public void publish(LogRecord record) {
            driverLines.add(
                    record.getLoggerName()
                            + " "
                            + record.getMessage()
                            + " "
                            + Arrays.toString(record.getParameters())
                            + " "
                            + record.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /// All of it as text: messages, stack traces, context and the names of threads.
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /// What the driver said; of no other library is so much asked.
    public List<String> driverLines() {
        return List.copyOf(driverLines);
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        silenced.forEach(root::addAppender);
        root.setLevel(rootBefore);
        ours.setLevel(oursBefore);
        driver.removeHandler(handler);
        driver.setLevel(null);
        driver.setUseParentHandlers(true);
    }
}
