package io.orchestrion.app.docs;

import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.jobs.JobsError;
import io.orchestrion.server.orchestrations.OrchestrationError;
import io.orchestrion.server.queue.QueueError;
import io.orchestrion.server.taskdoor.TaskError;

import java.util.stream.Collectors;

/// Every error that a caller can meet.
final class ErrorsPage {
    private ErrorsPage() {}

    static String text() {
        var out = new StringBuilder();
        out.append(
                """
                # Errors

                Made from the error catalogue in the code; do not edit. The exit codes of the program are in
                [configuration.md](configuration.md).

                ## Tasks door

                Every error is `{ error, message, request_id, agent_contract }`. `retryable` says whether the same request
                may succeed later; the contract's `next_actions` say what to do.

                | code | status | retryable | meaning |
                |---|---|---|---|
                """);
        rows(out, TaskError.values());
        out.append(
                """

                ## Queue door

                Every error is a problem document (RFC 9457, `application/problem+json`): `{ type, title, status, detail,
                instance, code, retryable }`, with `errors` where fields are wrong, each with its `field`, `bound` and `message`.
                `type` is `urn:orchestrion:problem:` and the code; `instance` names the request, as `X-Request-Id` does.

                | code | status | retryable | meaning |
                |---|---|---|---|
                """);
        rows(out, QueueError.values());
        out.append(
                """

                ## Jobs door

                Problem documents of the same form, under `/v1/jobs`, `/v1/clients` and `/v1/webhooks`. `type` is `/problems/` and
                the code: a path of the server that answered, where a page explains the error, to people (`text/html`) and to
                programs (`application/json`), without a key; `/problems` lists them all. `instance` is the request id. A path under `/v1`
                that nobody has is answered with the fields of both forms.

                | code | status | retryable | meaning | what to do |
                |---|---|---|---|---|
                """);
        for (JobsError error : JobsError.values()) {
            out.append(
                    "| `%s` | %d | %s | %s | %s |\n"
                            .formatted(
                                    error.code(),
                                    error.status(),
                                    error.retryable() ? "yes" : "no",
                                    error.meaning(),
                                    error.remedy()));
        }
        out.append(
                """

                ## Orchestrations door

                Under `/v1/orchestrations`. The form is that of the tasks door; where more than one thing can be wrong, `details`
                lists them, each with a `message` and, where there is one, a `pointer` into the body.

                | code | status | retryable | meaning |
                |---|---|---|---|
                """);
        rows(out, OrchestrationError.values());
        return out.toString();
    }

    private static void rows(StringBuilder out, DoorError... errors) {
        for (DoorError error : errors) {
            out.append("| `")
                    .append(error.code())
                    .append("` | ")
                    .append(
                            error.statuses().stream()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", ")))
                    .append(" | ")
                    .append(error.retryable() ? "yes" : "no")
                    .append(" | ")
                    .append(error.meaning())
                    .append(" |\n");
        }
    }
}
