package io.orchestrion.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.DirectHandler;
import io.helidon.http.Header;
import io.helidon.http.Headers;
import io.helidon.http.HttpLogConfig;
import io.helidon.http.HttpPrologue;
import io.helidon.http.RequestException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/// Gives every connection a strict reader and a time limit on its headers, and otherwise to
/// Helidon's HTTP/1.1.
final class Connections implements ServerConnectionSelector {
    /// The connection of the current thread. Helidon gives each connection a thread and a filter no
    /// way back to it.
    private static final ThreadLocal<Watched> CURRENT = new ThreadLocal<>();

    static final String LOWER_CASE_METHOD = "Invalid method, not in capitals";

    private final Http1ConnectionSelector http1;
    private final Watchdog watchdog;
    private final Duration headerTime;
    private final int chunkBytesMax;
    private final Sources sources;

    Connections(HttpOptions options, Watchdog watchdog, int chunkBytesMax) {
        this.watchdog = watchdog;
        this.headerTime = options.headerTime();
        this.chunkBytesMax = chunkBytesMax;
        this.sources = new Sources(options);
        this.http1 =
                Http1ConnectionSelector.builder()
                        .config(
                                Http1Config.builder()
                                        .maxPrologueLength(options.requestLineBytesMax())
                                        .maxHeadersSize(options.headerBytesMax())
                                        // The router decodes paths and queries itself and knows
                                        // what to answer.
                                        .validatePath(false)
                                        .validatePrologue(false)
                                        .sendKeepAliveHeader(false)
                                        // Helidon's log of the wire would hold keys and payloads.
                                        .log(
                                                HttpLogConfig.builder()
                                                        .receiveLog(false)
                                                        .sendLog(false)
                                                        .build())
                                        .addReceiveListener(new HeaderTime())
                                        .build())
                        .build();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return 0;
    }

    @Override
    public Support supports(BufferData data) {
        return Support.SUPPORTED;
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http1.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        var watched = new Watched(context);
        CURRENT.set(watched);
        return sources.counted(
                address(context.remotePeer()),
                watched,
                http1.connection(watched),
                watched::inCrowd);
    }

    /// Null for a peer that is no address.
    static @Nullable InetAddress address(PeerInfo peer) {
        return peer.address() instanceof InetSocketAddress socket ? socket.getAddress() : null;
    }

    /// Says what the current thread's request holds, for what is read of it outside of the
    /// pipeline.
    static void requestHolds(BytesInFlight.Hold hold) {
        Watched watched = CURRENT.get();
        if (watched != null) {
            watched.hold = hold;
        }
    }

    /// Whether the current thread's connection is one more than there should be.
    static boolean crowded() {
        Watched watched = CURRENT.get();
        return watched != null && watched.crowded;
    }

    /// Says that the current thread is done with its request, body included: the next byte begins
    /// another.
    static void requestDone() {
        Watched watched = CURRENT.get();
        if (watched != null) {
            watched.inRequest = false;
            watched.hold = null;
        }
    }

    /// Sees each request before Helidon routes it.
    ///
    /// The clock of a request's headers starts with its first byte, which the connection sees, or,
    /// when the byte was read along with an earlier request, with its first line. It stops when the
    /// headers are read.
    private static final class HeaderTime implements Http1ConnectionListener {
        @Override
        public void prologue(ConnectionContext context, HttpPrologue prologue) {
            ((Watched) context).startHeaders();
            ((Watched) context).requireExact(prologue);
        }

        @Override
        public void headers(ConnectionContext context, Headers headers) {
            ((Watched) context).endHeaders();
            // Helidon checks the characters of a name and lets one without any through.
            for (Header header : headers) {
                if (header.name().isEmpty()) {
                    throw RequestException.builder()
                            .type(DirectHandler.EventType.BAD_REQUEST)
                            .setKeepAlive(false)
                            .message("Invalid header, missing name")
                            .build();
                }
            }
        }
    }

    private final class Watched implements ConnectionContext {
        private final ConnectionContext inner;
        private final StrictReader reader;
        private Watchdog.@Nullable Watch watch;
        private BytesInFlight.@Nullable Hold hold;
        private boolean inRequest;
        private boolean crowded;

        Watched(ConnectionContext inner) {
            this.inner = inner;
            DataReader source = inner.dataReader();
            this.reader = new StrictReader(() -> pulled(source), chunkBytesMax, this::chunkComes);
        }

        private void chunkComes(int length) {
            if (hold != null) {
                hold.chunk(length);
            }
        }

        /// A connection that sends nothing is closed soon, because others wait.
        void inCrowd() {
            crowded = true;
            startHeaders();
        }

        private byte[] pulled(DataReader source) {
            byte[] bytes = source.readBuffer().readBytes();
            startHeaders();
            return bytes;
        }

        void requireExact(HttpPrologue prologue) {
            if (!reader.begins(prologue.method().text())) {
                throw RequestException.builder()
                        .type(DirectHandler.EventType.BAD_REQUEST)
                        .setKeepAlive(false)
                        .message(LOWER_CASE_METHOD)
                        .build();
            }
        }

        void startHeaders() {
            if (watch == null && !inRequest) {
                watch = watchdog.arm(headerTime);
            }
        }

        void endHeaders() {
            if (watch != null) {
                watchdog.disarm(watch);
                watch = null;
            }
            inRequest = true;
        }

        @Override
        public DataReader dataReader() {
            return reader;
        }

        @Override
        public ListenerContext listenerContext() {
            return inner.listenerContext();
        }

        @Override
        public ExecutorService executor() {
            return inner.executor();
        }

        @Override
        public DataWriter dataWriter() {
            return inner.dataWriter();
        }

        @Override
        public io.helidon.webserver.Router router() {
            return inner.router();
        }

        @Override
        public Optional<ProxyProtocolData> proxyProtocolData() {
            return inner.proxyProtocolData();
        }

        @Override
        public HelidonSocket serverSocket() {
            return inner.serverSocket();
        }

        @Override
        public PeerInfo remotePeer() {
            return inner.remotePeer();
        }

        @Override
        public PeerInfo localPeer() {
            return inner.localPeer();
        }

        @Override
        public boolean isSecure() {
            return inner.isSecure();
        }

        @Override
        public String socketId() {
            return inner.socketId();
        }

        @Override
        public String childSocketId() {
            return inner.childSocketId();
        }
    }
}
