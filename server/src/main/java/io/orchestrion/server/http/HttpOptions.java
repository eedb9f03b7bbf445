package io.orchestrion.server.http;

import java.time.Duration;
import java.util.function.Consumer;

/// Where the server listens and what bounds a request.
///
/// @param port 0 for any free one
/// @param requestsMax calls served at once; beyond it 503 with `Retry-After`
/// @param requestsReserved how many of those are kept for vital endpoints
/// @param streamsMax streamed answers open at once, which hold no place among the calls served;
///     beyond it 503 with `Retry-After`
/// @param waitersMax calls that wait for something, likewise
/// @param connectionsMax open connections; more wait in the backlog of the operating system
/// @param connectionsPerAddressMax of them from one [ClientAddress#limitSubject]; one more is
///     answered 503 and closed; 0 for no bound
/// @param connectionsUncounted sources without that bound, as trusted proxies are in any case
/// @param trustedProxies peers whose word on where a request comes from is taken
/// @param requestLineBytesMax method, path and query; beyond it 414
/// @param headerBytesMax all headers together; beyond it 431
/// @param headerTime from the first byte of a request to the end of its headers
/// @param bodyTime to receive a whole body, or one line of a body that is read by lines
/// @param writeTime to hand a whole answer to the client, or one piece of a streamed one
/// @param idleTime a connection without a request is closed after it; also the longest a handler
///     should take
public record HttpOptions(
        String host,
        int port,
        int requestsMax,
        int requestsReserved,
        int streamsMax,
        int waitersMax,
        int connectionsMax,
        int connectionsPerAddressMax,
        AddressRanges connectionsUncounted,
        AddressRanges trustedProxies,
        int requestLineBytesMax,
        int headerBytesMax,
        Duration headerTime,
        Duration bodyTime,
        Duration writeTime,
        Duration idleTime) {
    public HttpOptions {
        if (requestsReserved < 0 || requestsReserved >= requestsMax) {
            throw new IllegalArgumentException(
                    "requestsReserved must be from 0 to below requestsMax");
        }
    }

    public static HttpOptions on(String host, int port) {
        return new HttpOptions(
                host,
                port,
                2_000,
                200,
                1_000,
                10_000,
                10_000,
                1_000,
                AddressRanges.LOOPBACK,
                AddressRanges.NONE,
                8_192,
                16_384,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(75));
    }

    public HttpOptions withRequests(int max, int reserved) {
        return with(
                draft -> {
                    draft.requestsMax = max;
                    draft.requestsReserved = reserved;
                });
    }

    public HttpOptions withStreams(int streams, int waiters) {
        return with(
                draft -> {
                    draft.streamsMax = streams;
                    draft.waitersMax = waiters;
                });
    }

    public HttpOptions withTimes(Duration header, Duration body, Duration write, Duration idle) {
        return with(
                draft -> {
                    draft.headerTime = header;
                    draft.bodyTime = body;
                    draft.writeTime = write;
                    draft.idleTime = idle;
                });
    }

    public HttpOptions withTrustedProxies(AddressRanges proxies) {
        return with(draft -> draft.trustedProxies = proxies);
    }

    public HttpOptions withConnectionsPerAddress(int max, AddressRanges uncounted) {
        return with(
                draft -> {
                    draft.connectionsPerAddressMax = max;
                    draft.connectionsUncounted = uncounted;
                });
    }

    private HttpOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.made();
    }

    /// The same options, to be changed one by one.
    private static final class Draft {
        String host;
        int port;
        int requestsMax;
        int requestsReserved;
        int streamsMax;
        int waitersMax;
        int connectionsMax;
        int connectionsPerAddressMax;
        AddressRanges connectionsUncounted;
        AddressRanges trustedProxies;
        int requestLineBytesMax;
        int headerBytesMax;
        Duration headerTime;
        Duration bodyTime;
        Duration writeTime;
        Duration idleTime;

        Draft(HttpOptions from) {
            host = from.host;
            port = from.port;
            requestsMax = from.requestsMax;
            requestsReserved = from.requestsReserved;
            streamsMax = from.streamsMax;
            waitersMax = from.waitersMax;
            connectionsMax = from.connectionsMax;
            connectionsPerAddressMax = from.connectionsPerAddressMax;
            connectionsUncounted = from.connectionsUncounted;
            trustedProxies = from.trustedProxies;
            requestLineBytesMax = from.requestLineBytesMax;
            headerBytesMax = from.headerBytesMax;
            headerTime = from.headerTime;
            bodyTime = from.bodyTime;
            writeTime = from.writeTime;
            idleTime = from.idleTime;
        }

        HttpOptions made() {
            return new HttpOptions(
                    host,
                    port,
                    requestsMax,
                    requestsReserved,
                    streamsMax,
                    waitersMax,
                    connectionsMax,
                    connectionsPerAddressMax,
                    connectionsUncounted,
                    trustedProxies,
                    requestLineBytesMax,
                    headerBytesMax,
                    headerTime,
                    bodyTime,
                    writeTime,
                    idleTime);
        }
    }
}
