package io.orchestrion.server.http;

import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.stream.Stream;

/// The listening server. Requests run on a virtual thread each; stopping lets those in flight
/// finish.
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

    /// How long Helidon waits for connections once told to stop. The server's own drain ends sooner
    /// and cuts off what is left.
    private static final Duration HELIDON_GRACE = Duration.ofMinutes(10);

    /// How long calls that are cut off have to notice it.
    private static final Duration CUT_OFF_TIME = Duration.ofSeconds(5);

    /// Connections that wait to be taken: thousands can come at once, and one that is not kept here
    /// is tried again by its client only after a second.
    private static final int BACKLOG = 4096;

    private final WebServer server;
    private final Capacity capacity;
    private final BytesInFlight memory;
    private final Watchdog watchdog;

    private HttpServer(
            WebServer server, Capacity capacity, BytesInFlight memory, Watchdog watchdog) {
        this.server = server;
        this.capacity = capacity;
        this.memory = memory;
        this.watchdog = watchdog;
    }

    /// @throws PortTaken when something else listens on the port
    public static HttpServer start(HttpOptions options, Router router) {
        return start(options, router, CallObserver.NONE);
    }

    /// @param observer is called for every call
    /// @throws PortTaken when something else listens on the port
    public static HttpServer start(HttpOptions options, Router router, CallObserver observer) {
        tryPort(options.host(), options.port());
        var capacity = new Capacity(options);
        var watchdog = new Watchdog(tick(options));
        var memory = new BytesInFlight(options.memory());
        var pipeline =
                new Pipeline(
                        router,
                        capacity,
                        memory,
                        watchdog,
                        new RequestIds(new SecureRandom()),
                        options,
                        observer);
        WebServer server =
                WebServer.builder()
                        .host(options.host())
                        .port(options.port())
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(
                                new Connections(options, watchdog, router.maxBodyBytes()))
                        .directHandlers(ProtocolAnswers.of(pipeline))
                        // The messages reach ProtocolAnswers, which tells cases apart by them and
                        // passes none on.
                        .errorHandling(ErrorHandling.builder().includeEntity(true).build())
                        .routing(HttpRouting.builder().addFilter(pipeline::serve))
                        .maxTcpConnections(
                                options.connectionsMax()
                                        + HttpOptions.more(options.connectionsMax()))
                        .backlog(BACKLOG)
                        .idleConnectionTimeout(options.idleTime())
                        .idleConnectionPeriod(options.idleTime().dividedBy(10).plusMillis(1))
                        .shutdownGracePeriod(HELIDON_GRACE)
                        .connectionOptions(socket -> socket.tcpNoDelay(true))
                        .putListenerSocketOption(StandardSocketOptions.SO_REUSEADDR, true)
                        .putListenerSocketOption(StandardSocketOptions.SO_RCVBUF, 64 * 1024)
                        .build()
                        .start();
        if (!server.isRunning()) {
            // Helidon only logs why. The port was free a moment ago, so someone else was quicker.
            watchdog.close();
            throw new PortTaken(options.port());
        }
        return new HttpServer(server, capacity, memory, watchdog);
    }

    private static Duration tick(HttpOptions options) {
        Duration shortest =
                Stream.of(options.headerTime(), options.bodyTime(), options.writeTime())
                        .min(Duration::compareTo)
                        .orElseThrow();
        return Duration.ofMillis(Math.clamp(shortest.toMillis() / 10, 20, 500));
    }

    private static void tryPort(String host, int port) {
        if (port == 0) {
            return;
        }
        try (var probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(host, port));
        } catch (BindException e) {
            if (String.valueOf(e.getMessage()).contains("in use")) {
                throw new PortTaken(port);
            }
            throw new UncheckedIOException(
                    "Cannot listen on " + host + " port " + port + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot listen on " + host + " port " + port + ": " + e.getMessage(), e);
        }
    }

    /// The port it listens on.
    public int port() {
        return server.port();
    }

    /// Calls being served now.
    public int inFlight() {
        return capacity.inFlight();
    }

    /// Calls that wait for a place.
    int waitingForPlaces() {
        return capacity.waitingForPlaces();
    }

    /// Bytes that calls hold.
    public long bytesInFlight() {
        return memory.held();
    }

    /// Stops taking connections, lets the calls in flight finish for at most the given time, then
    /// cuts off the rest. Returns true when none was cut off.
    public boolean stop(Duration drain) {
        capacity.drain();
        // Closes the listener and idle connections at once, then waits for the others.
        Thread stopping = Thread.ofPlatform().daemon().name("http-stop").start(server::stop);
        boolean drained = false;
        try {
            drained = capacity.awaitIdle(drain);
            if (!drained) {
                LOG.warn(
                        "{} requests were still running after {} and are cut off",
                        capacity.present(),
                        drain);
                capacity.interruptAll();
            }
            watchdog.fireAll();
            if (!stopping.join(CUT_OFF_TIME)) {
                LOG.warn(
                        "The HTTP server leaves {} requests behind that ignore their interruption",
                        capacity.present());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watchdog.close();
        }
        return drained;
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
