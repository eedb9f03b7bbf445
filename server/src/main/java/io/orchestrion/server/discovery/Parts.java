package io.orchestrion.server.discovery;

import io.orchestrion.kernel.identity.ApiKey;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.tasks.AgentContract;
import io.orchestrion.server.tasks.KeyEndpoints;
import io.orchestrion.server.tasks.NextAction;

import java.util.List;
import java.util.Locale;

/// What several documents say in the same words.
final class Parts {
    private Parts() {}

    static final String KEY_FORMAT = ApiKey.PREFIX + "{" + ApiKey.SECRET_HEX_DIGITS + " hex chars}";

    /// What to do after reading a document. Reading it again does no harm.
    static final AgentContract CONTRACT =
            AgentContract.of(
                    true,
                    NextAction.call(
                                    NextAction.Code.AUTHENTICATE,
                                    KeyEndpoints.REGISTER.method(),
                                    KeyEndpoints.REGISTER.path())
                            .best());

    static void authentication(JsonWriter out) {
        out.text("scheme", "Bearer")
                .text("header", "Authorization")
                .text("key_format", KEY_FORMAT)
                .text("registration_endpoint", KeyEndpoints.REGISTER.path())
                .texts(
                        "notes",
                        List.of(
                                "API keys are hashed with SHA-256; plaintext is never stored.",
                                "Keys in query strings are rejected with 400.",
                                "Each API key maps to exactly one account."));
    }

    /// `create_task` for the operation `createTask`.
    static String toolName(Endpoint endpoint) {
        return endpoint.name().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
