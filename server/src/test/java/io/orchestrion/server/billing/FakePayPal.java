package io.orchestrion.server.billing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Speaks PayPal's Orders API as far as we use it, counts what it does, and fails on demand. Money
/// moves where PayPal would move it: [#captures] counts captures that were made, not requests.
public final class FakePayPal implements AutoCloseable {
    public static final String CLIENT_ID = "client-id-of-the-tests";
    public static final String SECRET = "EKz8secret+of/the=tests";
    private static final JsonMapper JSON = JsonMapper.shared();

    /// What is asked of PayPal.
    public enum Operation {
        TOKEN,
        CREATE,
        LOOK,
        CAPTURE
    }

    /// What goes wrong. Those called AFTER do what was asked first.
    public enum Fault {
        STATUS_500,
        AFTER_500,
        CUT,
        AFTER_CUT,
        HANG,
        AFTER_HANG,
        /// Headers and half a body, and nothing more.
        AFTER_STALL,
        NO_JSON,
        UNAUTHORIZED,
        /// A look at the order as it was before the capture.
        STALE,
        DECLINED,
        /// Captured by an earlier request, say, and refused now.
        AFTER_DECLINED,
        /// As [#refuseNextCapture] was told.
        REFUSED,
        NOT_APPROVED,
        ALREADY_CAPTURED,
        PENDING,
        REFUSED_BY_PAYPAL,
        WRONG_AMOUNT,
        WRONG_CURRENCY
    }

    private static final Set<Fault> DONE_FIRST =
            Set.of(
                    Fault.AFTER_500,
                    Fault.AFTER_CUT,
                    Fault.AFTER_HANG,
                    Fault.AFTER_STALL,
                    Fault.AFTER_DECLINED,
                    Fault.PENDING,
                    Fault.STALE,
                    Fault.WRONG_AMOUNT,
                    Fault.WRONG_CURRENCY,
                    Fault.REFUSED_BY_PAYPAL);

