package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

@Timeout(180)
class RequestLogTest {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private Level before;

    @BeforeEach
    void listen() {
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        before = root.getLevel();
        root.setLevel(Level.DEBUG);
        root.addAppender(appender);
    }

    @AfterEach
    void forget() {
        root.detachAppender(appender);
        root.setLevel(before);
    }

    private List<ILoggingEvent> ours() {
        return appender.list.stream()
                .filter(event -> event.getLoggerName().equals(Pipeline.class.getName()))
                .toList();
    }

    @Test
    void a_failure_is_logged_once_with_its_request_id_and_nothing_secret_ever() throws Exception {
        String id;
        try (HttpServer server = new Fixture().start();
                var wire = new Wire(server)) {
            wire.send(
                    "GET /other/boom?token=hidden-query HTTP/1.1\r\n"
                            + "Host: h\r\n"
                            + "Authorization: Bearer hidden-key\r\n\r\n");
            id = wire.reply().header("X-Request-Id");
            wire.send("GET /v1/\u001b[31mnothing?token=hidden-query HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(wire.reply().status()).isEqualTo(404);
            wire.send(
                    "GET /v1/things/1?key=hidden-query HTTP/1.1\r\n"
                            + "Host: h\r\n"
                            + "Authorization: Bearer hidden-key\r\n\r\n");
            assertThat(wire.reply().status()).isEqualTo(200);
        }
        List<ILoggingEvent> failures =
                ours().stream()
                        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                        .toList();
        assertThat(failures).hasSize(1);
        assertThat(failures.getFirst().getFormattedMessage())
                .contains("GET /other/boom failed")
                .contains(id);
        assertThat(failures.getFirst().getMDCPropertyMap()).containsEntry("request_id", id);
        assertThat(failures.getFirst().getThrowableProxy().getMessage()).isEqualTo("secret detail");
        assertThat(ours())
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.contains("GET /v1/(hidden) -> 404"));
        // Helidon's own lines count too: at debug it would log headers if it were let.
        assertThat(appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(line -> line.contains("hidden-"));
    }
}
