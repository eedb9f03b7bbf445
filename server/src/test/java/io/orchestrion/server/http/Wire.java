package io.orchestrion.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// A raw connection, for requests that no client library would send.
final class Wire implements AutoCloseable {
    record Reply(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    private final Socket socket;
    private final InputStream in;

    Wire(HttpServer server) throws IOException {
        socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(8000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    Wire send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    Wire endOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /// The next reply, or null when the connection ended.
    Reply reply() throws IOException {
        String status = line();
        if (status == null) {
            return null;
        }
        var headers = new TreeMap<String, String>();
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Reply(Integer.parseInt(status.substring(9, 12)), headers, body);
    }

    /// The next chunk of a streamed body, empty at its end.
    String chunk() throws IOException {
        String size = line();
        if (size == null) {
            throw new IOException("The connection ended within a streamed body");
        }
        String chunk =
                new String(in.readNBytes(Integer.parseInt(size, 16)), StandardCharsets.UTF_8);
        line();
        return chunk;
    }

    /// True when the server closes the connection without another byte.
    boolean closed() {
        try {
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /// Every reply until the server closes.
    List<Reply> replies() {
        var replies = new ArrayList<Reply>();
        try {
            for (Reply reply = reply(); reply != null; reply = reply()) {
                replies.add(reply);
            }
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("The connection stayed open after " + replies, e);
        } catch (IOException e) {
            // Reset: the end too.
        }
        return replies;
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
