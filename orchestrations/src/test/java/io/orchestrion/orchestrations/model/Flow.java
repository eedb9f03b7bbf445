package io.orchestrion.orchestrations.model;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/// A random definition that can be published: its document, and the same in the words of the model.
record Flow(String document, List<Step> steps, @Nullable Long executionMs) {
    static final String END = "terminal";
    static final List<String> WORKERS = List.of("w0", "w1", "w2", "guard", "undo");

    private static final List<String> RETRIED =
            List.of("TRANSIENT", "RETRYABLE", "RATE_LIMITED", "DEPENDENCY_FAILED");
    private static final List<String> TYPES =
            List.of(
                    "task",
                    "task",
                    "task",
                    "decision",
                    "wait",
                    "external_call",
                    "notify",
                    "human_approval");

    record Policy(
            int max,
            String strategy,
            long initialMs,
            long longestMs,
            long timeoutMs,
            Set<String> retryOn) {}

    /// @param least the input with which the branch is true
    record Branch(int least, String next) {}

    /// @param guard null for none, else the type of worker or `http`
    /// @param undo the same of the compensation handler
    /// @param unreadable whether its input cannot be made
    record Step(
            String id,
            String type,
            String worker,
            long timeoutMs,
            Policy policy,
            String safe,
            @Nullable String guard,
            @Nullable String undo,
            boolean auto,
            String onSuccess,
            String onFailure,
            String onTimeout,
            List<Branch> branches,
            @Nullable String otherwise,
            long waitMs,
            boolean unreadable) {
        boolean unsafe() {
            return safe.equals("NOT_SAFE_TO_RETRY");
        }

        boolean guarded() {
            return safe.equals("SAFE_TO_RETRY_WITH_GUARD");
        }
    }

    Step step(String id) {
        return steps.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    }

    static Flow random(Random random) {
        int count = 2 + random.nextInt(7);
        var steps = new ArrayList<Step>();
        for (int i = 0; i < count; i++) {
            steps.add(step(random, i, count));
        }
        Long executionMs = random.nextInt(4) == 0 ? 60_000L + random.nextInt(400) * 1000L : null;
        return new Flow(document(steps, executionMs), List.copyOf(steps), executionMs);
    }

    private static Step step(Random random, int i, int count) {
        String type = pick(random, TYPES);
        boolean acts = type.equals("task") || type.equals("external_call") || type.equals("notify");
        int declared = acts ? random.nextInt(10) : 0;
        String safe =
                declared < 5
                        ? "SAFE_TO_RETRY"
                        : declared < 8 ? "SAFE_TO_RETRY_WITH_GUARD" : "NOT_SAFE_TO_RETRY";
        // What follows after a success, or else after a failure, is the next one: all are reached.
        String next = i + 1 < count ? id(i + 1) : END;
        boolean jumps = random.nextInt(6) == 0;
        String far = further(random, i, count);
        String onFailure = jumps ? next : random.nextInt(3) == 0 ? further(random, i, count) : END;
        var branches = new ArrayList<Branch>();
        if (type.equals("decision")) {
            branches.add(new Branch(random.nextInt(10), next));
            if (random.nextBoolean()) {
                branches.add(new Branch(random.nextInt(10), further(random, i, count)));
            }
        }
        return new Step(
                id(i),
                type,
                "w" + random.nextInt(3),
                pick(random, List.of(30_000L, 60_000L, 200_000L, 900_000L)),
                policy(random),
                safe,
                safe.equals("SAFE_TO_RETRY_WITH_GUARD") ? handler(random, "guard") : null,
                acts && random.nextBoolean() ? handler(random, "undo") : null,
                random.nextBoolean(),
                jumps ? far : next,
                onFailure,
                random.nextInt(4) == 0 ? further(random, i, count) : onFailure,
                List.copyOf(branches),
                random.nextInt(3) > 0 ? further(random, i, count) : null,
                1000L * (1 + random.nextInt(90)),
                acts && random.nextInt(25) == 0);
    }

    private static String handler(Random random, String worker) {
        return random.nextInt(4) == 0 ? "http" : worker;
    }

