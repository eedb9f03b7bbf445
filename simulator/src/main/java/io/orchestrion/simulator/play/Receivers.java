package io.orchestrion.simulator.play;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.orchestrion.sdk.WebhookSignature;
import io.orchestrion.simulator.history.Observed.Receipt;
import io.orchestrion.simulator.history.Observed.Receiver;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// Web servers that take deliveries, well or badly, and write down each one. Each behaviour has a
/// port of its own, so that a sender who gives up on one host gives up on nobody else.
public final class Receivers implements AutoCloseable {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final Duration HANG = Duration.ofSeconds(8);
    private static final Duration SLOW = Duration.ofMillis(400);
    private static final int DRIPS = 60;

    /// A receiver is bad to one in so many events, or a run would be nothing but waiting.
    private static final int BAD_TO = 5;

    private final InstantSource clock;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Behaviour, HttpServer> servers = new EnumMap<>(Behaviour.class);
    private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();
    private final Map<String, WebhookSignature> secrets = new ConcurrentHashMap<>();
    private final Set<String> tried = ConcurrentHashMap.newKeySet();
    private final Queue<Receipt> receipts = new ConcurrentLinkedQueue<>();
    private final Map<String, Set<UUID>> taken = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /// @param clock to tell old messages from new ones
    public Receivers(InstantSource clock) throws IOException {
        this.clock = clock;
        for (Behaviour behaviour : Behaviour.values()) {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
            server.createContext("/", exchange -> handle(behaviour, exchange));
            server.setExecutor(threads);
            server.start();
            servers.put(behaviour, server);
        }
    }

    /// @param events null for a job's callback
    /// @return where to send to
    URI add(String name, int client, Behaviour behaviour, @Nullable List<String> events) {
        receivers.put(
                name, new Receiver(name, client, behaviour.name(), behaviour.accepts(), events));
        HttpServer server = servers.get(behaviour);
        if (server == null) {
            throw new IllegalStateException("every behaviour has a server");
        }
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + name);
    }

    void secret(String name, String secret) {
        secrets.put(name, WebhookSignature.of(secret));
    }

    public List<Receiver> all() {
        return List.copyOf(receivers.values());
    }

    public List<Receipt> receipts() {
        return List.copyOf(receipts);
    }

    /// Whether nothing more has to happen for the event to have reached its receiver.
    boolean taken(String receiver, UUID event) {
        Receiver named = receivers.get(receiver);
        return named == null
                || !named.accepts()
                || taken.getOrDefault(receiver, Set.of()).contains(event);
    }

    private void handle(Behaviour behaviour, HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String name = exchange.getRequestURI().getPath().substring(1);
            String id = exchange.getRequestHeaders().getFirst("webhook-id");
            boolean first = tried.add(name + " " + id);
            boolean bad = first && id != null && Math.floorMod(id.hashCode(), BAD_TO) == 0;
            int status =
                    behaviour == Behaviour.FAILS || (behaviour == Behaviour.FLAKY && bad)
                            ? 500
                            : behaviour == Behaviour.HANGS && bad ? 0 : 200;
            note(name, exchange, id, body, status);
            answer(behaviour, exchange, bad, status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(Behaviour behaviour, HttpExchange exchange, boolean bad, int status)
            throws IOException, InterruptedException {
        if (status == 0) {
            Thread.sleep(HANG);
        } else if (behaviour == Behaviour.DRIPS && bad) {
            exchange.sendResponseHeaders(200, DRIPS);
            try (OutputStream out = exchange.getResponseBody()) {
                for (int i = 0; i < DRIPS; i++) {
                    out.write('.');
                    out.flush();
                    Thread.sleep(Duration.ofMillis(100));
                }
            } catch (IOException e) {
                // The sender has had enough, which is what it is to show.
            }
        } else {
            if (behaviour == Behaviour.SLOW) {
                Thread.sleep(SLOW);
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private void note(
            String name, HttpExchange exchange, @Nullable String id, byte[] body, int status) {
        JsonNode event;
        try {
            event = JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            event = JsonMapper.shared().createObjectNode();
        }
        UUID eventId = uuid(event, "event_id");
        String scenario = text(event, "scenario");
        receipts.add(
                new Receipt(
                        name,
                        numbers.incrementAndGet(),
                        id,
                        signed(name, exchange, id, body),
                        eventId,
                        uuid(event, "job_id"),
                        text(event, "event_name"),
                        text(event, "prev_state"),
                        text(event, "next_state"),
                        instant(event, "timestamp"),
                        scenario == null ? text(event.path("payload"), "scenario") : scenario,
                        status));
        if (eventId != null && status == 200) {
            taken.computeIfAbsent(name, _ -> ConcurrentHashMap.newKeySet()).add(eventId);
        }
    }

    private @Nullable Boolean signed(
            String name, HttpExchange exchange, @Nullable String id, byte[] body) {
        WebhookSignature secret = secrets.get(name);
        if (secret == null) {
            return null;
        }
        return secret.verifies(
                id,
                exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                exchange.getRequestHeaders().getFirst("webhook-signature"),
                body,
                clock.instant(),
                TOLERANCE);
    }

    private static @Nullable String text(JsonNode from, String name) {
        return from.path(name).stringValueOpt().orElse(null);
    }

    private static @Nullable UUID uuid(JsonNode from, String name) {
        try {
            String text = text(from, name);
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable Instant instant(JsonNode from, String name) {
        try {
            String text = text(from, name);
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    @Override
    public void close() {
        servers.values().forEach(server -> server.stop(0));
        threads.shutdownNow();
    }
}
