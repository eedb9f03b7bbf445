package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What people have to look at: failed executions, steps whose effect is to be undone, dead
/// letters. From [Orchestrations#reviews]. The key needs the scope `operator` or `admin`.
///
/// ```java
/// Reviews reviews = client.orchestrations().reviews();
/// for (ReviewEntry entry : reviews.list("compensation", null, null).items()) {
///     if (entry.actions().contains("mark_compensated")) {
///         reviews.markCompensated(entry.id(), "refunded by hand, receipt 17");
///     }
/// }
/// ```
///
/// The list is repeated when its answer is lost; the others are sent once.
public final class Reviews {
    private static final String REVIEW = Orchestrations.BASE + "/review";

    private final Transport transport;

    Reviews(Transport transport) {
        this.transport = transport;
    }

    /// A page of what is to be looked at.
    ///
    /// @param kind `failed_execution`, `compensation` or `dlq`; null for all
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<ReviewEntry> list(
            @Nullable String kind, @Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(REVIEW + Parameters.page(limit, cursor).with("kind", kind)),
                OrchestrationWire.page(OrchestrationWire::review));
    }

    /// Runs the compensation handler of the step.
    ///
    /// @param note why
    /// @return the entry as it stands now
    public ReviewEntry compensate(UUID id, String note) {
        return act(id, "compensate", note);
    }

    /// Records that somebody has undone the step by hand. Another attempt then has another key.
    public ReviewEntry markCompensated(UUID id, String note) {
        return act(id, "mark-compensated", note);
    }

    /// Closes the entry.
    public ReviewEntry resolve(UUID id, String note) {
        return act(id, "resolve", note);
    }

    private ReviewEntry act(UUID id, String verb, String note) {
        return transport.send(
                Call.post(REVIEW + "/" + id + "/" + verb, Json.object().put("note", note)),
                OrchestrationWire::review);
    }
}
