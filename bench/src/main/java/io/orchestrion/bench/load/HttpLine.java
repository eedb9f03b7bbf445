package io.orchestrion.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// One kept-alive connection: a request, then its whole answer, then the next request. It is no
/// general client: it takes so little of the machine that what is measured is the server.
public final class HttpLine implements AutoCloseable {
    private static final int PATIENCE_MS = 60_000;
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;
    private final String common;
    private byte[] buffer = new byte[16 * 1024];
    private int filled;
    private int bodyFrom;
    private int bodyTo;

    public HttpLine(int port, String key) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE_MS);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        common =
                " HTTP/1.1\r\nHost: 127.0.0.1:"
                        + port
                        + "\r\nAuthorization: Bearer "
                        + key
                        + "\r\nContent-Type: application/json\r\nContent-Length: ";
    }

    public int post(String path, String body) throws IOException {
        return send("POST", path, body);
    }

    /// Sends it and reads the answer, of which the status is returned and the body kept.
    public int send(String method, String path, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        byte[] head =
                (method + " " + path + common + content.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(head, head.length + content.length);
        System.arraycopy(content, 0, all, head.length, content.length);
        out.write(all);
        return receive();
    }

    private int receive() throws IOException {
        filled = 0;
        int end = -1;
        while (end < 0) {
            int from = Math.max(0, filled - 3);
            more();
            end = endOfHead(from);
        }
        int status = (buffer[9] - '0') * 100 + (buffer[10] - '0') * 10 + buffer[11] - '0';
        bodyFrom = end;
        bodyTo = end + contentLength(end);
        while (filled < bodyTo) {
            more();
        }
        return status;
    }

    private void more() throws IOException {
        if (filled == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
            throw new EOFException("the server closed the connection");
        }
        filled += read;
    }

    private int endOfHead(int from) {
        for (int i = from; i + 3 < filled; i++) {
            if (buffer[i] == '\r'
                    && buffer[i + 1] == '\n'
                    && buffer[i + 2] == '\r'
                    && buffer[i + 3] == '\n') {
                return i + 4;
            }
        }
        return -1;
    }

    private int contentLength(int headEnd) throws IOException {
        for (int i = 0; i + LENGTH.length < headEnd; i++) {
            if (buffer[i] == '\n' && startsAt(i + 1)) {
                int length = 0;
                for (int j = i + 1 + LENGTH.length; buffer[j] != '\r'; j++) {
                    if (buffer[j] != ' ') {
                        length = length * 10 + buffer[j] - '0';
                    }
                }
                return length;
            }
        }
        throw new IOException("an answer without Content-Length");
    }

    private boolean startsAt(int place) {
        for (int i = 0; i < LENGTH.length; i++) {
            int letter = buffer[place + i];
            if ((letter >= 'A' && letter <= 'Z' ? letter + 32 : letter) != LENGTH[i]) {
                return false;
            }
        }
        return true;
    }

    public String body() {
        return new String(buffer, bodyFrom, bodyTo - bodyFrom, StandardCharsets.UTF_8);
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
