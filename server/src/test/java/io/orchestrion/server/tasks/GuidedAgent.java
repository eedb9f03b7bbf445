package io.orchestrion.server.tasks;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An agent that knows nothing of status codes or errors: it reads `next_actions`, fills in the
/// fields that are asked for from what it knows, and waits when it is told to (by moving the
/// clock). It remembers what answers give it under the names of the contract.
final class GuidedAgent {
    private final TestServer server;
    private final Map<String, String> known = new LinkedHashMap<>();
    private final List<String> taken = new ArrayList<>();
    private Api api;
    private Reply last;
    private String lastPath;
    private @Nullable String lastBody;

    /// @param first the address that it was told of, and nothing else
    GuidedAgent(TestServer server, String first) {
        this.server = server;
        this.api = server.anonymous();
        this.lastPath = first;
        this.last = api.get(first);
    }

    /// Tells it what a field is to hold, as JSON text.
    GuidedAgent knows(String field, String json) {
        known.put(field, json);
        return this;
    }

    /// Takes the recommended action, so many times at the most, until the task of the last answer
    /// has that status.
    Reply followUntil(String status, int steps) {
        for (int i = 0; i < steps; i++) {
            if (last.text("/task/status").equals(status)) {
                return last;
            }
            take(recommended());
        }
        throw new AssertionError("not " + status + " after " + taken + ": " + last.text());
    }

    /// Takes the recommended action until it is that one, and takes it.
    Reply followThrough(String action, int steps) {
        for (int i = 0; i < steps; i++) {
            JsonNode next = recommended();
            take(next);
            if (next.get("action").asString().equals(action)) {
                return last;
            }
        }
        throw new AssertionError("no " + action + " in " + taken + ": " + last.text());
    }

    /// Takes another action than the recommended one, because its work came out so.
    Reply choose(String action) {
        for (JsonNode offered : last.at("/agent_contract/next_actions").values()) {
            if (offered.get("action").asString().equals(action)
                    && offered.get("available").asBoolean()) {
                return take(offered);
            }
        }
        throw new AssertionError(action + " is not offered: " + last.text());
    }

    private JsonNode recommended() {
        for (JsonNode action : last.at("/agent_contract/next_actions").values()) {
            if (action.get("recommended").asBoolean() && action.get("available").asBoolean()) {
                return action;
            }
        }
        throw new AssertionError("nothing is recommended: " + last.text());
    }

    private Reply take(JsonNode action) {
        String code = action.get("action").asString();
        taken.add(code);
        if (action.has("retry_after_seconds")) {
            server.clock().advance(Duration.ofSeconds(action.get("retry_after_seconds").asLong()));
        }
        String path = action.get("endpoint").asString();
        String method = action.get("method").asString();
        String body = method.equals("GET") ? null : body(action, path);
        lastPath = path;
        lastBody = body;
        last = api.send(method, path, body);
        remember();
        return last;
    }

    private @Nullable String body(JsonNode action, String path) {
        if (!action.has("required_fields")) {
            boolean again =
                    action.get("action").asString().equals("retry_after_wait")
                            && path.equals(lastPath);
            return again ? lastBody : null;
        }
        var body = new StringBuilder("{");
        for (JsonNode field : action.get("required_fields").values()) {
            String value = known.get(field.asString());
            if (value == null) {
                throw new AssertionError("told to send " + field + ", known is " + known);
            }
            body.append(body.length() > 1 ? "," : "")
                    .append('"')
                    .append(field.asString())
                    .append("\":")
                    .append(value);
        }
        if (path.equals("/v1/tasks") && known.containsKey("extra")) {
            body.append(known.remove("extra"));
        }
        return body.append('}').toString();
    }

    private void remember() {
        if (!last.text("/apiKey").isEmpty()) {
            api = api.withKey(last.text("/apiKey"));
            known.put("accountId", last.text("/accountId"));
            known.put("apiKey", last.text("/apiKey"));
        }
        if (!last.text("/purchaseId").isEmpty()) {
            known.put("purchaseId", '"' + last.text("/purchaseId") + '"');
        }
    }

    /// Adds more fields to the next task it creates, as JSON text without braces.
    GuidedAgent willAlsoSay(String fields) {
        known.put("extra", "," + fields);
        return this;
    }

    String accountId() {
        return known.getOrDefault("accountId", "");
    }

    String key() {
        return known.getOrDefault("apiKey", "");
    }

    Reply last() {
        return last;
    }

    /// The codes of all actions that it took, in order.
    List<String> taken() {
        return taken;
    }
}
