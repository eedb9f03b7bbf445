package io.orchestrion.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the open connections of each source, so that one of them cannot take all there are. A
/// connection too many is told so in one line and closed, before a byte of it is read: to wait for
/// its request would give it what it came for.
final class Sources {
    private static final Logger LOG = LoggerFactory.getLogger(Sources.class);
    private static final byte[] TOO_MANY =
            ("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
                            + "Connection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);

    private final int max;
    private final AddressRanges uncounted;
    private final AddressRanges trusted;
    private final Map<String, Integer> open = new ConcurrentHashMap<>();

    Sources(HttpOptions options) {
        this.max = options.connectionsPerAddressMax();
        this.uncounted = options.connectionsUncounted();
        this.trusted = options.trustedProxies();
    }

    ServerConnection counted(
            @Nullable InetAddress peer, ConnectionContext context, ServerConnection connection) {
        if (max == 0 || peer == null || uncounted.contain(peer) || trusted.contain(peer)) {
            return connection;
        }
        String source = ClientAddress.of(peer, AddressRanges.NONE, _ -> List.of()).limitSubject();
        return new Counted(source, context, connection);
    }

    private boolean enter(String source) {
        return open.merge(source, 1, Integer::sum) <= max;
    }

    private void leave(String source) {
        open.computeIfPresent(source, (_, count) -> count == 1 ? null : count - 1);
    }

    private final class Counted implements ServerConnection, InterruptableTask<Void> {
        private final String source;
        private final ConnectionContext context;
        private final ServerConnection inner;

        Counted(String source, ConnectionContext context, ServerConnection inner) {
            this.source = source;
            this.context = context;
            this.inner = inner;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            try {
                if (enter(source)) {
                    inner.handle(limit);
                } else {
                    LOG.debug("{} has {} connections open; one more is closed", source, max);
                    context.dataWriter().writeNow(BufferData.create(TOO_MANY));
                }
            } finally {
                leave(source);
            }
        }

        /// Helidon asks this of connections when it stops: one that waits for a request is let go.
        @Override
        public boolean canInterrupt() {
            return inner instanceof InterruptableTask<?> task && task.canInterrupt();
        }

        @Override
        public Duration idleTime() {
            return inner.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            inner.close(interrupt);
        }
    }
}
