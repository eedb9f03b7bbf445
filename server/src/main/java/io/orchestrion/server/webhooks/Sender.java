package io.orchestrion.server.webhooks;

import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.egress.ReceiverUrl;

import okhttp3.ConnectionPool;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

import okio.Buffer;
import okio.BufferedSource;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLException;

/// Calls receivers. Whatever one does, the call is over in time and has taken little room: nothing
/// is followed, nothing unpacked, and no more is read of an answer than is kept of it. Connections
/// go to addresses that were looked at, under the name in the URL.
public final class Sender implements AutoCloseable {
    /// The word of an attempt that had no answer in time. It is stored and published, and is the
    /// code that the door of the webhooks has for it.
    public static final String TIMED_OUT = "RFA_DEPENDENCY_TIMEOUT";

    static final int ANSWER_BYTES = 1024;
    private static final int IDLE_CONNECTIONS = 32;
    private static final int IDLE_SECONDS = 30;
    private static final String RETRY_AFTER = "Retry-After";

    /// What the receiver asked for, out of the client's sight.
    private static final String ASKED_TO_WAIT = "X-Orchestrion-Asked-To-Wait";

    /// What was found of the host that this thread is about to call: one look is enough, and one
    /// that is made for its owner.
    private static final ThreadLocal<@Nullable Found> FOUND = new ThreadLocal<>();

    private static final MediaType JSON = MediaType.get("application/json");

    private final AddressGuard guard;
    private final OkHttpClient http;

    /// What came of a call.
    public sealed interface Outcome {
        /// @param retryAfterSeconds what it asks for; null when it asks for nothing
        record Answered(int status, String start, @Nullable Long retryAfterSeconds)
                implements Outcome {}

        /// @param error one of few words
        record Unanswered(String error, String detail) implements Outcome {}
    }

    Sender(AddressGuard guard, Duration timeout) {
        this.guard = guard;
        this.http =
                new OkHttpClient.Builder()
                        .dns(this::addresses)
                        // One would resolve names itself, and not as we did.
                        .proxy(Proxy.NO_PROXY)
                        .followRedirects(false)
                        .followSslRedirects(false)
                        .retryOnConnectionFailure(false)
                        .protocols(List.of(Protocol.HTTP_1_1))
                        .connectionPool(
                                new ConnectionPool(
                                        IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS))
                        .addNetworkInterceptor(Sender::once)
                        .callTimeout(timeout)
                        .connectTimeout(timeout)
                        .readTimeout(timeout)
                        .writeTimeout(timeout)
                        .build();
    }

    /// The client sends a request again at once where the answer asks for it; when it is sent again
    /// is ours to say.
    private static Response once(Interceptor.Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        String asked = response.header(RETRY_AFTER);
        return asked == null
                ? response
                : response.newBuilder()
                        .removeHeader(RETRY_AFTER)
                        .header(ASKED_TO_WAIT, asked)
                        .build();
    }

    /// @param owner the account whose receiver it is
    Outcome send(UUID owner, ReceiverUrl url, Map<String, String> headers, byte[] body) {
        try {
            // The client asks nobody about an address that needs no resolving.
            FOUND.set(new Found(url.host(), guard.vetted(owner, url.host())));
            var request =
                    new Request.Builder()
                            .url(url.uri().toString())
                            .post(RequestBody.create(body, JSON))
                            // Nothing to unpack.
                            .header("Accept-Encoding", "identity");
            headers.forEach(request::header);
            try (Response response = http.newCall(request.build()).execute()) {
                return new Outcome.Answered(
                        response.code(), start(response), seconds(response.header(ASKED_TO_WAIT)));
            }
        } catch (AddressGuard.Refused e) {
            return new Outcome.Unanswered("address_refused", String.valueOf(e.getMessage()));
        } catch (UnknownHostException e) {
            return new Outcome.Unanswered("unknown_host", "The name of the host is not known.");
        } catch (InterruptedIOException e) {
            return new Outcome.Unanswered(
                    TIMED_OUT,
                    "The receiver did not answer within "
                            + http.callTimeoutMillis()
                            + " milliseconds.");
        } catch (SSLException e) {
            return new Outcome.Unanswered(
                    "tls_failed", "No secure connection: " + e.getClass().getSimpleName() + ".");
        } catch (IOException | RuntimeException e) {
            // The client throws some of what it cannot read of an answer as mistakes of ours.
            // The class says enough; a message might quote what was sent.
            return new Outcome.Unanswered(
                    "connection_failed",
                    "The connection failed: " + e.getClass().getSimpleName() + ".");
        } finally {
            FOUND.remove();
        }
    }

    private record Found(String host, List<InetAddress> addresses) {}

    private List<InetAddress> addresses(String host) throws UnknownHostException {
        Found found = FOUND.get();
        return found != null && found.host().equals(host) ? found.addresses() : guard.vetted(host);
    }

    /// A receiver whose answer has begun has taken the delivery or refused it; that the rest comes
    /// drop by drop changes nothing.
    private static String start(Response response) {
        var read = new Buffer();
        try {
            BufferedSource source = response.body().source();
            while (read.size() < ANSWER_BYTES
                    && source.read(read, ANSWER_BYTES - read.size()) != -1) {
                // More of it.
            }
        } catch (IOException e) {
            // What has come so far is kept.
        }
        return printable(new String(read.readByteArray(), StandardCharsets.UTF_8));
    }

    /// It is shown to people: nothing in it moves a cursor, and the database takes it.
    private static String printable(String text) {
        var out = new StringBuilder();
        text.codePoints()
                .limit(ANSWER_BYTES)
                .forEach(
                        point ->
                                out.appendCodePoint(
                                        point == '\n' || point == '\t' || !unprintable(point)
                                                ? point
                                                : 0xfffd));
        return out.substring(0, Math.min(out.length(), ANSWER_BYTES));
    }

    private static boolean unprintable(int point) {
        return Character.isISOControl(point)
                || Character.getType(point) == Character.FORMAT
                || Character.getType(point) == Character.SURROGATE;
    }

    private static @Nullable Long seconds(@Nullable String header) {
        return header != null && header.matches("[0-9]{1,7}") ? Long.valueOf(header) : null;
    }

    /// Cuts off what is under way.
    @Override
    public void close() {
        http.dispatcher().cancelAll();
        http.connectionPool().evictAll();
    }
}
