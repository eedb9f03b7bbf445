package io.orchestrion.server.runs.artifacts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Requests as no client library would send them.
record RawHttp(int port) {

    /// An answer as it came.
    ///
    /// @param status 0 where the connection was closed without one
    record Said(int status, String head, String body) {
        boolean hasHeader(String name) {
            return head.lines()
                    .anyMatch(each -> each.toLowerCase(Locale.ROOT).startsWith(name + ":"));
        }

        String error() {
            int at = body.indexOf("\"error\":\"");
            return at < 0 ? "" : body.substring(at + 9, body.indexOf('"', at + 9));
        }
    }

    /// @param request with `\r\n` where lines end, each character a byte
    Said send(String request) {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout((int) ArtifactFixture.SOON.toMillis());
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
            } catch (SocketException e) {
                // It was answered before it was read, and the answer is there.
            }
            return read(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Said read(Socket socket) throws IOException {
        byte[] all;
        try {
            all = socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            return new Said(0, "", "");
        }
        String text = new String(all, StandardCharsets.UTF_8);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return new Said(0, text, "");
        }
        int status = Integer.parseInt(text.substring(9, 12));
        return new Said(status, text.substring(0, end), text.substring(end + 4));
    }
}
