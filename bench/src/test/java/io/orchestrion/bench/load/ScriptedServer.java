package io.orchestrion.bench.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Answers requests as a script says, on any number of connections.
final class ScriptedServer implements AutoCloseable {
    /// What to answer.
    interface Script {
        /// @param number of the request, counted over all connections
        /// @return pieces that are sent one after the other; without any the connection is closed
        List<String> answer(int number, String request);
    }

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger requests = new AtomicInteger();
    private final List<String> surprises = new CopyOnWriteArrayList<>();
    private final Script script;

    ScriptedServer(Script script) throws IOException {
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    int port() {
        return server.getLocalPort();
    }

    int requests() {
        return requests.get();
    }

    /// What an orderly client would not have done.
    List<String> surprises() {
        return surprises;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                String request = request(in);
                if (in.available() > 0) {
                    surprises.add("a request before the answer to the last");
                }
                List<String> pieces = script.answer(requests.getAndIncrement(), request);
                if (pieces.isEmpty()) {
                    return;
                }
                for (String piece : pieces) {
                    socket.getOutputStream().write(piece.getBytes(StandardCharsets.UTF_8));
                    socket.getOutputStream().flush();
                }
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static String request(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no more requests");
            }
            head.append((char) next);
        }
        int length =
                head.toString()
                        .lines()
                        .filter(line -> line.startsWith("Content-Length: "))
                        .mapToInt(line -> Integer.parseInt(line.substring(16)))
                        .findFirst()
                        .orElse(0);
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
