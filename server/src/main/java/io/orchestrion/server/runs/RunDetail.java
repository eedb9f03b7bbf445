package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;

import org.jspecify.annotations.Nullable;

/// One of the things that are wrong with a request.
///
/// @param pointer where, as a JSON Pointer into the body; null where the message says it
public record RunDetail(String message, @Nullable String pointer) {
    static final ObjectSpec SPEC =
            ObjectSpec.answer("RunErrorDetail")
                    .required(text("message"))
                    .optional(
                            text("pointer")
                                    .doc("Where, as a JSON Pointer (RFC 6901) into the body."));

    static RunDetail of(BodyFault fault) {
        return new RunDetail(fault.message(), fault.pointer());
    }

    void write(JsonWriter out) {
        out.text("message", message);
        if (pointer != null) {
            out.text("pointer", pointer);
        }
    }
}
