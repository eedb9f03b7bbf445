package io.orchestrion.testkit;

import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes the call that an item asks for, as an engine's own handler would: with a key that is the
/// same for every attempt of the step, and with as much of the answer as can be kept. Who
/// interrupts it ends the call.
public final class CallHandler implements Handler, AutoCloseable {
    /// The code of a call that was not answered.
    public static final String NO_ANSWER = "no_answer";

    private static final int KEPT_BYTES = 1000;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger interrupted = new AtomicInteger();

    /// What an item says of its call.
    public static String payload(String url, String key) {
        return "{\"url\":\"%s\",\"key\":\"%s\"}".formatted(url, key);
    }

    /// What the item says, else its owner and what is to be done: another attempt has another id.
    private static String key(WorkItem item, JsonNode asked) {
        OwnerRef owner = item.owner();
        return asked.path("key")
                .asString(owner == null ? item.id().toString() : owner.id() + "." + item.kind());
    }

    @Override
    public Outcome run(Charge charge) throws InterruptedException {
        JsonNode asked = JSON.readTree(charge.payload());
        var request =
                HttpRequest.newBuilder(URI.create(asked.get("url").asString()))
                        .header("Idempotency-Key", key(charge.item(), asked))
                        .POST(HttpRequest.BodyPublishers.ofString(charge.payload()))
                        .build();
        try {
            return outcome(client.send(request, BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            return new Outcome.Failed(WorkError.of(NO_ANSWER, e.getClass().getSimpleName()));
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
    }

    private static Outcome outcome(HttpResponse<InputStream> answer) throws IOException {
        int status = answer.statusCode();
        try (InputStream body = answer.body()) {
            // No text of the database holds a zero.
            String text =
                    new String(body.readNBytes(KEPT_BYTES), StandardCharsets.UTF_8)
                            .replace("\0", "");
            return status < 300
                    ? new Outcome.Completed(
                            JSON.createObjectNode()
                                    .put("status", status)
                                    .put("body", text)
                                    .toString())
                    : new Outcome.Failed(
                            new WorkError("http_error", status, "it was refused", null, null));
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
