package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.schema.JsonSchemas;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/// A document with a step of each type, and ways to change it.
final class Documents {
    static final JsonMapper JSON = JsonMapper.shared();
    static final UUID ACCOUNT = new UUID(1, 1);
    static final Schemas SCHEMAS = new Schemas(new JsonSchemas(new Failpoints()));
    static final DefinitionReader READER = new DefinitionReader(SCHEMAS, Set.of("run.start"));

    /// Steps by number: 0 charge, 1 large, 2 cool_down, 3 call, 4 tell, 5 ask.
    static final String USUAL =
            """
            {
              "name": "Refund an order",
              "description": "Checks, asks and refunds.",
              "start_step_id": "charge",
              "steps": [
                {"step_id": "charge", "name": "Charge", "type": "task", "handler": "task:charge_card",
                 "input": {"order": {"$ref": "$.input.order"}, "twice": {"$cel": "input.amount * 2"}},
                 "timeout_ms": 60000, "idempotency_strategy": "NOT_SAFE_TO_RETRY",
                 "compensation_handler": "task:undo_charge", "compensation_policy": "auto",
                 "lease_seconds": 120, "priority": 10, "result_schema": {"type": "object"},
                 "on_success": "large", "on_failure": "tell"},
                {"step_id": "large", "name": "Large?", "type": "decision", "timeout_ms": 1000,
                 "idempotency_strategy": "SAFE_TO_RETRY",
                 "branches": [{"name": "large", "when": {"path": "$.steps.charge.result.amount", "op": "gt", "value": 100},
                               "next": "ask"},
                              {"when": {"$cel": "steps.charge.result.amount < 0"}, "next": "terminal"}],
                 "default": "cool_down"},
                {"step_id": "cool_down", "name": "Wait", "type": "wait", "timeout_ms": 90000, "duration_ms": 5000,
                 "idempotency_strategy": "SAFE_TO_RETRY", "on_success": "call"},
                {"step_id": "call", "name": "Call", "type": "external_call", "handler": "http:https://example.com/refunds",
                 "timeout_ms": 60000, "idempotency_strategy": "SAFE_TO_RETRY_WITH_GUARD", "guard_handler": "builtin:run.start",
                 "retry_policy": {"max_attempts": 3, "backoff_strategy": "jittered", "initial_delay_ms": 100,
                                  "max_delay_ms": 1000, "timeout_ms": 5000, "retry_on_classes": ["TRANSIENT", "RATE_LIMITED"]},
                 "request": {"method": "PUT", "headers": {"X-Order": {"$ref": "$.input.order"}, "Accept": "application/json"},
                             "body": {"id": {"$ref": "$.execution.id"}}},
                 "on_success": "terminal", "on_failure": "tell", "on_timeout": "terminal"},
                {"step_id": "tell", "name": "Tell", "type": "notify", "handler": "http:https://example.com/hook",
                 "channel": "webhook", "timeout_ms": 60000, "idempotency_strategy": "SAFE_TO_RETRY"},
                {"step_id": "ask", "name": "Ask", "type": "human_approval", "timeout_ms": 86400000,
                 "idempotency_strategy": "SAFE_TO_RETRY", "assignee_group": "finance", "title": "Refund?", "note": "Look.",
                 "input": {"amount": {"$ref": "$.steps.charge.result.amount", "default": 0}},
                 "on_success": "call", "on_timeout": "tell"}
              ],
              "policies": {
                "timeouts": {"execution_ms": 600000},
                "retry": {"max_attempts": 5, "backoff_strategy": "exponential", "initial_delay_ms": 1000,
                          "max_delay_ms": 30000, "timeout_ms": 1000, "retry_on_classes": ["TRANSIENT"]},
                "concurrency": {"max_running_per_target": 1, "max_running_per_definition": 100}
              },
              "input_schema": {"type": "object", "required": ["order"]},
              "output_schema": true,
              "output": {"order": {"$ref": "$.input.order"}},
              "error_overrides": {"card_expired": "NON_RETRYABLE"}
            }
            """;

    /// One step, to draw graphs with.
    static final String SMALL =
            """
            {"name": "n", "input_schema": true,
             "policies": {"retry": {"max_attempts": 1, "backoff_strategy": "fixed", "initial_delay_ms": 0,
                          "max_delay_ms": 0, "timeout_ms": 1, "retry_on_classes": []}},
             "steps": [%s]}
            """;

    private Documents() {}

    /// The usual one with a change: a JSON Pointer and what is there then, or `-` for nothing.
    static String with(String... changes) {
        JsonNode document = JSON.readTree(USUAL);
        for (int i = 0; i < changes.length; i += 2) {
            JsonPointer at = JsonPointer.compile(changes[i]);
            JsonNode parent = document.at(at.head());
            JsonPointer last = at.last();
            if (parent instanceof ObjectNode object) {
                if (changes[i + 1].equals("-")) {
                    object.remove(last.getMatchingProperty());
                } else {
                    object.set(last.getMatchingProperty(), JSON.readTree(changes[i + 1]));
                }
            } else {
                ((ArrayNode) parent).set(last.getMatchingIndex(), JSON.readTree(changes[i + 1]));
            }
        }
        return document.toString();
    }

    /// A task step that leads to others.
    static String step(String id, String more) {
        return "{\"step_id\":\""
                + id
                + "\",\"name\":\""
                + id
                + "\",\"type\":\"task\",\"handler\":\"task:t\",\"timeout_ms\":1,"
                + "\"idempotency_strategy\":\"SAFE_TO_RETRY\""
                + (more.isEmpty() ? "" : "," + more)
                + "}";
    }

    static String of(String... steps) {
        return SMALL.formatted(String.join(",", steps));
    }

    static ReadDefinition read(String json) {
        return READER.read(ACCOUNT, json);
    }

    static Definition definition(String json) {
        ReadDefinition read = read(json);
        if (read.definition() == null) {
            throw new AssertionError(read.findings());
        }
        return read.definition();
    }

    /// As `code pointer`.
    static List<String> found(String json) {
        return read(json).findings().stream()
                .map(finding -> finding.code().word() + " " + finding.pointer())
                .toList();
    }
}
