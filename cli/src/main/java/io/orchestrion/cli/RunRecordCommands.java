package io.orchestrion.cli;

import io.orchestrion.sdk.Page;
import io.orchestrion.sdk.RunAttempt;
import io.orchestrion.sdk.RunDecision;
import io.orchestrion.sdk.RunEvent;
import io.orchestrion.sdk.RunPlan;
import io.orchestrion.sdk.RunTransition;
import io.orchestrion.sdk.Runs;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.JsonNode;

import java.util.function.Function;

/// The history of a run: its attempts, changes, decisions, events and plans.
final class RunRecordCommands {
    private final Surroundings surroundings;

    RunRecordCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec[] specs() {
        return new CommandSpec[] {
            history(
                    "attempts",
                    "List the attempts of a run with their credits.",
                    Runs::attempts,
                    RunAttempt::json,
                    "OUTCOME=outcome",
                    "ATTEMPT=attempt_number",
                    "RESERVED=credits_reserved",
                    "CHARGED=credits_charged",
                    "GIVEN BACK=credits_refunded",
                    "STARTED=started_at",
                    "ENDED=ended_at",
                    "CODE=error_code",
                    "ERROR=error"),
            history(
                    "transitions",
                    "List the changes of a run's status.",
                    Runs::transitions,
                    RunTransition::json,
                    "TO=to",
                    "FROM=from",
                    "ATTEMPT=attempt_number",
                    "WHEN=at",
                    "BY=actor",
                    "REASON=reason"),
            history(
                    "decisions",
                    "List what was decided of a run, and by what.",
                    Runs::decisions,
                    RunDecision::json,
                    "DECISION=decision",
                    "LEVEL=level",
                    "TRIGGER=trigger",
                    "SUBJECT=subject_id",
                    "WHEN=at",
                    "BY=inputs",
                    "FOLLOWS=outcome"),
            history(
                    "events",
                    "List what happened to a run.",
                    Runs::events,
                    RunEvent::json,
                    "EVENT=event",
                    "SEQ=seq",
                    "FROM=from",
                    "TO=to",
                    "WHEN=at",
                    "DATA=data"),
            history(
                    "plans",
                    "List the plans that a run has had.",
                    Runs::plans,
                    RunPlan::json,
                    "SOURCE=source",
                    "ATTEMPT=attempt_number",
                    "VERSION=plan_version",
                    "BY=made_by",
                    "WHEN=created_at",
                    "PLAN=decomposition",
                    "WHY AGAIN=failure_analysis")
        };
    }

    /// A page of something of a run.
    private interface History<T> {
        Page<T> of(Runs runs, String id, @Nullable Integer limit, @Nullable String cursor);
    }

    private <T> CommandSpec history(
            String name,
            String description,
            History<T> history,
            Function<T, JsonNode> json,
            String... columns) {
        return Shown.paged(ClientCommand.of(name, description, surroundings))
                .word("RUN", RunCommands.ID)
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(run, columns),
                                        (limit, cursor) ->
                                                history.of(
                                                        run.client().runs(),
                                                        run.word(),
                                                        limit,
                                                        cursor),
                                        json,
                                        "No " + name + "."));
    }
}
