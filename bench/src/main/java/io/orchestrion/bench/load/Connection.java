package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/// One kept-alive connection of a loop: a request, then its whole answer, then the next request.
final class Connection implements AutoCloseable {
    private final Worker worker;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Answer answer = new Answer();
    private @Nullable Request sent;
    private long sinceNanos;
    private long sentNanos;

    Connection(Worker worker, Selector selector) throws IOException {
        this.worker = worker;
        channel = SocketChannel.open(HttpLine.local(worker.port()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /// @param dueNanos from when the first request is timed
    void begin(long dueNanos) throws IOException {
        send(worker.begin());
        sinceNanos = dueNanos;
    }

    private void send(Request request) throws IOException {
        sent = request;
        sentNanos = System.nanoTime();
        sinceNanos = sentNanos;
        answer.clear();
        request.rewind();
        if (!request.writeTo(channel)) {
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    /// Goes on with what the channel is ready for.
    ///
    /// @return null while the step goes on
    @Nullable Done proceed(Tally tally) throws IOException {
        if (key.isWritable() && sent != null && sent.writeTo(channel)) {
            key.interestOps(SelectionKey.OP_READ);
        }
        return key.isReadable() && answer.readFrom(channel) ? answered(tally) : null;
    }

    private @Nullable Done answered(Tally tally) throws IOException {
        Request request = sent;
        if (request == null) {
            throw new IOException("an answer came that nobody had asked for");
        }
        tally.answered(request.verb(), sinceNanos);
        request.check(answer);
        switch (worker.answered(answer)) {
            case Request next -> {
                send(next);
                return null;
            }
            case Done done -> {
                sent = null;
                return done;
            }
        }
    }

    /// A server that says nothing at all is no slow server any more.
    void expectAnswer(long nowNanos) throws SocketTimeoutException {
        if (sent != null
                && nowNanos - sentNanos > TimeUnit.MILLISECONDS.toNanos(HttpLine.PATIENCE_MS)) {
            throw new SocketTimeoutException(
                    sent.verb() + " had no answer for " + HttpLine.PATIENCE_MS + " ms");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
