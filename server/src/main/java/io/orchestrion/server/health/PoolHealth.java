package io.orchestrion.server.health;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.pool.CrewStatus;

import java.util.List;

/// How the workers inside this server fare: what was told to stop and does not holds a place that
/// nothing else can have.
final class PoolHealth {
    static final ObjectSpec SPEC =
            ObjectSpec.answer("HealthPool")
                    .doc(
                            "Workers inside this server, such as those that call webhooks or run"
                                    + " jobs.")
                    .required(text("name"))
                    .required(natural("places").doc("Largest number that run at once."))
                    .required(natural("busy").doc("How many run."))
                    .required(
                            natural("stuck")
                                    .doc(
                                            "How many were told to stop a while ago and have not"
                                                + " stopped. Each holds a place until it ends. A"
                                                + " restart removes them."))
                    .required(
                            natural("longest_seconds").doc("How long the oldest of them has run."));

    private PoolHealth() {}

    static boolean anyStuck(List<CrewStatus> pools) {
        return pools.stream().anyMatch(pool -> pool.stuck() > 0);
    }

    static void write(JsonWriter out, CrewStatus pool) {
        out.text("name", pool.name())
                .integer("places", pool.places())
                .integer("busy", pool.busy())
                .integer("stuck", pool.stuck())
                .integer("longest_seconds", pool.longestMs() / 1000);
    }

    private static IntegerField natural(String name) {
        return integer(name).range(0, Long.MAX_VALUE);
    }
}
