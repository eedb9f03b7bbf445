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
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the open connections, of each source and in all, so that one source cannot take all of
/// them. A few more than the bound are accepted, only to see whether a holder of a lease sends on
/// them. A connection beyond those is answered in one line and closed, before a byte of it is read:
/// waiting for its request would already give it a connection.
final class Sources {
    private static final Logger LOG = LoggerFactory.getLogger(Sources.class);
    private static final byte[] TOO_MANY =
            ("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
                            + "Connection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);

    private final int max;
    private final int maxOfAll;
    private final AddressRanges uncounted;
    private final AddressRanges trusted;
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();

    Sources(HttpOptions options) {
        this.max = options.connectionsPerAddressMax();
        this.maxOfAll = options.connectionsMax();
        this.uncounted = options.connectionsUncounted();
        this.trusted = options.trustedProxies();
    }

    /// @param inCrowd called when it is one more than there should be
    ServerConnection counted(
            @Nullable InetAddress peer,
            ConnectionContext context,
            ServerConnection connection,
            Runnable inCrowd) {
        boolean counts =
                max > 0 && peer != null && !uncounted.contain(peer) && !trusted.contain(peer);
        String source =
                counts
                        ? ClientAddress.of(peer, AddressRanges.NONE, _ -> List.of()).limitSubject()
                        : null;
        return new Counted(source, context, connection, inCrowd);
    }

    private int enter(@Nullable String source) {
        return source == null ? 0 : open.merge(source, 1, Integer::sum);
    }

    private void leave(@Nullable String source) {
        if (source != null) {
            open.computeIfPresent(source, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private final class Counted implements ServerConnection, InterruptableTask<Void> {
        private final @Nullable String source;
        private final ConnectionContext context;
        private final ServerConnection inner;
        private final Runnable inCrowd;

        Counted(
                @Nullable String source,
                ConnectionContext context,
                ServerConnection inner,
                Runnable inCrowd) {
            this.inCrowd = inCrowd;
            this.source = source;
            this.context = context;
            this.inner = inner;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            int ofAll = all.incrementAndGet();
            int ofSource = enter(source);
            try {
                if (ofSource > max + HttpOptions.more(max)) {
                    LOG.debug("{} has {} connections open; one more is closed", source, ofSource);
                    context.dataWriter().writeNow(BufferData.create(TOO_MANY));
                    return;
                }
                if (ofSource > max || ofAll > maxOfAll) {
                    inCrowd.run();
                }
                inner.handle(limit);
            } finally {
                leave(source);
                all.decrementAndGet();
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
