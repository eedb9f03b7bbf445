package io.orchestrion.server.tasks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;

import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Everything that is logged while it is open, our own lines at the finest level.
final class CapturedLog implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger ours = (Logger) LoggerFactory.getLogger("io.orchestrion");
    private final Level rootBefore = root.getLevel();
    private final Level oursBefore = ours.getLevel();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    CapturedLog() {
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        root.setLevel(Level.DEBUG);
        ours.setLevel(Level.TRACE);
        root.addAppender(appender);
    }

    List<ILoggingEvent> events() {
        return appender.list;
    }

    /// All of it as text: messages, stack traces and context.
    List<String> lines() {
        return appender.list.stream()
                .map(
                        event ->
                                event.getLoggerName()
                                        + " "
                                        + event.getFormattedMessage()
                                        + " "
                                        + event.getMDCPropertyMap()
                                        + (event.getThrowableProxy() == null
                                                ? ""
                                                : ThrowableProxyUtil.asString(
                                                        event.getThrowableProxy())))
                .toList();
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        root.setLevel(rootBefore);
        ours.setLevel(oursBefore);
    }
}
