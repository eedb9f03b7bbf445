package io.orchestrion.server.ops;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;

import io.orchestrion.server.settings.Settings;
import io.orchestrion.tools.Terminal;

import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/// Logs to standard error, as lines for people or as JSON. Set up in code: reading an XML file
/// costs a tenth of a second at every start.
public final class Logging {
    private Logging() {}

    static void configure(Settings settings, Terminal terminal) {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (factory instanceof LoggerContext context) {
            configure(context, settings.logJson(), Level.toLevel(settings.logLevel()), terminal);
        }
    }

    /// For the time before the settings are known, and for commands that do not log.
    public static void warningsOnly(LoggerContext context) {
        configure(context, false, Level.WARN, Terminal.PLAIN);
    }

    private static void configure(
            LoggerContext context, boolean json, Level level, Terminal terminal) {
        context.reset();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(json ? json(context) : text(context, terminal));
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(level);
        root.addAppender(appender);
        // These tell of every connection and socket below info; debug is about our own work.
        for (String library :
                new String[] {"io.helidon", "io.opentelemetry", "org.postgresql", "jdk", "sun"}) {
            Level quiet = level.levelInt < Level.DEBUG_INT ? level : Level.WARN;
            context.getLogger(library).setLevel(quiet);
        }
        // Faults of accounts' schemas and payloads are answered to the accounts.
        context.getLogger("com.networknt").setLevel(Level.OFF);
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context, Terminal terminal) {
        String level = terminal.live() && terminal.colour() ? "%highlight(%-5level)" : "%-5level";
        // A line of progress may stand there, and is painted again below.
        String wipe = terminal.live() ? "\r\u001b[K" : "";
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(
                wipe
                        + "%d{HH:mm:ss.SSS} "
                        + level
                        + " %logger{0} - %msg%replace( %kvp){'^ $', ''}%n%ex");
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context) {
        var encoder = new JsonLines();
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }
}
