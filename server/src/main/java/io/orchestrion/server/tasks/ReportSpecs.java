package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.JsonField;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.work.Documents.Reported;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

/// What a worker reports of an attempt beside its result: how it is sent, and how the task shows
/// it.
public final class ReportSpecs {
    private ReportSpecs() {}

    private static final ObjectSpec ERROR = error(ObjectSpec.named("ReportedError"));
    private static final ObjectSpec SHOWN_ERROR = error(ObjectSpec.answer("TaskFailureReport"));

    private static ObjectSpec error(ObjectSpec spec) {
        return spec.required(
                        text("code")
                                .length(1, WorkError.CODE_MAX)
                                .pattern("^[A-Za-z0-9_.:-]+$")
                                .example("rate_limited")
                                .doc("What kind of failure it was, a word for programs."))
                .optional(
                        integer("http_status")
                                .range(WorkError.HTTP_STATUS_MIN, WorkError.HTTP_STATUS_MAX)
                                .doc("What the service answered that the worker called."))
                .required(text("message").length(1, WorkError.MESSAGE_MAX).doc("For people."))
                .optional(
                        integer("retry_after_seconds")
                                .range(0, WorkError.RETRY_AFTER_MAX_SECONDS)
                                .doc(
                                        "How long the service asked to be left alone. Unless the"
                                                + " report has a retry_after_seconds of its own,"
                                                + " the task waits so long, but at most "
                                                + TaskSpecs.RETRY_DELAY_MAX
                                                + " seconds."))
                .optional(
                        bool("partial_side_effect")
                                .doc(
                                        "Whether something was done that another attempt would do"
                                                + " again."));
    }

    private static JsonField usage() {
        return object("usage")
                .maxBytes(Report.USAGE_MAX_BYTES)
                .maxDepth(Report.USAGE_MAX_DEPTH)
                .doc("Resources that the attempt used, such as {\"tokens\":1200}.");
    }

    /// @param name what workers are told to send, or as the fields of tasks are called
    private static TextField logsRef(String name) {
        return text(name)
                .length(1, Report.LOGS_REF_MAX)
                .doc("Where the logs of the attempt are kept.");
    }

    /// Adds what every report may have.
    static ObjectSpec addTo(ObjectSpec report) {
        return report.optional(usage()).optional(logsRef("logs_ref")).alias("logs_ref", "logsRef");
    }

    static ObjectSpec addErrorTo(ObjectSpec failure) {
        return failure.optional(
                object("error", ERROR)
                        .doc(
                                "The failure for programs; its message is the reason if none is"
                                        + " sent."));
    }

    static Report read(Values body) {
        return new Report(null, body.jsonOrNull("usage"), body.textOrNull("logs_ref"));
    }

    static Report readFailure(Values body) {
        return new Report(
                error(body.objectOrNull("error")),
                body.jsonOrNull("usage"),
                body.textOrNull("logs_ref"));
    }

    private static @Nullable WorkError error(@Nullable Values sent) {
        return sent == null
                ? null
                : new WorkError(
                        sent.text("code"),
                        intOrNull(sent, "http_status"),
                        sent.text("message"),
                        intOrNull(sent, "retry_after_seconds"),
                        sent.boolOrNull("partial_side_effect"));
    }

    private static @Nullable Integer intOrNull(Values sent, String field) {
        Long number = sent.integerOrNull(field);
        return number == null ? null : Math.toIntExact(number);
    }

    /// The wait that a failure asks for; null where it asks for none.
    static @Nullable Long delayMs(Values body, Report report) {
        Long own = body.integerOrNull("retry_after_seconds");
        WorkError error = report.error();
        Integer asked = error == null ? null : error.retryAfterSeconds();
        Long seconds =
                own != null || asked == null
                        ? own
                        : Long.valueOf(Math.min(asked, TaskSpecs.RETRY_DELAY_MAX));
        return seconds == null ? null : seconds * 1000;
    }

    /// The fields of a task of which something was reported.
    static ObjectSpec shown(ObjectSpec task) {
        return task.optional(errorShown("lastError"))
                .optional(usage())
                .optional(logsRef("logsRef"));
    }

    public static ObjectField errorShown(String field) {
        return object(field, SHOWN_ERROR)
                .doc("Why the attempt failed, for programs, where that is known.");
    }

    static void write(JsonWriter out, Reported reported) {
        if (reported.error() != null) {
            out.raw("lastError", reported.error());
        }
        if (reported.usage() != null) {
            out.raw("usage", reported.usage());
        }
        if (reported.logsRef() != null) {
            out.text("logsRef", reported.logsRef());
        }
    }
}
