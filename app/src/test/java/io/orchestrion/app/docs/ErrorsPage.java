package io.orchestrion.app.docs;

import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.queue.QueueError;
import io.orchestrion.server.tasks.TaskError;

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
        return out.toString();
    }

    private static void rows(StringBuilder out, DoorError... errors) {
        for (DoorError error : errors) {
            out.append("| `")
                    .append(error.code())
                    .append("` | ")
                    .append(error.status())
                    .append(" | ")
                    .append(error.retryable() ? "yes" : "no")
                    .append(" | ")
                    .append(error.meaning())
                    .append(" |\n");
        }
    }
}
