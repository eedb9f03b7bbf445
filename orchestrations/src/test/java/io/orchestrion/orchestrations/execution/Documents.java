package io.orchestrion.orchestrations.execution;

import java.util.Arrays;
import java.util.stream.Collectors;

/// Definitions for tests, put together from parts.
final class Documents {
    static final String RETRY =
            """
            {"max_attempts":3,"backoff_strategy":"exponential","initial_delay_ms":1000,"max_delay_ms":8000,
             "timeout_ms":30000,"retry_on_classes":["TRANSIENT","RETRYABLE","RATE_LIMITED","DEPENDENCY_FAILED"]}
            """;

    private Documents() {}

    /// @param steps JSON objects
    static String of(String... steps) {
        return with("", steps);
    }

    /// @param more further fields of the document, each with a comma behind it
    static String with(String more, String... steps) {
        return "{\"name\":\"test\",\"input_schema\":{\"type\":\"object\"},"
                + more
                + "\"policies\":{\"retry\":"
                + RETRY
                + "},\"steps\":["
                + String.join(",", steps)
                + "]}";
    }

    /// A step that a worker does.
    ///
    /// @param more further fields, each with a comma before it
    static String task(String id, String more) {
        return step(id, "task", ",\"handler\":\"task:do_" + id + "\"" + more);
    }

    /// The same step, which may take so long with all attempts.
    static String within(long millis, String step) {
        return step.replace("\"timeout_ms\":600000", "\"timeout_ms\":" + millis);
    }

    /// A field of a step: its own policy, which retries whatever can be retried.
    static String retry(int attempts, String strategy, long firstMs, long longestMs, long eachMs) {
        return retry(
                attempts,
                strategy,
                firstMs,
                longestMs,
                eachMs,
                "TRANSIENT",
                "RETRYABLE",
                "RATE_LIMITED",
                "DEPENDENCY_FAILED");
    }

    static String retry(
            int attempts,
            String strategy,
            long firstMs,
            long longestMs,
            long eachMs,
            String... classes) {
        return """
        ,"retry_policy":{"max_attempts":%d,"backoff_strategy":"%s","initial_delay_ms":%d,"max_delay_ms":%d,\
        "timeout_ms":%d,"retry_on_classes":[%s]}\
        """
                .formatted(
                        attempts,
                        strategy,
                        firstMs,
                        longestMs,
                        eachMs,
                        Arrays.stream(classes)
                                .map(each -> "\"" + each + "\"")
                                .collect(Collectors.joining(",")));
    }

    static String step(String id, String type, String more) {
        return """
        {"step_id":"%s","name":"Step %s","type":"%s","timeout_ms":600000,"idempotency_strategy":"%s"%s}\
        """
                .formatted(
                        id,
                        id,
                        type,
                        more.contains("NOT_SAFE")
                                ? "NOT_SAFE_TO_RETRY"
                                : more.contains("guard_handler")
                                        ? "SAFE_TO_RETRY_WITH_GUARD"
                                        : "SAFE_TO_RETRY",
                        more.replace(",NOT_SAFE", ""));
    }
}
