package io.orchestrion.app.docs;

import io.orchestrion.kernel.lifecycle.TransitionTable;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.orchestrations.execution.ExecutionStatus;
import io.orchestrion.orchestrations.execution.StepStatus;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.server.billing.PurchaseEvent;
import io.orchestrion.server.billing.PurchaseLifecycle;
import io.orchestrion.server.billing.PurchaseState;

import java.util.function.Function;

/// The states of a work item, for each profile, as pictures and rows.
final class LifecyclePage {
    private LifecyclePage() {}

    static String text() {
        var out = new StringBuilder();
        out.append(
                """
                # Lifecycles

                Made from the transition tables in the code; do not edit. A work item is in one of eight states, and a
                profile says which changes its items may make. The database refuses every other change itself.

                """);
        for (Profile profile : Profiles.ALL) {
            page(out, profile);
        }
        orchestration(out);
        run(out);
        purchase(out);
        return out.toString();
    }

    private static void orchestration(StringBuilder out) {
        out.append(
                """
                ## orchestration execution

                A change is named by the status that it leads to. From failed to running it goes by a retry that somebody
                asks for.

                ```mermaid
                stateDiagram-v2
                    [*] --> running: running
                """);
        rows(out, ExecutionStatus.TABLE, ExecutionStatus::word, ExecutionStatus::word);
        out.append(
                """
                ## orchestration step execution

                One attempt of a step. A further attempt is a step execution of its own.

                ```mermaid
                stateDiagram-v2
                    [*] --> pending: pending
                    [*] --> retrying: retrying
                """);
        rows(out, StepStatus.TABLE, StepStatus::word, StepStatus::word);
    }

    private static void run(StringBuilder out) {
        out.append(
                """
                ## run

                A change is named by the status that it leads to. A database that is asked for any other refuses it.

                ```mermaid
                stateDiagram-v2
                    [*] --> created: created
                """);
        rows(out, RunStatus.TABLE, RunStatus::word, RunStatus::word);
        part(out, "run agent", AgentStatus.TABLE, AgentStatus::word);
        part(out, "run task", TaskStatus.TABLE, TaskStatus::word);
        part(out, "run step", io.orchestrion.runs.state.StepStatus.TABLE, each -> each.word());
    }

    /// What a run is made of begins as pending.
    private static <S extends Enum<S>> void part(
            StringBuilder out, String name, TransitionTable<S, S> table, Function<S, String> word) {
        out.append("## ").append(name).append("\n\n```mermaid\nstateDiagram-v2\n");
        out.append("    [*] --> pending: pending\n");
        rows(out, table, word, word);
    }

    private static void page(StringBuilder out, Profile profile) {
        out.append("## ").append(profile.name()).append("\n\n```mermaid\nstateDiagram-v2\n");
        out.append("    [*] --> waiting: submit\n    [*] --> ready: submit\n");
        rows(out, profile.lifecycle(), WorkState::word, WorkEvent::word);
    }

    private static void purchase(StringBuilder out) {
        out.append(
                """
                ## purchase

                What happens to a purchase of a plan; [billing.md](../guides/billing.md) says why.

                ```mermaid
                stateDiagram-v2
                    [*] --> created: order_created
                """);
        rows(out, PurchaseLifecycle.TABLE, PurchaseState::word, PurchaseEvent::word);
    }

    private static <S extends Enum<S>, E extends Enum<E>> void rows(
            StringBuilder out,
            TransitionTable<S, E> table,
            Function<S, String> state,
            Function<E, String> event) {
        for (TransitionTable.Row<S, E> row : table.rowsInOrder()) {
            out.append("    ")
                    .append(state.apply(row.from()))
                    .append(" --> ")
                    .append(state.apply(row.to()))
                    .append(": ")
                    .append(event.apply(row.event()))
                    .append('\n');
        }
        out.append("```\n\n| from | event | to |\n|---|---|---|\n");
        for (TransitionTable.Row<S, E> row : table.rowsInOrder()) {
            out.append("| ")
                    .append(state.apply(row.from()))
                    .append(" | ")
                    .append(event.apply(row.event()))
                    .append(" | ")
                    .append(state.apply(row.to()))
                    .append(" |\n");
        }
        out.append('\n');
    }
}
