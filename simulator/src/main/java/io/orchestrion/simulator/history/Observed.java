package io.orchestrion.simulator.history;

import io.orchestrion.sdk.WorkKind;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// Everything that the clients and receivers of one run saw. It is written to a file as it is, so
/// that it can be checked again, elsewhere and later.
///
/// @param owned what each client's list had in the end
public record Observed(
        Run run,
        List<WorkKind> catalogue,
        List<Downtime> downtimes,
        List<Story> stories,
        List<Refusal> refusals,
        List<Owned> owned,
        List<Receiver> receivers,
        List<Receipt> receipts) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    public Observed {
        catalogue = List.copyOf(catalogue);
        downtimes = List.copyOf(downtimes);
        stories = List.copyOf(stories);
        refusals = List.copyOf(refusals);
        owned = List.copyOf(owned);
        receivers = List.copyOf(receivers);
        receipts = List.copyOf(receipts);
    }

    /// @param maxRetries how many retries the server is told, or known, to allow a job
    public record Run(
            String server,
            List<String> scenarios,
            long seed,
            int clients,
            int maxRetries,
            Instant began,
            Instant ended) {}

    /// From the kill to the first answer of the server that came after, by the server's clock.
    public record Downtime(Instant from, Instant until) {
        boolean touches(Instant begin, Instant end) {
            return !end.isBefore(from) && !begin.isAfter(until);
        }
    }

    /// Something that must be refused, and how it was.
    ///
    /// @param what in words, such as `get of another client's job`
    /// @param wanted the status and code that it must have
    /// @param got the status and code that came
    public record Refusal(
            String scenario, @Nullable UUID job, String what, String wanted, String got) {}

    public record Owned(int client, List<UUID> jobs) {}

    /// @param events what a webhook asked for; null for a job's callback, which gets everything
    /// @param accepts whether it takes in the end what is sent to it
    public record Receiver(
            String name,
            int client,
            String behaviour,
            boolean accepts,
            @Nullable List<String> events) {

        /// A subscription to the general name has the special one with it.
        public boolean asks(String event) {
            return events == null
                    || events.contains(event)
                    || (event.equals("job.timed_out") && events.contains("job.failed"))
                    || (event.equals("job.emitted") && events.contains("job.succeeded"));
        }
    }

    /// A request that came to a receiver.
    ///
    /// @param number in order of arrival
    /// @param signed whether its signature is right; null where there is no secret
    /// @param answered the status that it got; 0 for none
    public record Receipt(
            String receiver,
            long number,
            @Nullable String messageId,
            @Nullable Boolean signed,
            @Nullable UUID eventId,
            @Nullable UUID jobId,
            @Nullable String eventName,
            @Nullable String prevState,
            @Nullable String nextState,
            @Nullable Instant at,
            @Nullable String scenario,
            int answered) {}

    public void write(Path file) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(this) + "\n");
    }

    /// @throws IOException when it cannot be read or is no such file
    public static Observed read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            return JSON.readValue(text, Observed.class);
        } catch (RuntimeException e) {
            throw new IOException(
                    file + " does not hold what a simulation saw: " + e.getMessage(), e);
        }
    }
}
