package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManager;

/// Sends one request and reads its answer. Repeats it where that is safe.
final class Transport implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Transport.class.getName());
    private static final String WORKER_TOKEN = "mmwt_";

    /// One request.
    ///
    /// @param repeatable whether sending it twice does no harm
    /// @param also a status beside 2xx whose body is an answer and no error; 0 for none
    /// @param longPoll how long the server was asked to wait before it answers
    record Call(
            String method,
            String path,
            @Nullable JsonNode body,
            @Nullable String idempotencyKey,
            boolean repeatable,
            int also,
            Duration longPoll) {
        private Call(String method, String path, @Nullable JsonNode body, boolean repeatable) {
            this(method, path, body, null, repeatable, 0, Duration.ZERO);
        }

        static Call get(String path) {
            return new Call("GET", path, null, true);
        }

        static Call post(String path, @Nullable JsonNode body) {
            return new Call("POST", path, body, false);
        }

        /// A change that sets values, so that twice is the same as once.
        static Call patch(String path, ObjectNode body) {
            return new Call("PATCH", path, body, true);
        }

        /// A replacement of the whole, so that twice is the same as once.
        static Call put(String path, JsonNode body) {
            return new Call("PUT", path, body, true);
        }

        static Call delete(String path) {
            return new Call("DELETE", path, null, true);
        }

        Call withKey(String idempotencyKey) {
            return new Call(method, path, body, idempotencyKey, true, also, longPoll);
        }

        Call repeated(boolean safely) {
            return new Call(method, path, body, idempotencyKey, safely, also, longPoll);
        }

        Call accepting(int status) {
            return new Call(method, path, body, idempotencyKey, repeatable, status, longPoll);
        }

        Call waiting(Duration longPoll) {
            return new Call(method, path, body, idempotencyKey, repeatable, also, longPoll);
        }
    }

    /// Bytes that are on their way here.
    ///
    /// @param tag the ETag; empty for none
    record Download(InputStream body, String tag) {}

    private final String base;
    private final @Nullable String key;
    private final Duration timeout;
    private final RetryPolicy retries;
    private final AnswerListener listener;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;

    Transport(
            URI base,
            @Nullable String key,
            Duration timeout,
            RetryPolicy retries,
            AnswerListener listener) {
        this.base = base.toString().replaceFirst("/+$", "");
        this.key = key;
        this.timeout = timeout;
        this.retries = retries;
        this.listener = listener;
        // Redirects are not followed: the key goes to the server that was named and to no other.
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(timeout)
                        .executor(threads);
        http = ("http".equals(base.getScheme()) ? builder.sslContext(none()) : builder).build();
    }

    /// Plain HTTP needs no certificates, and loading the machine's takes a fifth of the whole time
    /// of a command at a terminal. This context trusts none.
    private static SSLContext none() {
        try {
            SSLContext none = SSLContext.getInstance("TLS");
            none.init(null, new TrustManager[0], null);
            return none;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    /// The clock on which this client waits.
    MonotonicClock clock() {
        return retries.clock();
    }

    <T> T send(Call call, Function<JsonNode, T> reader) {
        return repeating(call, () -> once(call, timeout.plus(call.longPoll()), reader));
    }

    /// The body of the answer as text.
    String text(Call call) {
        return repeating(
                call,
                () -> {
                    HttpResponse<String> response = asked(call, timeout);
                    return read(call, response, body -> body);
                });
    }

    /// An answer that stays open. The caller closes it.
    InputStream open(Call call) {
        return repeating(
                call,
                () -> {
                    HttpRequest request = request(call, timeout, "text/event-stream");
                    HttpResponse<InputStream> response =
                            exchange(request, BodyHandlers.ofInputStream(), timeout);
                    if (response.statusCode() / 100 != 2) {
                        throw refused(call, response);
                    }
                    return response.body();
                });
    }

    /// Sends bytes as they are, read while they are sent. It has no time limit as a whole: it ends
    /// when nothing more could be sent for as long as other requests may take.
    ///
    /// @param call repeatable only if the content can be read again
    <T> T upload(Call call, Content content, Function<JsonNode, T> reader) {
        return repeating(
                call,
                () -> {
                    var progress = new AtomicLong();
                    HttpRequest request =
                            headed(call, "application/json")
                                    .header("Content-Type", content.type())
                                    .method(call.method(), content.publisher(progress))
                                    .build();
                    HttpResponse<String> response =
                            exchange(request, BodyHandlers.ofString(), timeout, progress::get);
                    tell(call, response.statusCode(), response.body());
                    return read(call, response, body -> reader.apply(Json.tree(body)));
                });
    }

    /// Bytes as they are, with the head of their answer. The caller closes them. A read that waits
    /// longer than other requests may take ends with an exception.
    Download download(Call call) {
        return repeating(
                call,
                () -> {
                    HttpResponse<InputStream> response =
                            exchange(
                                    request(call, timeout, "*/*"),
                                    BodyHandlers.ofInputStream(),
                                    timeout);
                    if (response.statusCode() / 100 != 2) {
                        throw refused(call, response);
                    }
                    return new Download(
                            new WatchedStream(response.body(), timeout),
                            response.headers().firstValue("ETag").orElse(""));
                });
    }

    private OrchestrionException refused(Call call, HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            tell(call, response.statusCode(), text);
            return refusal(response, text);
        } catch (IOException e) {
            return withoutAnswer(e);
        }
    }

    private <T> T repeating(Call call, Supplier<T> once) {
        var earlier = new ArrayList<OrchestrionException>();
        for (int tried = 1; ; tried++) {
            try {
                return once.get();
            } catch (OrchestrionException e) {
                earlier.forEach(e::addSuppressed);
                if (!call.repeatable() || !retries.allows(tried, e)) {
                    throw e;
                }
                earlier.add(e);
                pause(retries.waitAfter(tried, e), e);
            }
        }
    }

    private void pause(Duration wait, OrchestrionException before) {
        try {
            retries.clock().sleep(wait);
        } catch (InterruptedException e) {
            var interrupted = interrupted(e);
            interrupted.addSuppressed(before);
            throw interrupted;
        }
    }

    /// As [#send], for the report of an outcome. If the server refuses it after a lost answer, our
    /// own first try may be the reason.
    <T> T settle(Call call, Function<JsonNode, T> reader, Supplier<T> now, Predicate<T> asAsked) {
        try {
            return send(call, reader);
        } catch (OrchestrionException e) {
            if (e.status() == 409 && unclearBefore(e)) {
                T found = foundOr(now, e);
                if (asAsked.test(found)) {
                    return found;
                }
            }
            throw e;
        }
    }

    /// A caller that may not read the subject gets the refusal.
    private static <T> T foundOr(Supplier<T> now, OrchestrionException refusal) {
        try {
            return now.get();
        } catch (OrchestrionException e) {
            refusal.addSuppressed(e);
            throw refusal;
        }
    }

    private static boolean unclearBefore(OrchestrionException e) {
        for (Throwable earlier : e.getSuppressed()) {
            if (earlier instanceof OrchestrionException before && before.unclear()) {
                return true;
            }
        }
        return false;
    }

    /// False if it is gone because of an earlier try whose answer was lost.
    boolean delete(String path) {
        try {
            return send(Call.delete(path), answer -> answer.path("deleted").booleanValue(true));
        } catch (OrchestrionException e) {
            if (e.status() == 404 && e.getSuppressed().length > 0) {
                return false;
            }
            throw e;
        }
    }

    /// Sends without repeating.
    <T> T once(Call call, Duration within, Function<JsonNode, T> reader) {
        return read(call, asked(call, within), body -> reader.apply(Json.tree(body)));
    }

    private HttpResponse<String> asked(Call call, Duration within) {
        HttpRequest request = request(call, within, "application/json");
        HttpResponse<String> response = exchange(request, BodyHandlers.ofString(), within);
        tell(call, response.statusCode(), response.body());
        return response;
    }

    private void tell(Call call, int status, String body) {
        try {
            listener.answered(call.method(), call.path(), status, body);
        } catch (RuntimeException e) {
            // The answer is returned all the same: it may be a lease that the caller has to keep.
            LOG.log(Level.WARNING, "the client's listener failed on " + call.path(), e);
        }
    }

    private HttpRequest request(Call call, Duration within, String form) {
        HttpRequest.Builder request = headed(call, form).timeout(within);
        if (call.body() == null) {
            return request.method(call.method(), BodyPublishers.noBody()).build();
        }
        return request.header("Content-Type", "application/json")
                .method(call.method(), BodyPublishers.ofString(Json.text(call.body())))
                .build();
    }

    private HttpRequest.Builder headed(Call call, String form) {
        var request =
                HttpRequest.newBuilder(URI.create(base + call.path()))
                        .header("Accept", form)
                        .header("User-Agent", "orchestrion-sdk-java");
        if (key != null && key.startsWith(WORKER_TOKEN)) {
            request.header("X-MoonMind-Worker-Token", key);
        } else if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        if (call.idempotencyKey() != null) {
            request.header("Idempotency-Key", call.idempotencyKey());
        }
        return request;
    }

    /// The time limit of Java's HTTP client ends with the head of the answer. A body that stops
    /// arriving would block a holder of a lease for ever, so this method limits the whole exchange.
    private <B> HttpResponse<B> exchange(
            HttpRequest request, HttpResponse.BodyHandler<B> body, Duration within) {
        return exchange(request, body, within, () -> 0);
    }

    /// @param progress a number that changes while the exchange is not standing still; the time
    ///     limit is for its standing still
    private <B> HttpResponse<B> exchange(
            HttpRequest request,
            HttpResponse.BodyHandler<B> body,
            Duration within,
            LongSupplier progress) {
        CompletableFuture<HttpResponse<B>> answer = http.sendAsync(request, body);
        try {
            while (true) {
                long before = progress.getAsLong();
                try {
                    return answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (progress.getAsLong() == before) {
                        throw e;
                    }
                }
            }
        } catch (ExecutionException e) {
            throw withoutAnswer(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw withoutAnswer(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            answer.cancel(true);
        }
    }

    private OrchestrionException withoutAnswer(Throwable cause) {
        return switch (cause) {
            case ConnectException _, HttpConnectTimeoutException _, SSLHandshakeException _ ->
                    OrchestrionException.ofClient(
                            OrchestrionException.UNREACHABLE,
                            0,
                            "no server answers at " + base,
                            cause);
            case RuntimeException mistake -> throw mistake;
            default ->
                    OrchestrionException.ofClient(
                            OrchestrionException.NO_ANSWER,
                            0,
                            "the server at "
                                    + base
                                    + " did not answer; what became of the request is not known",
                            cause);
        };
    }

    static OrchestrionException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return OrchestrionException.ofClient(
                OrchestrionException.INTERRUPTED, 0, "interrupted while asking the server", e);
    }

    private <T> T read(Call call, HttpResponse<String> response, Function<String, T> reader) {
        int status = response.statusCode();
        if (status / 100 != 2 && status != call.also()) {
            throw refusal(response, response.body());
        }
        try {
            return reader.apply(response.body());
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            throw foreign(status, e);
        }
    }

    private OrchestrionException refusal(HttpResponse<?> response, String body) {
        int status = response.statusCode();
        try {
            return Wire.error(status, Json.tree(body), retryAfter(response));
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            return foreign(status, e);
        }
    }

    private OrchestrionException foreign(int status, RuntimeException cause) {
        return OrchestrionException.ofClient(
                OrchestrionException.BAD_ANSWER,
                status,
                "what answers at "
                        + base
                        + " with status "
                        + status
                        + " does not speak Orchestrion's contract",
                cause);
    }

    /// The header in seconds, as Orchestrion servers send it. A date, which a proxy may send, is
    /// ignored.
    private static @Nullable Long retryAfter(HttpResponse<?> response) {
        String seconds = response.headers().firstValue("Retry-After").orElse("");
        return seconds.matches("[0-9]{1,9}") ? Long.valueOf(seconds) : null;
    }

    @Override
    public void close() {
        http.close();
        threads.close();
    }
}
