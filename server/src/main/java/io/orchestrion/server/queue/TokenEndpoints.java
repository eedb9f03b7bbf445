package io.orchestrion.server.queue;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.identity.WorkerTokens;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;

import java.util.Arrays;
import java.util.List;

/// The endpoints for worker tokens. None of them takes an idempotency key: the stored answer would
/// hold the secret.
public final class TokenEndpoints {
    private TokenEndpoints() {}

    private static final String TOKENS = "/api/queue/workers/tokens";
    private static final String TOKEN = TOKENS + "/{tokenId}";

    static final Endpoint CREATE =
            managing(Endpoint.post("createWorkerToken", TOKENS), QueueError.TOO_MANY_TOKENS)
                    .summary("Create a worker token; only this answer shows its secret")
                    .request(TokenSpecs.CREATE)
                    .response(201, TokenSpecs.MADE)
                    .build();

    static final Endpoint LIST =
            managing(Endpoint.get("listWorkerTokens", TOKENS))
                    .summary("List the account's worker tokens, newest first, without secrets")
                    .query(
                            text("workerId")
                                    .length(1, WorkerTokens.WORKER_ID_MAX)
                                    .doc("Only tokens of this worker."),
                            integer("limit")
                                    .range(1, TokenSpecs.PAGE_MAX)
                                    .orElse(TokenSpecs.PAGE_DEFAULT)
                                    .doc("Largest number of entries in the answer."),
                            text("cursor").length(1, 200).doc("nextCursor of the previous page."))
                    .response(200, TokenSpecs.LIST)
                    .build();

    static final Endpoint GET =
            managing(Endpoint.get("getWorkerToken", TOKEN), QueueError.TOKEN_NOT_FOUND)
                    .summary("Get a worker token, without its secret")
                    .response(200, TokenSpecs.TOKEN)
                    .build();

    static final Endpoint CHANGE =
            managing(
                            Endpoint.patch("changeWorkerToken", TOKEN),
                            QueueError.TOKEN_NOT_FOUND,
                            QueueError.TOO_MANY_TOKENS)
                    .summary("Change what a worker token allows, from the next claim on")
                    .request(TokenSpecs.CHANGE)
                    .response(200, TokenSpecs.TOKEN)
                    .build();

    static final Endpoint DEACTIVATE =
            managing(
                            Endpoint.post("deactivateWorkerToken", TOKEN + "/deactivate"),
                            QueueError.TOKEN_NOT_FOUND)
                    .summary("Deactivate a worker token until it is reactivated")
                    .response(200, TokenSpecs.TOKEN)
                    .build();

    static final Endpoint REACTIVATE =
            managing(
                            Endpoint.post("reactivateWorkerToken", TOKEN + "/reactivate"),
                            QueueError.TOKEN_NOT_FOUND,
                            QueueError.TOO_MANY_TOKENS)
                    .summary("Reactivate a deactivated worker token")
                    .response(200, TokenSpecs.TOKEN)
                    .build();

    static final Endpoint ROTATE =
            managing(
                            Endpoint.post("rotateWorkerToken", TOKEN + "/rotate"),
                            QueueError.TOKEN_NOT_FOUND,
                            QueueError.TOKEN_NOT_WORKING,
                            QueueError.TOO_MANY_SECRETS)
                    .summary(
                            "Give a worker token a new secret; the former one stays valid for a"
                                    + " while")
                    .request(TokenSpecs.ROTATE)
                    .response(200, TokenSpecs.MADE)
                    .build();

    private static Endpoint.Builder managing(Endpoint.Builder endpoint, QueueError... errors) {
        return endpoint.door(QueueEndpoints.DOOR)
                .limit(RateLimits.QUEUE_MANAGE)
                .scopes("operator", "admin")
                .errors(Arrays.stream(errors).map(QueueError::code).toArray(String[]::new));
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(CREATE, LIST, GET, CHANGE, DEACTIVATE, REACTIVATE, ROTATE));
}
