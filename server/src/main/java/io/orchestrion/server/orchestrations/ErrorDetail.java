package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;

import org.jspecify.annotations.Nullable;

/// One of the things that are wrong with a request.
///
/// @param pointer where, as a JSON Pointer into the body; null where the message says it
/// @param finding what the reader of definitions found; null for other faults
record ErrorDetail(String message, @Nullable String pointer, @Nullable Finding finding) {
    static final ObjectSpec SPEC =
            ObjectSpec.answer("OrchestrationErrorDetail")
                    .required(text("message"))
                    .optional(
                            text("pointer")
                                    .doc("Where, as a JSON Pointer (RFC 6901) into the body."))
                    .optional(text("code").doc("Of a finding in a definition."))
                    .optional(text("severity"))
                    .optional(text("level"))
                    .optional(text("hint").doc("What the caller can do about it."));

    static ErrorDetail of(BodyFault fault) {
        return new ErrorDetail(fault.message(), fault.pointer(), null);
    }

    static ErrorDetail of(Finding finding) {
        return new ErrorDetail(finding.message(), finding.pointer(), finding);
    }

    static ErrorDetail of(String message) {
        return new ErrorDetail(message, null, null);
    }

    void write(JsonWriter out) {
        if (finding != null) {
            DefinitionJson.write(out, finding);
            return;
        }
        out.text("message", message);
        if (pointer != null) {
            out.text("pointer", pointer);
        }
    }
}
