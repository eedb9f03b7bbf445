package io.orchestrion.server.jobs;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints and bodies of the jobs door about clients and their keys.
public final class ClientEndpoints {
    private ClientEndpoints() {}

    static final String CLIENTS = "/v1/clients";
    static final String ID = "client_id";
    private static final String KEYS = CLIENTS + "/{" + ID + "}/keys";

    private static final ObjectSpec CLIENT =
            ObjectSpec.answer("Client")
                    .required(
                            JobsSpecs.id(ID)
                                    .doc(
                                            "Keep it secret until the client has a key: whoever"
                                                    + " knows it can fetch the first key."));

    private static final ObjectSpec KEY_REQUEST =
            ObjectSpec.named("ClientKeyRequest")
                    .optional(
                            bool("rotate")
                                    .orElse(false)
                                    .doc(
                                            "Whether a new key replaces the existing key, which"
                                                    + " stops working."));

    private static final ObjectSpec KEY =
            ObjectSpec.answer("ClientKey")
                    .required(
                            apiKey().nullable()
                                    .doc(
                                            "Shown once, when the key is created. Null for an"
                                                    + " existing key."))
                    .required(JobsSpecs.id("key_id"))
                    .required(instant("created_at"))
                    .required(
                            instant("expires_at")
                                    .nullable()
                                    .doc("Null only for a key that never expires."));

    private static final ObjectSpec REVOKE_REQUEST =
            ObjectSpec.named("ClientKeyRevoke").required(JobsSpecs.id("key_id"));

    private static final ObjectSpec REVOKED =
            ObjectSpec.answer("ClientKeyRevoked").required(bool("revoked").doc("Always true."));

    private static TextField apiKey() {
        return text("api_key").pattern("^orch_live_[0-9a-f]{64}$");
    }

    static final Endpoint CREATE =
            Endpoint.post("createClient", CLIENTS)
                    .door(JobsDoor.NAME)
                    .access(Access.PUBLIC)
                    .limit(JobsLimits.CLIENTS)
                    .summary("Create a client")
                    .request(ObjectSpec.named("ClientCreate"))
                    .requestHeader(Once.header())
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .response(201, CLIENT)
                    .errors(
                            JobsEndpoints.codes(
                                    JobsError.AUTH_INVALID_CREDENTIALS,
                                    JobsError.AUTH_TOKEN_EXPIRED,
                                    JobsError.AUTH_API_KEY_DISABLED,
                                    JobsError.EXEC_IDEMPOTENCY_CONFLICT,
                                    JobsError.EXEC_IDEMPOTENCY_IN_FLIGHT))
                    .build();

    static final Endpoint KEY_CREATE =
            keys(Endpoint.post("createClientKey", KEYS))
                    .access(Access.PUBLIC)
                    .summary("Get the client's first key, its existing key, or a new one")
                    .request(KEY_REQUEST)
                    .requestHeader(Once.header())
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .response(201, KEY)
                    .errors(
                            JobsEndpoints.codes(
                                    JobsError.AUTH_INVALID_CREDENTIALS,
                                    JobsError.AUTH_TOKEN_EXPIRED,
                                    JobsError.AUTH_API_KEY_DISABLED,
                                    JobsError.AUTH_FORBIDDEN,
                                    JobsError.CLIENT_NOT_FOUND,
                                    JobsError.KEY_CONFLICT,
                                    JobsError.EXEC_IDEMPOTENCY_CONFLICT,
                                    JobsError.EXEC_IDEMPOTENCY_IN_FLIGHT))
                    .build();

    static final Endpoint KEY_RENEW =
            keys(Endpoint.post("renewClientKey", KEYS + "/renew"))
                    .summary("Give the client's key a new secret and a later expiry")
                    .scopes("admin")
                    .request(ObjectSpec.named("ClientKeyRenew"))
                    .response(200, KEY)
                    .errors(JobsEndpoints.codes(JobsError.CLIENT_NOT_FOUND, JobsError.KEY_CONFLICT))
                    .build();

    static final Endpoint KEY_REVOKE =
            keys(Endpoint.post("revokeClientKey", KEYS + "/revoke"))
                    .summary("Revoke a key of the client")
                    .scopes("admin")
                    .request(REVOKE_REQUEST)
                    .response(200, REVOKED)
                    .destructive()
                    .errors(
                            JobsEndpoints.codes(
                                    JobsError.CLIENT_NOT_FOUND,
                                    JobsError.KEY_NOT_FOUND,
                                    JobsError.KEY_CONFLICT))
                    .build();

    private static Endpoint.Builder keys(Endpoint.Builder endpoint) {
        return endpoint.door(JobsDoor.NAME).limit(JobsLimits.JOBS);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(CREATE, KEY_CREATE, KEY_RENEW, KEY_REVOKE));
}
