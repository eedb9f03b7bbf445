package io.orchestrion.bench.scenario;

import java.util.ArrayList;
import java.util.List;

/// Definitions of orchestrations, as documents.
final class Workflows {
    /// Of the tasks of all steps that workers do.
    static final String TYPE = "bench_step";

    /// Of those steps whose attempts fail again and again.
    static final String FAILING_TYPE = "bench_failing";

    private static final String STEP_FIELDS =
            ",\"timeout_ms\":86400000,\"idempotency_strategy\":\"SAFE_TO_RETRY\"";

    private Workflows() {}

    /// So many steps in a row, each done by a worker.
    static String steps(int count) {
        return document(1, tasks(count, TYPE));
    }

    /// The same, where each step may be tried so often, without a pause.
    static String failing(int count, int attempts) {
        return document(attempts, tasks(count, FAILING_TYPE));
    }

    /// A decision, and a wait for a time that is over: nobody has to do anything.
    static String decisionAndWait() {
        return document(
                1,
                List.of(
                        step(
                                "decide",
                                "decision",
                                ",\"branches\":[{\"when\":{\"path\":\"$.input.customer.tier\","
                                        + "\"op\":\"eq\",\"value\":\"gold\"},\"next\":\"rest\"}],"
                                        + "\"default\":\"terminal\""),
                        step("rest", "wait", ",\"until\":\"2020-01-01T00:00:00Z\"")));
    }

    static String sleep(long millis) {
        return document(1, List.of(step("rest", "wait", ",\"duration_ms\":" + millis)));
    }

    static String approval() {
        return document(1, List.of(step("ask", "human_approval", "")));
    }

    private static List<String> tasks(int count, String type) {
        var steps = new ArrayList<String>();
        for (int i = 1; i <= count; i++) {
            String next = i == count ? "terminal" : "step" + (i + 1);
            steps.add(
                    step(
                            "step" + i,
                            "task",
                            ",\"handler\":\"task:" + type + "\",\"on_success\":\"" + next + "\""));
        }
        return steps;
    }

    private static String step(String id, String type, String more) {
        return "{\"step_id\":\""
                + id
                + "\",\"name\":\""
                + id
                + "\",\"type\":\""
                + type
                + "\""
                + STEP_FIELDS
                + more
                + "}";
    }

    private static String document(int attempts, List<String> steps) {
        return "{\"name\":\"bench\",\"input_schema\":{\"type\":\"object\"},\"policies\":{\"retry\":"
                + "{\"max_attempts\":"
                + attempts
                + ",\"backoff_strategy\":\"fixed\",\"initial_delay_ms\":0,\"max_delay_ms\":0,"
                + "\"timeout_ms\":600000,\"retry_on_classes\":[\"TRANSIENT\"]}},\"steps\":["
                + String.join(",", steps)
                + "]}";
    }
}
