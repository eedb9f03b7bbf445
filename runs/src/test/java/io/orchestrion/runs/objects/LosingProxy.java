package io.orchestrion.runs.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes everything on between a client and a service, but for one good answer of the service,
/// instead of which the client sees its connection end.
final class LosingProxy implements AutoCloseable {
    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger untilLost;
    private final URI service;

    /// @param lost which of the good answers is lost, from 1 on
    LosingProxy(URI service, int lost) throws IOException {
        this.service = service;
        this.untilLost = new AtomicInteger(lost);
        threads.submit(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /// Whether the answer has been lost.
    boolean hasLost() {
        return untilLost.get() <= 0;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(service.getHost(), service.getPort());
                threads.submit(() -> pass(client, server, false));
                threads.submit(() -> pass(server, client, true));
            } catch (IOException e) {
                // It was closed, or the service is gone, which the client sees.
            }
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[65_536];
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                if (answers && isGood(some, n) && untilLost.decrementAndGet() == 0) {
                    return;
                }
                out.write(some, 0, n);
                out.flush();
            }
        } catch (IOException e) {
            // One side has closed, and so does the other.
        }
    }

    private static boolean isGood(byte[] some, int length) {
        return new String(some, 0, Math.min(length, 12), StandardCharsets.ISO_8859_1)
                .equals("HTTP/1.1 200");
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
