package io.orchestrion.server.egress;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.CallOutcome.Answered;
import io.orchestrion.kernel.egress.CallOutcome.Failed;
import io.orchestrion.kernel.egress.CallOutcome.Reason;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.server.http.AddressRanges;

import okhttp3.ConnectionPool;
import okhttp3.Headers;
import okhttp3.Interceptor;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.net.ssl.SSLException;

/// Makes calls with OkHttp. Nothing is followed, nothing unpacked, nothing sent twice, and no more
/// is read of an answer than is kept of it. Connections go to addresses that were looked at, under
/// the name in the URL.
public final class GuardedEgress implements Egress, AutoCloseable {
    private static final int IDLE_CONNECTIONS = 32;
    private static final int IDLE_SECONDS = 30;
    private static final String RETRY_AFTER = "Retry-After";

    /// What the other side asked for, out of the client's sight.
    private static final String ASKED_TO_WAIT = "X-Orchestrion-Asked-To-Wait";

    private static final Set<String> NEED_A_BODY = Set.of("POST", "PUT", "PATCH");

    /// The addresses that were found for the host that this thread is about to call. So there is a
    /// single look-up for a call, counted for its owner.
    private static final ThreadLocal<@Nullable Found> FOUND = new ThreadLocal<>();

    private final AddressGuard guard;
    private final OkHttpClient http;

    /// @param guard is closed with this
    public GuardedEgress(AddressGuard guard) {
        this.guard = guard;
        this.http =
                new OkHttpClient.Builder()
                        .dns(this::addresses)
                        // A proxy would look names up by itself, and might find other addresses.
                        .proxy(Proxy.NO_PROXY)
                        .followRedirects(false)
                        .followSslRedirects(false)
                        .retryOnConnectionFailure(false)
                        .protocols(List.of(Protocol.HTTP_1_1))
                        .connectionPool(
                                new ConnectionPool(
                                        IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS))
                        .addNetworkInterceptor(GuardedEgress::once)
                        .build();
    }

    /// Calls to addresses that the operator has set: they may be in any network, such as a model on
    /// this machine. All other bounds hold.
    public static GuardedEgress ofOperator(Duration lookUpWithin) {
        return new GuardedEgress(
                new AddressGuard(AddressRanges.ALL, AddressGuard.Resolver.SYSTEM, lookUpWithin));
    }

    private record Found(String host, List<InetAddress> addresses) {}

    private List<InetAddress> addresses(String host) throws UnknownHostException {
        Found found = FOUND.get();
        return found != null && found.host().equals(host) ? found.addresses() : guard.vetted(host);
    }

    /// The client sends a request again at once where the answer asks for it; when it is sent again
    /// is ours to say. There is a connection here, and the request goes out next.
    private static Response once(Interceptor.Chain chain) throws IOException {
        AtomicBoolean sent = chain.request().tag(AtomicBoolean.class);
        if (sent != null) {
            sent.set(true);
        }
        Response response = chain.proceed(chain.request());
        String asked = response.header(RETRY_AFTER);
        return asked == null
                ? response
                : response.newBuilder()
                        .removeHeader(RETRY_AFTER)
                        .header(ASKED_TO_WAIT, asked)
                        .build();
    }

    @Override
    public @Nullable String knownFault(String url) {
        return guard.knownFault(url);
    }

    @Override
    public @Nullable String fault(UUID account, String url) {
        return guard.fault(account, url);
    }

    @Override
    public CallOutcome call(UUID account, Call call) throws InterruptedException {
        ReceiverUrl.Read read = ReceiverUrl.read(call.url());
        if (read.url() == null) {
            return new Failed(Reason.ADDRESS_REFUSED, "The URL " + read.fault() + ".", false);
        }
        var sent = new AtomicBoolean();
        try {
            // The client asks nobody about an address that needs no resolving.
            String host = read.url().host();
            FOUND.set(new Found(host, guard.vetted(account, host)));
            try (Response response = timed(call).newCall(request(call, sent)).execute()) {
                return answered(call, response);
            }
        } catch (IOException | RuntimeException e) {
            // The client throws some of what it cannot read of an answer as mistakes of ours.
            if (Thread.interrupted()) {
                throw new InterruptedException("a call was interrupted");
            }
            return failed(call, e, sent.get());
        } finally {
            FOUND.remove();
        }
    }

    /// Shares connections with all others.
    private OkHttpClient timed(Call call) {
        return http.newBuilder()
                .callTimeout(call.within())
                .connectTimeout(call.connectWithin())
                .readTimeout(call.quietWithin())
                .writeTimeout(call.within())
                .build();
    }

    private static Request request(Call call, AtomicBoolean sent) {
        byte[] bytes = call.body();
        if (bytes == null && NEED_A_BODY.contains(call.method())) {
            bytes = new byte[0];
        }
        var request =
                new Request.Builder()
                        .url(call.url())
                        .tag(AtomicBoolean.class, sent)
                        .method(call.method(), bytes == null ? null : RequestBody.create(bytes))
                        // Nothing to unpack.
                        .header("Accept-Encoding", "identity");
        call.headers().forEach(request::header);
        return request.build();
    }

    private static CallOutcome answered(Call call, Response response) throws IOException {
        var read = new Buffer();
        BufferedSource source = response.body().source();
        // One byte more than allowed separates an answer that is too large from one that just fits.
        long wanted = call.startOnly() ? call.answerMost() : call.answerMost() + 1L;
        try {
            while (read.size() < wanted && source.read(read, wanted - read.size()) != -1) {
                // More of it.
            }
        } catch (IOException e) {
            // If the start of an answer is enough, an answer that has begun counts.
            if (!call.startOnly()) {
                throw e;
            }
        }
        if (read.size() > call.answerMost()) {
            return new Failed(
                    Reason.TOO_LARGE,
                    "The answer has more than " + call.answerMost() + " bytes.",
                    true);
        }
        return new Answered(response.code(), headers(response.headers()), read.readByteArray());
    }

    private static Map<String, List<String>> headers(Headers sent) {
        var headers = new HashMap<>(sent.toMultimap());
        List<String> asked = headers.remove(ASKED_TO_WAIT.toLowerCase(Locale.ROOT));
        if (asked != null) {
            headers.put(RETRY_AFTER, asked);
        }
        return headers;
    }

    private static Failed failed(Call call, Exception e, boolean sent) {
        // The class says enough; a message might quote what was sent.
        String kind = e.getClass().getSimpleName();
        return switch (e) {
            case AddressGuard.Refused refused ->
                    new Failed(Reason.ADDRESS_REFUSED, String.valueOf(refused.getMessage()), sent);
            case UnknownHostException _ ->
                    new Failed(Reason.UNKNOWN_HOST, "The name of the host is not known.", sent);
            case InterruptedIOException _ ->
                    new Failed(
                            Reason.TIMED_OUT,
                            "There was no answer within "
                                    + call.within().toMillis()
                                    + " milliseconds"
                                    + (call.quietWithin().compareTo(call.within()) < 0
                                            ? ", or nothing more of it within "
                                                    + call.quietWithin().toMillis()
                                                    + "."
                                            : "."),
                            sent);
            case SSLException _ ->
                    new Failed(Reason.TLS_FAILED, "No secure connection: " + kind + ".", sent);
            default ->
                    new Failed(
                            sent ? Reason.BROKEN : Reason.CONNECT_FAILED,
                            "The connection failed: " + kind + ".",
                            sent);
        };
    }

    /// Cuts off what is under way.
    @Override
    public void close() {
        http.dispatcher().cancelAll();
        http.connectionPool().evictAll();
        guard.close();
    }
}
