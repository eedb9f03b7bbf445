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
import java.util.StringJoiner;

/// An agent that knows nothing of status codes or errors: it reads `next_actions`, fills in the
/// fields that are asked for from what it knows, and waits when it is told to (by moving the
/// clock). It remembers what answers give it under the names of the contract.
final class GuidedAgent {
    private final TestServer server;
    private final Map<String, String> known = new LinkedHashMap<>();
    private final List<String> taken = new ArrayList<>();
    private Api api;
    private Reply last;
    private String lastPath = "";
    private @Nullable String lastBody;

    /// @param first the address that it was told of, and nothing else
    GuidedAgent(TestServer server, String first) {
        this(server, server.anonymous(), server.anonymous().get(first));
    }

    /// One that has been at it.
    ///
    /// @param last the answer that it got last
    GuidedAgent(TestServer server, Api api, Reply last) {
        this.server = server;
        this.api = api;
        this.last = last;
        knows("type", "\"t\"");
        knows("payload", "{\"n\":1}");
        knows("planId", "\"basic\"");
    }

    /// Tells it what a field is to hold, as JSON text.
    private void knows(String field, String json) {
        known.put(field, json);
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
            server.sweepLeases();
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
        if (action.has("required_fields")) {
            return fields(
                    action.get("required_fields").values().stream()
                            .map(JsonNode::asString)
                            .toList(),
                    path);
        }
        if (!action.get("action").asString().equals("retry_after_wait")) {
            return null;
        }
        // The same once more; of what it said before we met it there are two kinds with a body.
        return path.equals(lastPath)
                ? lastBody
                : switch (path) {
                    case "/v1/tasks" -> fields(List.of("type", "payload"), path);
                    case "/v1/tasks/claim" -> fields(List.of("type"), path);
                    default -> null;
                };
    }

    private String fields(List<String> names, String path) {
        var body = new StringJoiner(",", "{", "}");
        for (String name : names) {
            String value = known.get(name);
            if (value == null) {
                throw new AssertionError("told to send " + name + ", known is " + known);
            }
            body.add("\"" + name + "\":" + value);
        }
        if (path.equals("/v1/tasks") && known.containsKey("extra")) {
            body.add(known.remove("extra"));
        }
        return body.toString();
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
        known.put("extra", fields);
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
