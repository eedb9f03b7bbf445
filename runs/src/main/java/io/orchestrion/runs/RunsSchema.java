package io.orchestrion.runs;

import io.orchestrion.kernel.db.SchemaPart;

import java.util.List;

/// The tables of the engine of runs. Their migrations are in the folder `migration` beside this
/// class.
public final class RunsSchema {
    private RunsSchema() {}

    public static final SchemaPart PART =
            SchemaPart.of("runs", RunsSchema.class)
                    .once(
                            List.of(
                                    "V001__runs.sql",
                                    "V002__credits.sql",
                                    "V003__artifacts.sql",
                                    "V004__on_call.sql",
                                    "V005__output.sql",
                                    "V006__work_results.sql",
                                    "V007__run_by_id.sql",
                                    "V008__large_outputs.sql",
                                    "V009__trace.sql"))
                    .repeatable(List.of("R__runs_guard.sql"))
                    .byAccount(
                            List.of(
                                    "run",
                                    "run_attempt",
                                    "run_transition",
                                    "run_decision",
                                    "run_plan",
                                    "run_agent",
                                    "run_task",
                                    "run_step",
                                    "run_step_attempt",
                                    "run_message",
                                    "run_ticket",
                                    "run_ticket_notice",
                                    "run_approval",
                                    "credit_balance",
                                    "credit_entry",
                                    "credit_notice",
                                    "run_usage",
                                    "run_output_head",
                                    "run_output",
                                    "run_artifact_space",
                                    "run_artifact"));
}
