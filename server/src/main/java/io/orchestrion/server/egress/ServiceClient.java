package io.orchestrion.server.egress;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One request to a server that the operator named, such as a payment provider. Even if a stranger
/// answers at its address, it cannot hold our threads, fill our memory or send us to another
/// address. No exception contains what was sent.
public final class ServiceClient implements AutoCloseable {
    private final HttpClient http;
    private final Duration answerTime;
    private final long answerBytesMax;

    /// @param answerTime for one whole answer, its body included
    public ServiceClient(Duration connectTime, Duration answerTime, long answerBytesMax) {
        this.answerTime = answerTime;
        this.answerBytesMax = answerBytesMax;
        this.http =
                HttpClient.newBuilder()
                        .connectTimeout(connectTime)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
    }

    /// There was no answer; the message ends a sentence that starts with who was asked.
    public static final class NoAnswer extends Exception {
        private static final long serialVersionUID = 1;

        NoAnswer(String message) {
            super(message);
        }

        /// The sentence.
        public String by(String name) {
            return name + " " + getMessage();
        }
    }

    /// The client's own timeout ends with the headers; a body that never ends is cut off here.
    public HttpResponse<String> exchange(HttpRequest.Builder request) throws NoAnswer {
        CompletableFuture<HttpResponse<String>> answer =
                http.sendAsync(
                        request.timeout(answerTime).build(),
                        BodyHandlers.limiting(BodyHandlers.ofString(), answerBytesMax));
        try {
            return answer.get(answerTime.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new NoAnswer("did not answer within " + answerTime);
        } catch (ExecutionException e) {
            // The class says enough; a message might quote what was sent.
            throw new NoAnswer("was not reached: " + String.valueOf(e.getCause()).split(":", 2)[0]);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswer("was not waited for");
        } finally {
            answer.cancel(true);
        }
    }

    /// Cuts off what is under way.
    @Override
    public void close() {
        http.shutdownNow();
    }
}
