package io.orchestrion.app.docs;

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
        for (TaskError error : TaskError.values()) {
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
        return out.toString();
    }
}
