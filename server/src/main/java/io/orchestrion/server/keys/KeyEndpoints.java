package io.orchestrion.server.keys;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints for accounts and their keys. None of them takes an idempotency key: the stored
/// answer would hold the secret.
public final class KeyEndpoints {
    private KeyEndpoints() {}

    public static final Endpoint REGISTER =
            Endpoint.post("registerKey", "/v1/keys/register")
                    .door(TasksDoor.NAME)
                    .access(Access.PUBLIC)
                    .summary("Register new API key")
                    .limit(RateLimits.REGISTER)
                    .request(KeySpecs.REGISTER)
                    .response(201, KeySpecs.REGISTER_ANSWER)
                    .build();

    static final Endpoint CREATE =
            managing(Endpoint.post("createKey", "/v1/keys"))
                    .summary("Create another key of the account")
                    .request(KeySpecs.CREATE)
                    .response(201, KeySpecs.CREATE_ANSWER)
                    .build();

    static final Endpoint LIST =
            managing(Endpoint.get("listKeys", "/v1/keys"))
                    .summary("List the account's keys, newest first")
                    .query(
                            integer("limit")
                                    .range(1, KeySpecs.LIST_MAX)
                                    .orElse(KeySpecs.LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."),
                            text("cursor").length(1, 200).doc("nextCursor of the previous page."))
                    .response(200, KeySpecs.LIST_ANSWER)
                    .build();

    static final Endpoint GET =
            managing(Endpoint.get("getKey", "/v1/keys/{id}"), "key_not_found")
                    .summary("Get single key, without its secret")
                    .response(200, KeySpecs.KEY_ANSWER)
                    .build();

    static final Endpoint RENAME =
            managing(
                            Endpoint.patch("renameKey", "/v1/keys/{id}"),
                            "invalid_request",
                            "key_not_found")
                    .summary("Rename key")
                    .request(KeySpecs.RENAME)
                    .response(200, KeySpecs.KEY_ANSWER)
                    .build();

    static final Endpoint REVOKE =
            managing(Endpoint.delete("revokeKey", "/v1/keys/{id}"), "key_not_found", "last_key")
                    .summary("Revoke key")
                    .response(200, KeySpecs.KEY_ANSWER)
                    .build();

    private static Endpoint.Builder managing(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(TasksDoor.NAME).limit(RateLimits.KEYS).scopes("admin").errors(errors);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(REGISTER, CREATE, LIST, GET, RENAME, REVOKE));
}
