package io.orchestrion.server;

import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestClock;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestKernel;

import java.util.function.UnaryOperator;

/// A whole server in this process, on a fresh database, with a clock to move. Its sweepers run
/// only when a test asks for a pass.
public final class TestServer implements AutoCloseable {
    private final TestKernel kernel;
    private final OrchestrionServer server;

    public TestServer() {
        this(options -> options);
    }

    public TestServer(UnaryOperator<KernelOptions> with) {
        kernel = new TestKernel(with);
        server = OrchestrionServer.start(kernel.kernel(), HttpOptions.on("127.0.0.1", 0), "test");
    }

    /// Without a key.
    public Api anonymous() {
        return Api.on(server.port(), new CatalogueCheck());
    }

    /// A new account and its key.
    public TaskApi account() {
        Reply registered = anonymous().post("/v1/keys/register", "{}");
        return new TaskApi(
                anonymous().withKey(registered.text("/apiKey")),
                registered.text("/apiKey"),
                registered.text("/accountId"));
    }

    public int port() {
        return server.port();
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
    }
}
