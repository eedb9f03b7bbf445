package io.orchestrion.server.http;

import java.time.Duration;
import java.util.function.Consumer;

/// Where the server listens and what bounds a request.
///
/// @param port 0 for any free one
/// @param admission how many calls are served at once
/// @param memory what calls may hold of it
/// @param streamsMax streamed answers open at once, which hold no place among the calls served;
///     beyond it 503 with `Retry-After`
/// @param waitersMax calls that wait for something, likewise
/// @param connectionsMax open connections; on some more only what holders say is served, and the
///     rest waits in the backlog of the operating system
/// @param connectionsPerAddressMax of them from one [ClientAddress#limitSubject]; on some more only
///     what holders say is served, and one beyond those is answered 503 and closed; 0 for no bound
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
        Admission admission,
        Memory memory,
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
    /// Calls served at once, of each urgency. A call that finds no place waits for one, and is
    /// answered 503 with `Retry-After` when there is none in time.
    ///
    /// @param ordinary more of them do not make a processor faster, they only wait longer for it
    /// @param patience how long a call waits for its place
    public record Admission(int ordinary, int holders, int probes, Duration patience) {
        private static final int ORDINARY_OF_A_PROCESSOR = 64;
        private static final int HOLDERS = 500;
        private static final int PROBES = 50;

        static Admission onThisMachine() {
            return new Admission(
                    ORDINARY_OF_A_PROCESSOR * Runtime.getRuntime().availableProcessors(),
                    HOLDERS,
                    PROBES,
                    Duration.ofSeconds(1));
        }

        int placesOf(Urgency urgency) {
            return switch (urgency) {
                case ORDINARY -> ordinary;
                case HOLDER -> holders;
                case PROBE -> probes;
            };
        }
    }

    /// Bytes that calls may hold at once: see [BytesInFlight].
    ///
    /// @param all of the process; beyond it 503
    /// @param each of one account, or of one address without a key; beyond it 429
    public record Memory(long all, long each) {
        /// The default. The rest of the heap is for open connections, what is being read from the
        /// database, what is remembered, and the room that a collector needs.
        private static final int PERCENT_OF_HEAP = 40;

        /// The share of one account, so that several accounts can have large requests at once.
        private static final double SHARE_OF_ONE = 0.25;

        /// A share that only holders may use.
        private static final double SHARE_OF_HOLDERS = 0.2;

        public static Memory ofHeap(int percent) {
            long all = Runtime.getRuntime().maxMemory() / 100 * percent;
            return new Memory(all, (long) (all * SHARE_OF_ONE));
        }

        long boundOf(Urgency urgency) {
            return urgency == Urgency.HOLDER ? all : (long) (all * (1 - SHARE_OF_HOLDERS));
        }
    }

    /// An open connection holds its buffers and the stack of its thread.
    private static final int CONNECTION_BYTES = 32 * 1024;

    private static final int CONNECTIONS_LEAST = 500;
    private static final int CONNECTIONS_MOST = 10_000;

    /// As many as fit into a quarter of the heap.
    private static int connectionsInHeap() {
        long fit = Runtime.getRuntime().maxMemory() / 4 / CONNECTION_BYTES;
        return (int) Math.clamp(fit, CONNECTIONS_LEAST, CONNECTIONS_MOST);
    }

    /// How many more than a bound of connections are taken in the hope that holders come on them.
    static int more(int bound) {
        return bound / 10 + 10;
    }

    public static HttpOptions on(String host, int port) {
        return new HttpOptions(
                host,
                port,
                Admission.onThisMachine(),
                Memory.ofHeap(Memory.PERCENT_OF_HEAP),
                1_000,
                10_000,
                connectionsInHeap(),
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

    public HttpOptions withAdmission(Admission other) {
        return with(draft -> draft.admission = other);
    }

    public HttpOptions withMemory(Memory other) {
        return with(draft -> draft.memory = other);
    }

    public HttpOptions withConnections(int max) {
        return with(draft -> draft.connectionsMax = max);
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
        Admission admission;
        Memory memory;
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
            admission = from.admission;
            memory = from.memory;
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
                    admission,
                    memory,
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
