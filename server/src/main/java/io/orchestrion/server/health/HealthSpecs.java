package io.orchestrion.server.health;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

/// The answers about a node itself.
final class HealthSpecs {
    private HealthSpecs() {}

    /// A published field.
    static final String JOBS = "jobs";

    private static final ObjectSpec DATABASE =
            ObjectSpec.answer("HealthDatabase")
                    .example(
                            "{\"reachable\":true,\"schema\":true,\"round_trip_ms\":0.214,"
                                    + "\"seconds_since_checked\":0,\"oldest_transaction\":null,"
                                    + "\"problem\":null}")
                    .required(bool("reachable"))
                    .required(bool("schema").doc("Whether our tables are in it."))
                    .required(
                            number("round_trip_ms")
                                    .nullable()
                                    .doc("Of one small question; null when it was not answered."))
                    .required(
                            natural("seconds_since_checked")
                                    .doc("It is asked at most once a second."))
                    .required(
                            object(
                                            "oldest_transaction",
                                            ObjectSpec.answer("HealthTransaction")
                                                    .required(natural("pid"))
                                                    .required(text("application"))
                                                    .required(text("state"))
                                                    .required(natural("open_seconds"))
                                                    .required(
                                                            natural("sessions_waiting")
                                                                    .doc(
                                                                            "How many wait for a"
                                                                                + " lock that it"
                                                                                + " has.")))
                                    .nullable()
                                    .doc(
                                            "The oldest transaction of another program that is open"
                                                    + " for more than a minute. The database cannot"
                                                    + " clean up behind it; to end it, say select"
                                                    + " pg_terminate_backend(pid)."))
                    .required(
                            text("problem")
                                    .nullable()
                                    .doc("What is wrong with it, where this node knows."));

    private static final ObjectSpec DISK =
            ObjectSpec.answer("HealthDisk")
                    .example(
                            "{\"ours\":true,\"low\":false,\"full\":false,\"free_bytes\":64424509440,"
                                + "\"total_bytes\":107374182400,\"free_share\":0.6}")
                    .required(
                            bool("ours")
                                    .doc(
                                            "False for an outside database, whose disk the server"
                                                    + " cannot see."))
                    .required(bool("low"))
                    .required(
                            bool("full")
                                    .doc(
                                            "Whether the disk is too full, so that new work is"
                                                    + " refused with 507."))
                    .required(natural("free_bytes").nullable())
                    .required(natural("total_bytes").nullable())
                    .required(number("free_share").nullable().doc("From 0 to 1."));

    static final ObjectSpec HEALTH =
            node("Health", "status", "ok", "degraded", "unhealthy")
                    .doc(
                            "200 while this node does its duties: \"degraded\" when the database or"
                                + " the disk is not as it should be, a lane has lost a thread or a"
                                + " worker inside the server does not stop, 503 and \"unhealthy\""
                                + " when a duty has not run for 90 seconds or a lane is stuck.")
                    .required(
                            objects(
                                    JOBS,
                                    ObjectSpec.answer("HealthJob")
                                            .required(text("name"))
                                            .required(bool("healthy"))
                                            .required(bool("ran"))
                                            .required(natural("seconds_since_last_run"))
                                            .required(text("last_error").nullable())))
                    .required(objects("lanes", LaneHealth.SPEC))
                    .required(objects("pools", PoolHealth.SPEC))
                    .required(
                            object(
                                    "lease_expiry_job",
                                    ObjectSpec.answer("LeaseJob")
                                            .required(bool("healthy"))
                                            .required(bool("ran"))
                                            .required(natural("seconds_since_last_run"))))
                    .required(
                            object(
                                    "rate_limiter",
                                    ObjectSpec.answer("HealthLimiter")
                                            .doc("What counting costs, of the last 1,024 requests.")
                                            .required(natural("requests"))
                                            .required(number("p50_ms"))
                                            .required(number("p99_ms"))))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec READY =
            node("Ready", "status", "ready", "not_ready")
                    .doc(
                            "200 while this node takes traffic, else 503: for whoever spreads"
                                    + " requests over nodes.")
                    .required(
                            array(
                                            "reasons",
                                            oneOf(
                                                    "reason",
                                                    "draining",
                                                    "database_unreachable",
                                                    "schema_missing",
                                                    "jobs_settings_invalid",
                                                    "disk_full",
                                                    LaneHealth.STUCK))
                                    .doc("Why not; empty when it is ready."))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    private static ObjectSpec node(String name, String status, String... words) {
        return ObjectSpec.answer(name)
                .required(oneOf(status, words))
                .required(text("version"))
                .required(natural("uptime_seconds"))
                .required(object("database", DATABASE))
                .required(object("disk", DISK));
    }

    private static IntegerField natural(String name) {
        return integer(name).range(0, Long.MAX_VALUE);
    }
}
