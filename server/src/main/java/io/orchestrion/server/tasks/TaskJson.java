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
                .integer("priority", item.priority())
                .integer("attemptCount", item.attempt())
                .integer("maxAttempts", item.maxAttempts())
                .integer("leaseDurationSeconds", item.leaseSeconds());
        instant(out, "scheduledAt", item.runAtMs());
        out.text("claimedBy", item.holder());
        instant(out, "claimedAt", item.claimedMs());
        instant(out, "leaseExpiresAt", item.leaseUntilMs());
        instant(out, "lastHeartbeatAt", item.heartbeatMs());
        instant(out, "createdAt", item.createdMs());
        instant(out, "updatedAt", item.updatedMs());
        instant(out, "completedAt", completed ? item.finishedMs() : null);
        instant(out, "lastFailedAt", item.failedMs());
        out.text("lastFailureReason", item.failure());
        textIfSet(out, "concurrencyKey", item.keys().concurrency());
        textIfSet(out, "rateKey", item.keys().rate());
        textIfSet(out, "correlationId", item.correlationId());
        OwnerRef owner = item.owner();
        if (owner != null) {
            out.object(
                    "owner",
                    each -> each.text("kind", owner.kind()).text("id", owner.id().toString()));
        }
        if (item.giveUpMs() != null) {
            instant(out, "giveUpAt", item.giveUpMs());
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
