package io.orchestrion.server;

import com.sun.net.httpserver.HttpServer;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.orchestrations.execution.Orchestrations;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.doors.JobsPlug;
import io.orchestrion.server.doors.OrchestrationsPlug;
import io.orchestrion.server.doors.RunsPlug;
import io.orchestrion.server.doors.ServerOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.jobs.JobsLimits;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.observe.ObserveOptions;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.runs.artifacts.ArtifactSettings;
import io.orchestrion.server.webhooks.Webhooks;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.TestClock;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestKernel;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// A whole server in this process, on a fresh database, with a clock to move. Its sweepers run
/// only when a test asks for a pass, and its limits by address are wide: all tests come from one.
///
/// Everything that can be observed of it is: each request and change is logged and traced, so that
/// every test of a door also shows that observing changes no answer.
public final class TestServer implements AutoCloseable {
    private static final RateLimits WIDE =
            Doors.LIMITS.with(
                    Map.of(
                            RateLimits.REGISTER, 1_000_000,
                            RateLimits.CAPABILITIES, 1_000_000,
                            JobsLimits.CLIENTS, 1_000_000,
                            JobsLimits.JOBS, 1_000_000,
                            RateLimits.EVERYTHING, 1_000_000));

    private static final URI COLLECTOR = collector();

    private final Observer observer =
            new Observer(
                    new ObserveOptions(ObserveOptions.Detail.ALL, COLLECTOR, 100),
                    "test",
                    Doors.ALL);
    private final TestKernel kernel;
    private final OrchestrionServer server;

    public TestServer() {
        this(options -> options);
    }

    public TestServer(UnaryOperator<KernelOptions> with) {
        this(with, options -> options);
    }

    /// With other limits, too; `withLimits(Doors.LIMITS)` has those of the contract.
    public TestServer(UnaryOperator<KernelOptions> with, UnaryOperator<ServerOptions> serverWith) {
        this(with, serverWith, null);
    }

    /// @param administration where what is for the operator alone is answered; null for the same
    ///     port
    public TestServer(
            UnaryOperator<KernelOptions> with,
            UnaryOperator<ServerOptions> serverWith,
            @Nullable HttpOptions administration) {
        kernel =
                new TestKernel(
                        options ->
                                with.apply(
                                        options.withSchema(Doors.SCHEMA)
                                                .withOwners(Doors.OWNERS)
                                                .withSubjects(Doors.SUBJECTS)
                                                .withSignals(observer)));
        server =
                OrchestrionServer.start(
                        kernel.kernel(), serverWith.apply(options()), administration);
    }

    /// Takes spans and forgets them; one for all servers of this process.
    private static URI collector() {
        try {
            HttpServer sink = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            sink.createContext(
                    "/",
                    exchange -> {
                        try (exchange) {
                            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
                            exchange.sendResponseHeaders(200, -1);
                        }
                    });
            sink.start();
            return URI.create("http://127.0.0.1:" + sink.getAddress().getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What a node of these tests is made of.
    public static ServerOptions options() {
        return ServerOptions.on(HttpOptions.on("127.0.0.1", 0), "test")
                .withLimits(WIDE)
                .withDoor(ArtifactSettings.in(TestStores.ofProcess(), ArtifactOptions.DEFAULT));
    }

    /// Without a key.
    public Api anonymous() {
        return Api.on(server.port(), new CatalogueCheck());
    }

    /// Without a key, at the port for the server's operator.
    public Api anonymousOperator() {
        return Api.on(
                Objects.requireNonNull(server.adminPort(), "there is one port for all"),
                new CatalogueCheck());
    }

    /// A new account on the unlimited plan, so that a test meets only the limits it is about.
    public TaskApi account() {
        return account(Plan.UNLIMITED_ID);
    }

    /// A new account on a plan that does not end.
    public TaskApi account(String plan) {
        Registration made = kernel.kernel().identity().register("test", plan);
        String key = made.key().reveal();
        return new TaskApi(anonymous().withKey(key), key, made.accountId().toString());
    }

    /// For runners of jobs.
    public Jobs jobs() {
        return server.door(JobsPlug.Open.class).jobs();
    }

    /// The engine behind the orchestrations door.
    public Orchestrations orchestrations() {
        return server.door(OrchestrationsPlug.Open.class).engine();
    }

    /// The engine behind the runs door.
    public Runs runs() {
        return server.door(RunsPlug.Open.class).engine();
    }

    public Webhooks webhooks() {
        return server.webhooks();
    }

    public int port() {
        return server.port();
    }

    public OrchestrionServer server() {
        return server;
    }

    public TestKernel kernel() {
        return kernel;
    }

    public TestDatabase database() {
        return kernel.database();
    }

    public TestClock clock() {
        return kernel.clock();
    }

    public int sweepLeases() {
        return kernel.kernel().sweepOnce("lease-reaper");
    }

    @Override
    public void close() {
        server.close();
        kernel.close();
        observer.close();
    }
}
