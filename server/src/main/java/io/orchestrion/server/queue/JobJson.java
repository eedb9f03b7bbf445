package io.orchestrion.server.queue;

import io.orchestrion.kernel.itemlog.LogEntry;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A job and its events in the contract's words.
final class JobJson {
    private JobJson() {}

    /// The job without its payload, as holders get it back: they know what they worked on.
    ///
    /// @param result what it ended with, as the text of a JSON string
    static void writeBrief(JsonWriter out, WorkItem item, @Nullable String result) {
        JobStatus status = JobStatus.of(item.state());
        out.text("id", item.id().toString())
                .text("type", item.kind())
                .text("status", status.word())
                .integer("priority", item.turn().priority())
                .integer("attempt", item.attempt())
                .integer("maxAttempts", item.attempts().most());
        // Becoming claimable again is no change that shows, so the time stays until the claim.
        instant(out, "nextAttemptAt", status == JobStatus.QUEUED ? item.turn().runAtMs() : null);
        boolean held = item.state().held() || status == JobStatus.SUCCEEDED;
        out.text("workerId", held ? item.holding().holder() : null);
        instant(out, "leaseExpiresAt", item.lease().untilMs());
        out.bool("cancelRequested", item.cancelRequested())
                .text("errorMessage", item.attempts().failure())
                .raw("resultSummary", result);
        instant(out, "createdAt", item.times().createdMs());
        instant(out, "updatedAt", item.times().updatedMs());
        instant(out, "startedAt", item.times().claimedMs());
        instant(out, "finishedAt", item.times().finishedMs());
    }

    static void write(JsonWriter out, WorkItem item, Documents documents) {
        writeBrief(out, item, documents.result());
        out.raw("payload", documents.payload());
    }

    static void writeClaimed(JsonWriter out, WorkItem item, Documents documents) {
        write(out, item, documents);
        out.text("leaseToken", String.valueOf(item.lease().token()));
    }

    static void write(JsonWriter out, LogEntry event) {
        LogEntry.Happened happened = event.happened();
        out.text("id", event.id().toString())
                .text("jobId", event.itemId().toString())
                .text("level", event.level().word())
                .text("message", event.message());
        if (happened == null) {
            out.raw("payload", event.payload());
        } else {
            out.object("payload", payload -> write(payload, happened));
        }
        out.instant("createdAt", event.createdMs())
                .text("workerId", event.holder())
                .text("event", happened == null ? null : JobHappening.of(happened.event()).word());
    }

    private static void write(JsonWriter out, LogEntry.Happened happened) {
        out.text("status", JobStatus.of(WorkState.of(happened.state())).word())
                .integer("attempt", happened.attempt());
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        out.instant(name, millis == null ? null : Instant.ofEpochMilli(millis));
    }
}
