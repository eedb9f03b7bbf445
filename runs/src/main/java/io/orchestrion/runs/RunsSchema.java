package io.orchestrion.runs;

import io.orchestrion.kernel.db.SchemaPart;

import java.util.List;

/// The tables of the engine of runs. Their migrations are in the folder `migration` beside this
/// class.
public final class RunsSchema {
    private RunsSchema() {}

    public static final SchemaPart PART =
            SchemaPart.of("runs", RunsSchema.class)
                    .once(List.of("V002__credits.sql"))
                    .repeatable(List.of())
                    .byAccount(List.of("credit_balance", "credit_entry", "credit_notice", "run_usage"));
}
