package io.orchestrion.server.types;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.text;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;

import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

import java.time.Duration;
import java.util.List;

/// The bodies of the type endpoints, in and out.
final class TypeSpecs {
    private TypeSpecs() {}

    static final int DESCRIPTION_MAX = 500;
    static final int SCHEMA_BYTES_MAX = 65_536;
    static final long AGING_SECONDS_MAX = Duration.ofDays(7).toSeconds();
    static final int LIMIT_MAX = 1_000_000;
    static final long PERIOD_SECONDS_MAX = Duration.ofDays(1).toSeconds();

    private static final String EXAMPLE_SCHEMA =
            "{\"type\":\"object\",\"required\":[\"url\"],\"properties\":{\"url\":{\"type\":\"string\"}}}";

    private static IntegerField priority() {
        return integer("priority").range(0, TaskDoorSpecs.PRIORITY_MAX);
    }

    private static IntegerField maxAttempts() {
        return integer("maxAttempts")
                .range(PROFILE.bounds().attempts().min(), PROFILE.bounds().attempts().max());
    }

    private static IntegerField leaseSeconds() {
        return integer("leaseDurationSeconds")
                .range(PROFILE.lease().seconds().min(), PROFILE.lease().seconds().max());
    }

    private static IntegerField aging() {
        return integer("agingSeconds").range(1, AGING_SECONDS_MAX);
    }

    private static IntegerField max() {
        return integer("max").range(1, LIMIT_MAX);
    }

    private static IntegerField period() {
        return integer("periodSeconds").range(1, PERIOD_SECONDS_MAX);
    }

    static final ObjectSpec PUT =
            ObjectSpec.named("TypePut")
                    .example(
                            "{\"description\":\"A page in three sentences.\",\"payloadSchema\":"
                                    + EXAMPLE_SCHEMA
                                    + ",\"defaults\":{\"priority\":10},\"agingSeconds\":60}")
                    .optional(
                            text("description")
                                    .length(1, DESCRIPTION_MAX)
                                    .doc("Description of the type, for your own lists."))
                    .optional(
                            object("payloadSchema")
                                    .maxBytes(SCHEMA_BYTES_MAX)
                                    .doc(
                                            "JSON Schema (draft 2020-12) for payloads. References"
                                                    + " must stay within the schema."))
                    .optional(
                            object("resultSchema")
                                    .maxBytes(SCHEMA_BYTES_MAX)
                                    .doc(
                                            "JSON Schema (draft 2020-12) for results. A missing"
                                                    + " result counts as {}."))
                    .optional(
                            object(
                                            "defaults",
                                            ObjectSpec.named("TypeDefaults")
                                                    .optional(priority())
                                                    .optional(maxAttempts())
                                                    .optional(leaseSeconds()))
                                    .doc(
                                            "Defaults for tasks whose producer does not set these"
                                                    + " fields."))
                    .optional(
                            aging().doc(
                                            "Time of waiting that raises the priority of a task by"
                                                    + " one. Default: no aging."))
                    .optional(
                            object(
                                            "concurrencyLimit",
                                            ObjectSpec.named("TypeConcurrencyLimit")
                                                    .required(max()))
                                    .doc(
                                            "How many tasks with one concurrencyKey may be claimed"
                                                    + " at once."))
                    .optional(
                            object(
                                            "rateLimit",
                                            ObjectSpec.named("TypeRateLimit")
                                                    .required(max())
                                                    .required(period()))
                                    .doc(
                                            "How many tasks with one rateKey may be claimed in a"
                                                    + " period."))
                    .refuse(
                            List.of("paused", "draining"),
                            "is changed by POST /v1/types/{type}/pause, /resume and /drain");

    static final ObjectSpec SETTINGS_PATCH =
            ObjectSpec.named("SettingsPatch")
                    .optional(
                            bool("strictTypes")
                                    .doc("Whether only tasks of registered types are accepted."));

    private static final ObjectSpec DEFAULTS =
            ObjectSpec.answer("TypeDefaultsAnswer")
                    .required(priority().nullable())
                    .required(maxAttempts().nullable())
                    .required(leaseSeconds().nullable());

    private static ObjectSpec described(ObjectSpec spec) {
        return spec.required(text("type").pattern(TaskDoorSpecs.TYPE_PATTERN).example("summarize"))
                .required(text("description").nullable())
                .required(bool("payloadChecked").doc("Whether it has a payloadSchema."))
                .required(bool("resultChecked").doc("Whether it has a resultSchema."))
                .required(object("defaults", DEFAULTS))
                .required(aging().nullable())
                .required(
                        object(
                                        "concurrencyLimit",
                                        ObjectSpec.answer("TypeConcurrencyLimitAnswer")
                                                .required(max()))
                                .nullable())
                .required(
                        object(
                                        "rateLimit",
                                        ObjectSpec.answer("TypeRateLimitAnswer")
                                                .required(max())
                                                .required(period()))
                                .nullable())
                .required(bool("paused").doc("Whether its tasks are not handed out."))
                .required(instant("pausedAt").nullable())
                .required(bool("draining").doc("Whether new tasks of it are refused."))
                .required(instant("drainingAt").nullable())
                .required(
                        bool("reranking")
                                .doc(
                                        "Whether some tasks are still ordered by an earlier value"
                                                + " of agingSeconds."))
                .required(instant("createdAt"))
                .required(instant("updatedAt"));
    }

    static final ObjectSpec TYPE =
            described(ObjectSpec.answer("TaskType"))
                    .required(object("payloadSchema").nullable())
                    .required(object("resultSchema").nullable());

    static final ObjectSpec LISTED_TYPE =
            described(ObjectSpec.answer("ListedTaskType")).doc("Without its schemas.");

    static final ObjectSpec TYPE_ANSWER =
            ObjectSpec.answer("TypeAnswer")
                    .required(object("type", TYPE))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("TypeList")
                    .required(objects("types", LISTED_TYPE))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec DELETE_ANSWER =
            ObjectSpec.answer("TypeDeleted")
                    .required(text("type").pattern(TaskDoorSpecs.TYPE_PATTERN).example("summarize"))
                    .required(bool("deleted"))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec SETTINGS_ANSWER =
            ObjectSpec.answer("SettingsAnswer")
                    .required(
                            object(
                                    "settings",
                                    ObjectSpec.answer("Settings").required(bool("strictTypes"))))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));
}
