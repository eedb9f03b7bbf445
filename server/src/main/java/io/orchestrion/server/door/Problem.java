package io.orchestrion.server.door;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// An error as a problem document (RFC 9457), for the doors that answer with these.
///
/// @param status that of the error, except where HTTP itself is at fault
/// @param detail about this occurrence; safe to show
/// @param faults what is wrong with the body or the query, field by field; may be empty
/// @param waitSeconds when to retry, null where that is not known or of no use
public record Problem(
        DoorError error,
        int status,
        String title,
        String detail,
        List<BodyFault> faults,
        @Nullable Long waitSeconds) {
    public static final String MEDIA_TYPE = "application/problem+json";

    public Problem {
        faults = List.copyOf(faults);
    }

    public static Problem of(DoorError error, String title, String detail) {
        return new Problem(error, error.status(), title, detail, List.of(), null);
    }

    public Problem under(int otherStatus) {
        return new Problem(error, otherStatus, title, detail, faults, waitSeconds);
    }

    public Problem with(List<BodyFault> found) {
        return new Problem(error, status, title, detail, found, waitSeconds);
    }

    public Problem after(long seconds) {
        return new Problem(error, status, title, detail, faults, seconds);
    }

    public Answer answer(Call call) {
        call.fault(error.code(), detail);
        Answer answer =
                Answer.of(
                        status, MEDIA_TYPE, JsonWriter.object(out -> write(out, call.requestId())));
        return waitSeconds == null ? answer : answer.with("Retry-After", waitSeconds.toString());
    }

    /// The fields, into an object that is already open.
    public void write(JsonWriter out, String requestId) {
        out.text("type", error.type())
                .text("title", title)
                .integer("status", status)
                .text("detail", detail)
                .text("instance", error.instance(requestId))
                .text("code", error.code())
                .bool("retryable", error.retryable());
        if (!faults.isEmpty()) {
            out.objects(
                    "errors",
                    faults,
                    (each, fault) ->
                            each.text("field", fault.field())
                                    .text("bound", fault.bound())
                                    .text("message", fault.message()));
        }
    }

    /// The document as a door declares it.
    ///
    /// @param codes every code of the door
    public static ObjectSpec spec(String name, List<String> codes) {
        return ObjectSpec.answer(name)
                .doc("What went wrong, as RFC 9457 has it.")
                .required(text("type").doc("The same for every occurrence of this code."))
                .required(text("title").doc("The same for every occurrence of this code."))
                .required(integer("status").range(400, 599).doc("As the answer's own."))
                .required(text("detail").doc("About this occurrence."))
                .required(text("instance").doc("Names this request, as X-Request-Id does."))
                .required(oneOf("code", codes))
                .required(bool("retryable").doc("Whether the same request may succeed later."))
                .optional(
                        objects(
                                        "errors",
                                        ObjectSpec.answer(name + "Field")
                                                .required(
                                                        text("field")
                                                                .doc(
                                                                        "Its path; empty for the"
                                                                            + " body as a whole."))
                                                .required(
                                                        text("bound")
                                                                .nullable()
                                                                .doc("What it missed."))
                                                .required(text("message")))
                                .doc("What is wrong with the body or the query, each by itself."));
    }
}