    private static Policy policy(Random random) {
        long initial = pick(random, List.of(0L, 1000L, 5000L));
        var retryOn = new HashSet<String>();
        for (String each : RETRIED) {
            if (random.nextInt(5) > 0) {
                retryOn.add(each);
            }
        }
        return new Policy(
                1 + random.nextInt(3),
                pick(random, List.of("fixed", "exponential", "jittered")),
                initial,
                initial * pick(random, List.of(1L, 2L, 8L)),
                pick(random, List.of(20_000L, 45_000L, 90_000L)),
                retryOn);
    }

    private static String further(Random random, int i, int count) {
        int to = i + 1 + random.nextInt(count - i);
        return to < count ? id(to) : END;
    }

    private static String id(int i) {
        return "s" + i;
    }

    private static <T> T pick(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static String document(List<Step> steps, @Nullable Long executionMs) {
        return "{\"name\":\"model\",\"input_schema\":true"
                + (executionMs == null
                        ? ""
                        : ",\"policies\":{\"timeouts\":{\"execution_ms\":" + executionMs + "}}")
                + ",\"error_overrides\":{\"odd\":\"TRANSIENT\",\"torn\":\"COMPENSATION_REQUIRED\"}"
                + ",\"steps\":["
                + steps.stream().map(Flow::json).collect(Collectors.joining(",\n"))
                + "]}";
    }

    private static String json(Step step) {
        var out = new StringBuilder();
        out.append(
                """
                {"step_id":"%s","name":"%s","type":"%s","timeout_ms":%d,"idempotency_strategy":"%s",\
                "retry_policy":{"max_attempts":%d,"backoff_strategy":"%s","initial_delay_ms":%d,\
                "max_delay_ms":%d,"timeout_ms":%d,"retry_on_classes":[%s]}\
                """
                        .formatted(
                                step.id,
                                step.id,
                                step.type,
                                step.timeoutMs,
                                step.safe,
                                step.policy.max,
                                step.policy.strategy,
                                step.policy.initialMs,
                                step.policy.longestMs,
                                step.policy.timeoutMs,
                                step.policy.retryOn.stream()
                                        .sorted()
                                        .map(each -> "\"" + each + "\"")
                                        .collect(Collectors.joining(","))));
        switch (step.type) {
            case "task" -> field(out, "handler", "task:" + step.worker);
            case "external_call", "notify" ->
                    field(out, "handler", "http:https://step.test/" + step.id);
            case "wait" -> out.append(",\"duration_ms\":").append(step.waitMs);
            case "decision" -> branches(out, step);
            default -> {}
        }
        if (step.unreadable) {
            out.append(",\"input\":{\"$cel\":\"input.missing + 1\"}");
        }
        if (step.guard != null) {
            field(out, "guard_handler", handler(step.guard, step.id));
        }
        if (step.undo != null) {
            field(out, "compensation_handler", handler(step.undo, step.id));
            field(out, "compensation_policy", step.auto ? "auto" : "manual");
        }
        if (!step.type.equals("decision")) {
            field(out, "on_success", step.onSuccess);
        }
        field(out, "on_failure", step.onFailure);
        if (!step.onTimeout.equals(step.onFailure)) {
            field(out, "on_timeout", step.onTimeout);
        }
        return out.append('}').toString();
    }

    private static String handler(String handler, String step) {
        return handler.equals("http") ? "http:https://other.test/" + step : "task:" + handler;
    }

    private static void branches(StringBuilder out, Step step) {
        out.append(",\"branches\":[");
        for (Branch branch : step.branches) {
            out.append(branch == step.branches.getFirst() ? "" : ",")
                    .append("{\"when\":{\"path\":\"$.input.n\",\"op\":\"ge\",\"value\":")
                    .append(branch.least)
                    .append("},\"next\":\"")
                    .append(branch.next)
                    .append("\"}");
        }
        out.append(']');
        if (step.otherwise != null) {
            field(out, "default", step.otherwise);
        }
    }

    private static void field(StringBuilder out, String name, String text) {
        out.append(",\"").append(name).append("\":\"").append(text).append('"');
    }
}
