package io.orchestrion.testkit;

import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkError;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes the call that an item asks for, with its key, as an engine's own handler would. Who
/// interrupts it ends the call.
public final class CallHandler implements Handler, AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger interrupted = new AtomicInteger();

    /// What an item says of its call.
    public static String payload(String url, String key) {
        return "{\"url\":\"%s\",\"key\":\"%s\"}".formatted(url, key);
    }

    @Override
    public Outcome run(Charge charge) throws Exception {
        JsonNode asked = JSON.readTree(charge.payload());
        var request =
                HttpRequest.newBuilder(URI.create(asked.get("url").asString()))
                        .header("Idempotency-Key", asked.get("key").asString())
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build();
        try {
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            return status < 300
                    ? new Outcome.Completed("{\"status\":" + status + "}")
                    : new Outcome.Failed(
                            new WorkError("http_error", status, "it was refused", null, null));
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
    }

    /// How many of its calls were broken off.
    public int interrupted() {
        return interrupted.get();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
