package io.orchestrion.server.discovery;

import io.orchestrion.server.health.HealthEndpoints;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.keys.KeyEndpoints;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskSpecs;

import java.nio.charset.StandardCharsets;

/// A short page in Markdown for language models, in the form of llmstxt.org.
final class LlmsText {
    private final Facts facts;

    LlmsText(Facts facts) {
        this.facts = facts;
    }

    byte[] bytes() {
        var out = new StringBuilder();
        out.append("# ").append(Facts.TITLE).append("\n\n> ").append(Facts.DESCRIPTION);
        out.append(
                """


                A producer creates tasks. A worker claims one under a lease, keeps the lease alive with heartbeats,
                and completes or fails the task. A task whose lease runs out, or that fails, goes back to the queue
                until its attempts are used up; then it waits as dead_letter. Bodies are JSON. Every answer, errors
                included, has `agent_contract.next_actions`: do what is `recommended` there.

                ## Start

                """);
        start(out);
        out.append("\n## Documents\n\n");
        for (Endpoint document : DiscoveryEndpoints.CATALOGUE) {
            if (document != DiscoveryEndpoints.LLMS) {
                link(out, document);
            }
        }
        link(out, HealthEndpoints.HEALTH);
        out.append("\n## Endpoints with a key\n\n");
        facts.withAccess(Access.KEY).forEach(endpoint -> endpoint(out, endpoint));
        out.append("\n## Endpoints without a key\n\n");
        facts.withAccess(Access.PUBLIC).forEach(endpoint -> endpoint(out, endpoint));
        out.append(
                "\n## Errors\n\nThe body is `{ error, message, request_id, agent_contract }`.\n\n");
        for (TaskError error : TaskError.values()) {
            out.append("- `").append(error.code()).append("` (").append(error.status());
            out.append(error.retryable() ? ", retryable): " : "): ");
            out.append(error.meaning()).append('\n');
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void start(StringBuilder out) {
        step(out, 1, KeyEndpoints.REGISTER, "Keep `apiKey`: it is shown this once.");
        out.append("   Send it with every later call: `Authorization: Bearer ")
                .append(Parts.KEY_FORMAT)
                .append("`.\n");
        step(out, 2, TaskEndpoints.CREATE, "With `" + TaskSpecs.CREATE.toExample() + "`.");
        step(
                out,
                3,
                TaskEndpoints.CLAIM,
                "With `{\"type\":\"summarize\"}`; `task` is null when"
                        + " there is nothing to do.");
        step(out, 4, TaskEndpoints.HEARTBEAT, "About every third of `leaseDurationSeconds`.");
        step(out, 5, TaskEndpoints.COMPLETE, "With `{\"result\":{...}}`.");
        step(
                out,
                6,
                TaskEndpoints.FAIL,
                "Instead, with `{\"reason\":\"...\"}`, when it went wrong.");
    }

    private static void step(StringBuilder out, int number, Endpoint call, String how) {
        out.append(number).append(". `").append(call.method()).append(' ');
        out.append(call.colonPath()).append("`: ").append(call.summary()).append(". ");
        out.append(how).append('\n');
    }

    private static void link(StringBuilder out, Endpoint document) {
        out.append("- [").append(document.summary()).append("](").append(document.path());
        out.append(")\n");
    }

    private static void endpoint(StringBuilder out, Endpoint endpoint) {
        out.append("- `").append(endpoint.method()).append(' ').append(endpoint.colonPath());
        out.append("`: ").append(endpoint.summary()).append('\n');
    }
}
