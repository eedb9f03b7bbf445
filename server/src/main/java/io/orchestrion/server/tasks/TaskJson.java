package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

/// A task in the contract's words.
final class TaskJson {
    private TaskJson() {}

    /// The task without its documents, as holders get it back: they know what they worked on.
    static void writeBrief(JsonWriter out, WorkItem item) {
        boolean completed = item.state() == WorkState.SUCCEEDED;
        out.text("id", item.id().toString())
                .text("type", item.kind())
                .text("status", TaskStatus.word(item.state()))
                .integer("priority", item.turn().priority())
                .integer("attemptCount", item.attempt())
                .integer("maxAttempts", item.attempts().most())
                .integer("leaseDurationSeconds", item.lease().seconds());
        instant(out, "scheduledAt", item.turn().runAtMs());
        out.text("claimedBy", item.holding().holder());
        instant(out, "claimedAt", item.times().claimedMs());
        instant(out, "leaseExpiresAt", item.lease().untilMs());
        instant(out, "lastHeartbeatAt", item.times().heartbeatMs());
        instant(out, "createdAt", item.times().createdMs());
        instant(out, "updatedAt", item.times().updatedMs());
        instant(out, "completedAt", completed ? item.times().finishedMs() : null);
        instant(out, "lastFailedAt", item.attempts().failedMs());
        out.text("lastFailureReason", item.attempts().failure());
        textIfSet(out, "concurrencyKey", item.links().keys().concurrency());
        textIfSet(out, "rateKey", item.links().keys().rate());
        textIfSet(out, "correlationId", item.trail().correlationId());
        OwnerRef owner = item.owner();
        if (owner != null) {
            out.object(
                    "owner",
                    each -> each.text("kind", owner.kind()).text("id", owner.id().toString()));
        }
        if (item.turn().giveUpMs() != null) {
            instant(out, "giveUpAt", item.turn().giveUpMs());
        }
    }

    private static void textIfSet(JsonWriter out, String name, @Nullable String value) {
        if (value != null) {
            out.text(name, value);
        }
    }

    static void write(JsonWriter out, WorkItem item, Documents documents) {
        writeBrief(out, item);
        out.raw("payload", documents.payload())
                .raw("result", documents.result())
                .text("outputId", documents.outputRef());
        ReportSpecs.write(out, documents.reported());
        TermsJson.write(out, item, documents);
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        if (millis == null) {
            out.nil(name);
        } else {
            out.instant(name, millis.longValue());
        }
    }
}
