package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.json.Values;
import io.orchestrion.orchestrations.execution.Execution.Target;
import io.orchestrion.orchestrations.execution.NewExecution;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.door.RequestDigest;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.TraceContext;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/// Reads what somebody asks for who starts an execution.
final class ExecutionCreation {
    private ExecutionCreation() {}

    sealed interface Asked {
        record Good(NewExecution execution) implements Asked {}

        /// @param pointer where in the body; null for a header
        record Bad(String message, @Nullable String pointer) implements Asked {}
    }

    /// A text that may come in a header and in the body.
    private record Sent(@Nullable String value, Asked.@Nullable Bad fault) {
        static Sent of(
                Call call,
                Values body,
                String header,
                String field,
                Predicate<String> allowed,
                String rule) {
            List<String> lines = call.headers(header);
            String own = body.textOrNull(field);
            if (lines.isEmpty()) {
                return new Sent(own, null);
            }
            String sent = lines.getFirst();
            if (lines.size() > 1) {
                return bad("The header " + header + " must be sent once.", null);
            }
            if (!allowed.test(sent)) {
                return bad(rule + ".", null);
            }
            return own == null || own.equals(sent)
                    ? new Sent(sent, null)
                    : bad(
                            "The header " + header + " and " + field + " must not be different.",
                            "/" + field);
        }

        private static Sent bad(String message, @Nullable String pointer) {
            return new Sent(null, new Asked.Bad(message, pointer));
        }
    }

    static Asked read(Call call, Values body) {
        Sent key =
                Sent.of(
                        call,
                        body,
                        Once.KEY_HEADER,
                        "idempotency_key",
                        Once::keyAllowed,
                        Once.KEY_RULE);
        Sent correlation =
                Sent.of(
                        call,
                        body,
                        Correlation.HEADER,
                        "correlation_id",
                        Correlation::allowed,
                        Correlation.RULE);
        if (key.fault() != null) {
            return key.fault();
        }
        if (correlation.fault() != null) {
            return correlation.fault();
        }
        UUID account = Callers.account(call);
        String tenant = body.textOrNull("tenant_id");
        if (tenant != null && !tenant.equalsIgnoreCase(account.toString())) {
            return new Asked.Bad(
                    "tenant_id follows from the API key, which is of another account.",
                    "/tenant_id");
        }
        Long version = body.integerOrNull("definition_version");
        return new Asked.Good(
                new NewExecution(
                        account,
                        UUID.fromString(body.text("definition_id")),
                        version == null ? null : Integer.valueOf(Math.toIntExact(version)),
                        new Target(body.text("target_object_type"), body.text("target_object_id")),
                        body.json("input"),
                        key.value(),
                        correlation.value(),
                        TraceContext.traceparent(),
                        RequestDigest.of(
                                "createExecution",
                                body,
                                "idempotency_key",
                                "correlation_id",
                                "tenant_id")));
    }
}