    private record Reply(int status, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, ObjectNode> orders = new ConcurrentHashMap<>();
    private final Map<String, Reply> answered = new ConcurrentHashMap<>();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final Map<Operation, Deque<Fault>> next = new EnumMap<>(Operation.class);
    private final Map<Operation, Fault> always = new ConcurrentHashMap<>();
    private final Map<Operation, AtomicInteger> requests = new EnumMap<>(Operation.class);
    private final AtomicInteger captures = new AtomicInteger();
    private final AtomicInteger ids = new AtomicInteger();
    private final List<String> captureRequestIds = new CopyOnWriteArrayList<>();
    private final List<JsonNode> created = new CopyOnWriteArrayList<>();
    private volatile Runnable whenCaptured = () -> {};
    private volatile Reply refusal = issue("");
    private volatile boolean keepsRefusals;

    public FakePayPal() {
        for (Operation operation : Operation.values()) {
            next.put(operation, new ArrayDeque<>());
            requests.put(operation, new AtomicInteger());
        }
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public PayPalOptions options() {
        return PayPalOptions.of(url(), CLIENT_ID, SECRET)
                .withTimeouts(Duration.ofSeconds(2), Duration.ofMillis(1500));
    }

    /// The next such request fails so.
    public void failNext(Operation operation, Fault fault) {
        synchronized (next) {
            next.get(operation).add(fault);
        }
    }

    /// Every such request fails so, until [#heal].
    public void fail(Operation operation, Fault fault) {
        always.put(operation, fault);
    }

    public void refuseNextCapture(int status, String issue) {
        refusal = new Reply(status, issue(issue).body());
        failNext(Operation.CAPTURE, Fault.REFUSED);
    }

    /// The same request id gets the same refusal from now on.
    public void keepRefusals() {
        keepsRefusals = true;
    }

    public void heal() {
        always.clear();
    }

    /// Runs after a capture was made and before it is answered.
    public void whenCaptured(Runnable action) {
        whenCaptured = action;
    }

    /// As the human does on PayPal's page.
    public void approve(String orderId) {
        orders.get(orderId).put("status", "APPROVED");
    }

    public void approveAll() {
        orders.values().stream()
                .filter(order -> order.get("status").asString().equals("PAYER_ACTION_REQUIRED"))
                .forEach(order -> order.put("status", "APPROVED"));
    }

    public void status(String orderId, String status) {
        orders.get(orderId).put("status", status);
    }

    public void captureStatus(String orderId, String status) {
        ((ObjectNode) orders.get(orderId).at("/purchase_units/0/payments/captures/0"))
                .put("status", status);
    }

    public void forget(String orderId) {
        orders.remove(orderId);
    }

    public void forgetTokens() {
        tokens.clear();
    }

    /// As PayPal does after some hours.
    public void forgetRequestIds() {
        answered.clear();
    }

    public String lastOrder() {
        return "ORDER" + created.size();
    }

    public Set<String> tokens() {
        return tokens;
    }

    public int captures() {
        return captures.get();
    }

    public int requests(Operation operation) {
        return requests.get(operation).get();
    }

    public List<String> captureRequestIds() {
        return captureRequestIds;
    }

    /// The bodies of all orders that were asked for.
    public List<JsonNode> created() {
        return created;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Operation operation = operation(exchange.getRequestMethod(), path);
        requests.get(operation).incrementAndGet();
        Fault fault = fault(operation);
        Reply reply =
                fault == null || DONE_FIRST.contains(fault)
                        ? answer(operation, path, body, exchange, fault)
                        : refused(operation, exchange, fault);
        switch (fault == null ? Fault.STATUS_500 : fault) {
            case CUT, AFTER_CUT -> exchange.close();
            case HANG, AFTER_HANG -> hang(exchange);
            case AFTER_STALL -> stall(exchange, reply);
            default -> send(exchange, refusedAfter(fault) ? failed(fault) : reply);
        }
    }

    private static boolean refusedAfter(Fault fault) {
        return fault == Fault.AFTER_500 || fault == Fault.AFTER_DECLINED;
    }

    private Reply refused(Operation operation, HttpExchange exchange, Fault fault) {
        Reply reply = fault == Fault.REFUSED ? refusal : failed(fault);
        if (keepsRefusals && operation == Operation.CAPTURE) {
            String requestId = exchange.getRequestHeaders().getFirst("PayPal-Request-Id");
            answered.put(operation + " " + requestId, reply);
        }
        return reply;
    }

    private static Operation operation(String method, String path) {
        if (path.endsWith("/oauth2/token")) {
            return Operation.TOKEN;
        }
        if (method.equals("GET")) {
            return Operation.LOOK;
        }
        return path.endsWith("/capture") ? Operation.CAPTURE : Operation.CREATE;
    }

    private Fault fault(Operation operation) {
        synchronized (next) {
            Fault once = next.get(operation).poll();
            return once == null ? always.get(operation) : once;
        }
    }

    private static Reply failed(Fault fault) {
        return switch (fault) {
            case DECLINED, AFTER_DECLINED -> issue("INSTRUMENT_DECLINED");
            case NOT_APPROVED -> issue("ORDER_NOT_APPROVED");
            case ALREADY_CAPTURED -> issue("ORDER_ALREADY_CAPTURED");
            case UNAUTHORIZED -> new Reply(401, "{\"error\":\"invalid_client\"}");
            case NO_JSON -> new Reply(200, "<html>hello</html>");
            default -> new Reply(500, "{\"name\":\"INTERNAL_SERVER_ERROR\"}");
        };
    }

    private static Reply issue(String issue) {
        return new Reply(
                422,
                "{\"name\":\"UNPROCESSABLE_ENTITY\",\"details\":[{\"issue\":\"" + issue + "\"}]}");
    }

    private void hang(HttpExchange exchange) {
        try {
            closed.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    private void stall(HttpExchange exchange, Reply reply) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), 100_000);
        exchange.getResponseBody().write(reply.body().getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        hang(exchange);
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Reply answer(
            Operation operation, String path, String body, HttpExchange exchange, Fault fault) {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (operation == Operation.TOKEN) {
            return token(authorization, body);
        }
        if (!tokens.contains(authorization.replaceFirst("^Bearer ", ""))) {
            return new Reply(401, "{\"error\":\"invalid_token\"}");
        }
        if (operation == Operation.LOOK) {
            ObjectNode order = orders.get(path.substring(path.lastIndexOf('/') + 1));
            if (order == null) {
                return new Reply(404, "{\"name\":\"RESOURCE_NOT_FOUND\"}");
            }
            return new Reply(200, (fault == Fault.STALE ? beforeCapture(order) : order).toString());
        }
        // The same request id gets the first answer again, and nothing is done twice. One at a
        // time: computeIfAbsent keeps the others waiting.
        String requestId = exchange.getRequestHeaders().getFirst("PayPal-Request-Id");
        if (operation == Operation.CAPTURE) {
            captureRequestIds.add(requestId);
        }
        Reply made =
                answered.computeIfAbsent(
                        operation + " " + requestId,
                        _ ->
                                operation == Operation.CREATE
                                        ? create((ObjectNode) JSON.readTree(body))
                                        : capture(path.split("/")[4], fault));
        if (made.status() >= 400 && !keepsRefusals) {
            // PayPal need not keep refusals: after an approval the same request may succeed.
            answered.remove(operation + " " + requestId);
        }
        return made;
    }

    private static ObjectNode beforeCapture(ObjectNode order) {
        ObjectNode before = order.deepCopy().put("status", "APPROVED");
        ((ObjectNode) before.at("/purchase_units/0")).remove("payments");
        return before;
    }

    private Reply token(String authorization, String body) {
        String credentials =
                Base64.getEncoder()
                        .encodeToString(
                                (CLIENT_ID + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
        if (!("Basic " + credentials).equals(authorization)
                || !body.equals("grant_type=client_credentials")) {
            return new Reply(401, "{\"error\":\"invalid_client\"}");
        }
        String token = "A21AAtoken-" + ids.incrementAndGet();
        tokens.add(token);
        return new Reply(200, "{\"access_token\":\"" + token + "\",\"expires_in\":32400}");
    }

    private Reply create(ObjectNode body) {
        created.add(body);
        String id = "ORDER" + created.size();
        ObjectNode order = JSON.createObjectNode().put("id", id);
        order.put("intent", body.path("intent").asString(""))
                .put("status", "PAYER_ACTION_REQUIRED");
        order.set("purchase_units", body.get("purchase_units").deepCopy());
        orders.put(id, order);
        ObjectNode answer = order.deepCopy();
        var links = answer.putArray("links");
        links.addObject().put("rel", "self").put("href", url() + "/v2/checkout/orders/" + id);
        links.addObject()
                .put("rel", "payer-action")
                .put("href", "https://www.paypal.example/checkoutnow?token=" + id);
        return new Reply(200, answer.toString());
    }

    private Reply capture(String id, Fault fault) {
        ObjectNode order = orders.get(id);
        if (order == null) {
            return new Reply(404, "{\"name\":\"RESOURCE_NOT_FOUND\"}");
        }
        String status = order.get("status").asString();
        if (status.equals("COMPLETED")) {
            return issue("ORDER_ALREADY_CAPTURED");
        }
        if (!status.equals("APPROVED")) {
            return issue("ORDER_NOT_APPROVED");
        }
        // Changed as a copy: who looks meanwhile sees all of the capture or nothing.
        ObjectNode captured = order.deepCopy();
        ObjectNode unit = (ObjectNode) captured.at("/purchase_units/0");
        ObjectNode capture =
                unit.putObject("payments")
                        .putArray("captures")
                        .addObject()
                        .put("id", "CAPTURE" + captures.incrementAndGet());
        ObjectNode amount =
                capture.set("amount", unit.get("amount").deepCopy()).withObject("amount");
        if (fault == Fault.WRONG_AMOUNT) {
            amount.put("value", "0.01");
        }
        if (fault == Fault.WRONG_CURRENCY) {
            amount.put("currency_code", "EUR");
        }
        capture.put(
                "status",
                fault == Fault.PENDING
                        ? "PENDING"
                        : fault == Fault.REFUSED_BY_PAYPAL ? "DECLINED" : "COMPLETED");
        captured.put("status", "COMPLETED");
        orders.put(id, captured);
        whenCaptured.run();
        return new Reply(201, captured.toString());
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
