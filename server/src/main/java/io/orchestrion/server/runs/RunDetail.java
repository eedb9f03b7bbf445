package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.document.FindingCode;
import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.runs.plan.PlanCode;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// One of the things that are wrong with a request.
///
/// @param pointer where, as a JSON Pointer into the body; null where the message says it
/// @param finding of a plan; null for anything else
public record RunDetail(String message, @Nullable String pointer, @Nullable Finding finding) {
    static final ObjectSpec SPEC =
            ObjectSpec.answer("RunErrorDetail")
                    .required(text("message"))
                    .optional(
                            text("pointer")
                                    .doc("Where, as a JSON Pointer (RFC 6901) into the body."))
                    .optional(oneOf("code", codes()).doc("Of what is wrong with a plan."))
                    .optional(text("hint").doc("What to do about it."));

    public RunDetail(String message, @Nullable String pointer) {
        this(message, pointer, null);
    }

    static RunDetail of(BodyFault fault) {
        return new RunDetail(fault.message(), fault.pointer());
    }

    /// @param prefix where the plan is in the body
    static RunDetail of(Finding finding, String prefix) {
        return new RunDetail(finding.message(), prefix + finding.pointer(), finding);
    }

    private static List<String> codes() {
        return Stream.<FindingCode>concat(
                        Arrays.stream(DocumentCode.values()), Arrays.stream(PlanCode.values()))
                .map(FindingCode::word)
                .toList();
    }

    void write(JsonWriter out) {
        out.text("message", message);
        if (pointer != null) {
            out.text("pointer", pointer);
        }
        if (finding != null) {
            out.text("code", finding.code().word()).text("hint", finding.hint());
        }
    }
}
