package io.orchestrion.server;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.server.billing.PublicAddress;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.door.SubjectDoorEvents;
import io.orchestrion.server.doors.DoorPlug;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.doors.OpenDoor;
import io.orchestrion.server.doors.Opening;
import io.orchestrion.server.doors.ServerOptions;
import io.orchestrion.server.doors.ServerState;
import io.orchestrion.server.egress.GuardedEgress;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.http.HttpServer;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.observe.ObserveOptions;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.webhooks.Webhooks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/// A kernel behind its doors, listening.
public final class OrchestrionServer implements AutoCloseable {
    private final Kernel kernel;
    private final List<OpenDoor> doors;
    private final Webhooks webhooks;
    private final GuardedEgress egress;
    private final HttpServer http;
    private final @Nullable HttpServer admin;
    private final AtomicBoolean draining;

    private OrchestrionServer(
            Kernel kernel,
            List<OpenDoor> doors,
            Webhooks webhooks,
            GuardedEgress egress,
            HttpServer http,
            @Nullable HttpServer admin,
            AtomicBoolean draining) {
        this.kernel = kernel;
        this.doors = doors;
        this.webhooks = webhooks;
        this.egress = egress;
        this.http = http;
        this.admin = admin;
        this.draining = draining;
    }

    /// Starts listening; the kernel's schema is there, and its own loops are the caller's to
    /// start.
    public static OrchestrionServer start(Kernel kernel, ServerOptions options) {
        return start(kernel, options, null);
    }

    /// The same with a second listener for what is for the server's operator alone; the first does
    /// not answer it then.
    ///
    /// @param administration where it listens; null for one listener for all
    public static OrchestrionServer start(
            Kernel kernel, ServerOptions options, @Nullable HttpOptions administration) {
        var limiter =
                new RateLimiter(
                        options.limits(),
                        kernel.allowances(),
                        kernel.standings(),
                        kernel.database());
        // The listener of the kernel is also told of the calls.
        Observer observer =
                kernel.signals() instanceof Observer own
                        ? own
                        : new Observer(ObserveOptions.DEFAULT, options.version(), options.doors());
        GuardedEgress egress = options.webhooks().egress();
        var webhooks =
                new Webhooks(
                        kernel,
                        events(kernel, options.doors()),
                        options.webhooks(),
                        egress,
                        options.version());
        var address =
                new PublicAddress(
                        options.billing().publicUrl(),
                        options.http().host(),
                        options.http().port());
        var draining = new AtomicBoolean();
        var doors = new ArrayList<OpenDoor>();
        Router.Builder router = Router.of(Doors.catalogue(options.doors()));
        var opening =
                new Opening(
                        kernel,
                        options,
                        router,
                        limiter,
                        observer,
                        webhooks,
                        egress,
                        new JsonSchemas(kernel.database().failpoints()),
                        address,
                        new ServerState(draining::get, () -> faults(doors)));
        for (DoorPlug door : options.doors()) {
            doors.add(door.open(opening));
            router.around(door.around(opening));
            if (door.openToAll()) {
                router.openToAll(door.name());
            }
        }
        HttpServer admin =
                administration == null
                        ? null
                        : HttpServer.start(
                                administration,
                                router.build(each -> administers(options.doors(), each)),
                                observer);
        HttpServer http;
        try {
            http =
                    HttpServer.start(
                            options.http(),
                            router.build(
                                    each -> admin == null || !administers(options.doors(), each)),
                            observer);
        } catch (RuntimeException e) {
            if (admin != null) {
                admin.close();
            }
            throw e;
        }
        observer.metrics()
                .show(
                        kernel,
                        options.version(),
                        () -> http.inFlight() + (admin == null ? 0 : admin.inFlight()));
        address.listensOn(options.http().host(), http.port());
        return new OrchestrionServer(
                kernel, List.copyOf(doors), webhooks, egress, http, admin, draining);
    }

    private static boolean administers(List<DoorPlug> doors, Endpoint endpoint) {
        return doors.stream()
                .anyMatch(
                        door -> door.name().equals(endpoint.door()) && door.administers(endpoint));
    }

    /// The events that receivers may ask for: those of the doors, and those of the engines' own
    /// subjects.
    private static List<DoorEvents> events(Kernel kernel, List<DoorPlug> doors) {
        return Stream.concat(
                        doors.stream().map(DoorPlug::events).filter(Objects::nonNull),
                        SubjectDoorEvents.all(kernel.subjects().kinds()).stream())
                .toList();
    }

    private static List<String> faults(List<OpenDoor> doors) {
        return doors.stream().map(OpenDoor::fault).filter(Objects::nonNull).toList();
    }

    public int port() {
        return http.port();
    }

    /// The port for the server's operator; null where the other is for him too.
    public @Nullable Integer adminPort() {
        return admin == null ? null : admin.port();
    }

    /// Calls being served now.
    public int inFlight() {
        return http.inFlight();
    }

    /// Bytes that calls hold now.
    public long bytesInFlight() {
        return http.bytesInFlight();
    }

    public Kernel kernel() {
        return kernel;
    }

    /// The open door of that kind, for code that needs more of it than its requests.
    public <T extends OpenDoor> T door(Class<T> kind) {
        return doors.stream().filter(kind::isInstance).map(kind::cast).findFirst().orElseThrow();
    }

    /// The receivers of events.
    public Webhooks webhooks() {
        return webhooks;
    }

    /// Starts what doors run beside their requests.
    void startDoors() throws StartFailure {
        for (OpenDoor door : doors) {
            door.start();
        }
    }

    /// No more claims, then no more requests; what is under way ends, within the given time.
    public void drain(Duration atMost) {
        draining.set(true);
        // The doors stop at the same time as the requests end.
        List<Thread> stopping =
                doors.stream()
                        .map(
                                door ->
                                        Thread.ofPlatform()
                                                .daemon()
                                                .name("door-stop")
                                                .start(() -> door.drain(atMost)))
                        .toList();
        kernel.pool().stopTaking();
        kernel.work().closeClaims();
        Thread adminStopping =
                Thread.ofPlatform()
                        .daemon()
                        .name("admin-stop")
                        .start(
                                () -> {
                                    if (admin != null) {
                                        admin.stop(atMost);
                                    }
                                });
        http.stop(atMost);
        try {
            adminStopping.join();
            for (Thread each : stopping) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        http.close();
        if (admin != null) {
            admin.close();
        }
        webhooks.close();
        // Before the kernel: a duty that waits for an answer need not be waited for.
        doors.forEach(OpenDoor::close);
        kernel.close();
        // Last: the engines' workers call out until they have ended.
        egress.close();
    }
}
