package io.orchestrion.testkit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A receiver of webhooks on this machine that does to each path what a test asks of it: answers,
/// fails, hangs, drips, redirects, or speaks nonsense. By sockets, so that it can be as rude as it
/// likes.
public final class HookReceiver implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    /// One request that came, whatever it was answered.
    public record Got(String path, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        public JsonNode json() {
            return JSON.readTree(body);
        }
    }

    /// What is done to a request once it is read.
    @FunctionalInterface
    public interface Manner {
        void answer(Got got, OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket listening;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, Manner> manners = new ConcurrentHashMap<>();
    private final List<Got> all = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    public HookReceiver() {
        try {
            listening = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Thread.ofVirtual().name("hook-receiver").start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    /// From now on that path is answered so; paths without a manner are answered 200.
    public HookReceiver on(String path, Manner manner) {
        manners.put(path, manner);
        return this;
    }

    public HookReceiver answering(String path, int status, String... headers) {
        return on(path, (_, out) -> say(out, status, "", headers));
    }

    /// Reads the request and says nothing until closed.
    public HookReceiver hanging(String path) {
        return on(path, (_, _) -> closed.await());
    }

    /// Answers after a while.
    public HookReceiver slow(String path, Duration wait) {
        return on(
                path,
                (_, out) -> {
                    if (!closed.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                        say(out, 200, "");
                    }
                });
    }

    /// Says one byte after the other of something that never ends.
    public HookReceiver dripping(String path, String start) {
        return on(
                path,
                (_, out) -> {
                    out.write(start.getBytes(StandardCharsets.US_ASCII));
                    do {
                        out.write('x');
                        out.flush();
                    } while (!closed.await(10, TimeUnit.MILLISECONDS));
                });
    }

    /// An answer with all that belongs to one.
    public static void say(OutputStream out, int status, String body, String... headers)
            throws IOException {
        var text = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        text.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
        out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        out.write(bytes);
        out.flush();
    }

    /// All that came, in the order in which it came.
    public List<Got> got() {
        return List.copyOf(all);
    }

    public List<Got> got(String path) {
        return all.stream().filter(each -> each.path().equals(path)).toList();
    }

    public void await(String path, int count) {
        Until.isTrue(
                count + " requests at " + path,
                Duration.ofSeconds(20),
                () -> got(path).size() >= count);
    }

    /// How many connections were open at once at the most.
    public int mostOpen() {
        return mostOpen.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            String first = line(in);
            while (!first.isEmpty()) {
                var headers = new TreeMap<String, String>();
                for (String line = line(in); !line.isEmpty(); line = line(in)) {
                    int colon = line.indexOf(':');
                    headers.put(
                            line.substring(0, colon).toLowerCase(Locale.ROOT),
                            line.substring(colon + 1).strip());
                }
                int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
                String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
                var got = new Got(first.split(" ")[1], headers, body);
                all.add(got);
                manners.getOrDefault(got.path(), (_, to) -> say(to, 200, "")).answer(got, out);
                first = line(in);
            }
        } catch (IOException | InterruptedException e) {
            // The other side went away, or the test is over.
        } finally {
            open.decrementAndGet();
        }
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n' && c != -1; c = in.read()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
