package io.orchestrion.server.queue;

import io.orchestrion.server.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.time.Instant;

/// A server for all tests of a class, and a new account for each of them.
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
abstract class QueueFixture {
    static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    final QueueApi queue = QueueApi.of(server);

    static void advance(Duration by) {
        server.clock().advance(by);
    }

    /// The database's time, which is ahead of this machine's by what the tests moved it.
    static Instant now() {
        return Instant.ofEpochMilli(server.kernel().kernel().database().aboutNowMillis());
    }
}
