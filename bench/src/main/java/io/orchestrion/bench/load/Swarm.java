package io.orchestrion.bench.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Very many connections of one thread that send the same request again as soon as it is answered,
/// whatever the answer: callers who neither wait nor slow down. One that is closed is opened again.
public final class Swarm implements Callable<Swarm.Tally> {
    private static final int WAIT_MS = 100;
    private static final int GOOD_FROM = 200;
    private static final int GOOD_BELOW = 300;

    /// While the window that counts was open.
    ///
    /// @param done answers of 2xx
    /// @param refused all other answers
    /// @param closed connections that ended without an answer
    public record Tally(long done, long refused, long closed) {}

    private final int port;
    private final int connections;
    private final Supplier<Request> requests;
    private final Supplier<Boolean> counts;
    private final Supplier<Boolean> over;
    private final List<Caller> callers = new ArrayList<>();
    private long done;
    private long refused;
    private long closed;

    /// @param requests makes what each connection sends
    /// @param counts whether answers that come now are counted
    /// @param over whether to stop
    public Swarm(
            int port,
            int connections,
            Supplier<Request> requests,
            Supplier<Boolean> counts,
            Supplier<Boolean> over) {
        this.port = port;
        this.connections = connections;
        this.requests = requests;
        this.counts = counts;
        this.over = over;
    }

    @Override
    public Tally call() throws IOException {
        try (var selector = Selector.open()) {
            for (int i = 0; i < connections; i++) {
                var caller = new Caller(selector, requests.get());
                callers.add(caller);
                caller.connect();
            }
            while (!over.get()) {
                selector.select(key -> ((Caller) key.attachment()).proceed(), WAIT_MS);
                long now = System.nanoTime();
                for (Caller each : callers) {
                    each.connectIfDue(now);
                }
            }
        } finally {
            callers.forEach(Caller::close);
        }
        return new Tally(done, refused, closed);
    }

    private final class Caller {
        private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        private final Selector selector;
        private final Request request;
        private final Answer answer = new Answer();
        private SocketChannel channel;
        private boolean open;
        private long closedNanos;

        Caller(Selector selector, Request request) throws IOException {
            this.selector = selector;
            this.request = request;
            channel = SocketChannel.open();
        }

        void connect() {
            try {
                channel.close();
                channel = SocketChannel.open();
                channel.configureBlocking(false);
                open = true;
                int ops = channel.connect(HttpLine.local(port)) ? 0 : SelectionKey.OP_CONNECT;
                channel.register(selector, ops, this);
                if (ops == 0) {
                    send();
                }
            } catch (IOException e) {
                lost();
            }
        }

        void connectIfDue(long nowNanos) {
            if (!open && nowNanos - closedNanos > RECONNECT_NANOS) {
                connect();
            }
        }

        void proceed() {
            SelectionKey key = channel.keyFor(selector);
            try {
                if (key.isConnectable() && channel.finishConnect()) {
                    send();
                } else if (key.isWritable() && request.writeTo(channel)) {
                    key.interestOps(SelectionKey.OP_READ);
                } else if (key.isReadable() && answer.readFrom(channel)) {
                    boolean good = answer.status() >= GOOD_FROM && answer.status() < GOOD_BELOW;
                    if (counts.get()) {
                        done += good ? 1 : 0;
                        refused += good ? 0 : 1;
                    }
                    send();
                }
            } catch (IOException e) {
                lost();
            }
        }

        private void send() throws IOException {
            answer.clear();
            request.rewind();
            boolean all = request.writeTo(channel);
            channel.keyFor(selector)
                    .interestOps(
                            all
                                    ? SelectionKey.OP_READ
                                    : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }

        private void lost() {
            if (counts.get()) {
                closed++;
            }
            close();
            closedNanos = System.nanoTime();
        }

        void close() {
            open = false;
            try {
                channel.close();
            } catch (IOException e) {
                // It was only to be closed.
            }
        }
    }
}
