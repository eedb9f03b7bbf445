package io.orchestrion.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// One kept-alive connection that waits for each answer: for what is asked beside the load, and for
/// claims that wait.
final class HttpLine implements AutoCloseable {
    static final int PATIENCE_MS = 60_000;

    private final Socket socket = new Socket();
    private final ReadableByteChannel in;
    private final WritableByteChannel out;
    private final Answer answer = new Answer();

    HttpLine(int port) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(local(port), PATIENCE_MS);
        in = Channels.newChannel(socket.getInputStream());
        out = Channels.newChannel(socket.getOutputStream());
    }

    static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// The answer, which is good until the next call.
    Answer exchange(Request request) throws IOException {
        ask(request);
        request.check(answer);
        return answer;
    }

    /// The same, whatever the answer is.
    Answer ask(Request request) throws IOException {
        request.rewind();
        while (!request.writeTo(out)) {
            // A channel over a stream takes all of it at once, or throws.
        }
        answer.clear();
        while (!answer.readFrom(in)) {
            // The rest is still to come.
        }
        return answer;
    }

    Answer last() {
        return answer;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It was only to be closed.
        }
    }
}
