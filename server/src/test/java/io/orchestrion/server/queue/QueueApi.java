package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// One account's view of the queue door, in the verbs of the contract.
///
/// @param keyed with the account's key
/// @param plain without a credential
record QueueApi(Api keyed, Api plain, String key, UUID account) {
    static final String JOBS = "/api/queue/jobs";

    static QueueApi of(TestServer server) {
        TaskApi made = server.account();
        return new QueueApi(
                made.api(), server.anonymous(), made.key(), UUID.fromString(made.accountId()));
    }

    /// A worker with a token of its own.
    ///
    /// @param policy fields of the token, as JSON without the braces
    Worker worker(String id, String policy) {
        Reply made =
                keyed.post(
                        "/api/queue/workers/tokens",
                        "{\"workerId\":\"%s\"%s}"
                                .formatted(id, policy.isEmpty() ? "" : "," + policy));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String token = made.text("/token");
        return new Worker(
                plain.with("X-MoonMind-Worker-Token", token), id, made.text("/id"), token);
    }

    Worker worker(String id) {
        return worker(id, "");
    }

    /// One that comes with the account's key.
    Worker keyWorker(String id) {
        return new Worker(keyed, id, "", key);
    }

    String enqueue(String type) {
        return enqueue(type, "{}");
    }

    String enqueue(String type, String payload) {
        return enqueue(type, payload, "");
    }

    /// @param more fields, as JSON without the braces
    String enqueue(String type, String payload, String more) {
        Reply made =
                keyed.post(
                        JOBS,
                        "{\"type\":\"%s\",\"payload\":%s%s}"
                                .formatted(type, payload, more.isEmpty() ? "" : "," + more));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.text("/id");
    }

    Reply get(String id) {
        return keyed.get(JOBS + "/" + id);
    }

    String status(String id) {
        return get(id).text("/status");
    }

    Reply verb(String id, String verb) {
        return keyed.post(JOBS + "/" + id + "/" + verb);
    }

    Reply events(String id, String query) {
        return keyed.get(JOBS + "/" + id + "/events" + query);
    }

    /// What happened to a job, in the order in which it did; what its worker said is left out.
    List<String> lifecycle(String id) {
        var words = new ArrayList<String>();
        for (JsonNode event : events(id, "?limit=1000").at("/items")) {
            if (!event.get("event").isNull()) {
                words.add(event.get("event").asString());
            }
        }
        return words;
    }

    /// A worker with its credential.
    record Worker(Api api, String id, String tokenId, String token) {

        /// @param more fields, as JSON without the braces
        Reply claim(String more) {
            return api.post(
                    JOBS + "/claim",
                    "{\"workerId\":\"%s\"%s}".formatted(id, more.isEmpty() ? "" : "," + more));
        }

        /// The id of what was claimed, empty for nothing.
        String claimed(String more) {
            Reply reply = claim(more);
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            return reply.text("/job/id");
        }

        String claimed() {
            return claimed("");
        }

        Reply verb(String job, String verb, @Nullable String more) {
            return api.post(
                    JOBS + "/" + job + "/" + verb,
                    "{\"workerId\":\"%s\"%s}"
                            .formatted(id, more == null || more.isEmpty() ? "" : "," + more));
        }

        Reply complete(String job) {
            return verb(job, "complete", null);
        }

        Reply fail(String job, boolean retryable) {
            return verb(job, "fail", "\"errorMessage\":\"it broke\",\"retryable\":" + retryable);
        }

        Reply heartbeat(String job, int seconds) {
            return verb(job, "heartbeat", "\"leaseSeconds\":" + seconds);
        }

        Reply say(String job, String message) {
            return verb(job, "events", "\"level\":\"info\",\"message\":\"" + message + "\"");
        }
    }
}
