package io.orchestrion.server.types;

import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;

import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.schema.ChecksBusy;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.schema.SchemaFault;
import io.orchestrion.kernel.type.Types;
import io.orchestrion.kernel.type.WorkType;
import io.orchestrion.kernel.type.WorkType.Defaults;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskFault;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// Checks tasks and results against their registered types, at every place where they come in.
public final class TypeRules {
    private final Types types;
    private final Work work;
    private final JsonSchemas schemas;

    public TypeRules(Types types, Work work, JsonSchemas schemas) {
        this.types = types;
        this.work = work;
        this.schemas = schemas;
    }

    public sealed interface Ruling {
        /// @param defaults what holds where the producer said nothing
        record Fits(Defaults defaults) implements Ruling {}

        record Refused(TaskFault fault) implements Ruling {
            Refused(TaskError error, String message) {
                this(new TaskFault(error, message));
            }
        }
    }

    /// Whether a task may be made of this.
    ///
    /// @param body has the fields `type` and `payload` of a task
    /// @param budget of the whole request
    public Ruling check(UUID account, Values body, CheckBudget budget) {
        String kind = body.text("type");
        Types.Believed known = types.believed(account, PROFILE.queue(), kind);
        WorkType type = known.type();
        if (type == null) {
            return known.strict()
                    ? new Ruling.Refused(
                            TaskError.INVALID_REQUEST,
                            "type must be registered, as strictTypes is on; PUT /v1/types/"
                                    + kind
                                    + " registers it")
                    : new Ruling.Fits(Defaults.NONE);
        }
        if (type.draining()) {
            return new Ruling.Refused(
                    TaskError.TYPE_DRAINING,
                    "The type "
                            + kind
                            + " is draining and takes no new tasks; POST /v1/types/"
                            + kind
                            + "/resume ends that.");
        }
        TaskFault fault =
                fault(
                        account,
                        type.spec().payloadSchema(),
                        "payload",
                        body.json("payload"),
                        budget);
        return fault == null ? new Ruling.Fits(type.spec().defaults()) : new Ruling.Refused(fault);
    }

    /// Why this result cannot be that of the task; null when it can, and when the task is in no
    /// state to be completed, which is then the answer. No result counts as an empty one.
    public @Nullable TaskFault resultFault(UUID account, UUID id, @Nullable String result) {
        return resultFault(
                account, typesToCheck(account, List.of(id)).get(id), result, new CheckBudget());
    }

    /// The types of those being worked on; none when no type of the account checks results.
    public Map<UUID, String> typesToCheck(UUID account, List<UUID> ids) {
        return types.checksResults(account, PROFILE.queue())
                ? work.kindsOfRunning(account, PROFILE, ids)
                : Map.of();
    }

    /// @param budget of the whole request
    public @Nullable TaskFault resultFault(
            UUID account, @Nullable String kind, @Nullable String result, CheckBudget budget) {
        if (kind == null) {
            return null;
        }
        WorkType type = types.believed(account, PROFILE.queue(), kind).type();
        return type == null
                ? null
                : fault(
                        account,
                        type.spec().resultSchema(),
                        "result",
                        result == null ? "{}" : result,
                        budget);
    }

    /// Whether claims of this type get nothing for now.
    public boolean paused(UUID account, String kind) {
        WorkType type = types.believed(account, PROFILE.queue(), kind).type();
        return type != null && type.paused();
    }

    /// Why a schema cannot be registered; null when it can.
    ///
    /// @param field what it is called in the request
    @Nullable TaskFault schemaFault(
            UUID account, String field, @Nullable String schema, CheckBudget budget) {
        if (schema == null) {
            return null;
        }
        try {
            SchemaFault fault = schemas.fault(account, schema, budget);
            return fault == null ? null : new TaskFault(TaskError.INVALID_REQUEST, fault.of(field));
        } catch (ChecksBusy e) {
            return new TaskFault(TaskError.OVERLOADED, e.said());
        }
    }

    private @Nullable TaskFault fault(
            UUID account,
            @Nullable String schema,
            String field,
            String document,
            CheckBudget budget) {
        if (schema == null) {
            return null;
        }
        try {
            List<SchemaFault> faults = schemas.check(account, schema, document, budget);
            return faults.isEmpty()
                    ? null
                    : new TaskFault(
                            TaskError.INVALID_REQUEST,
                            faults.stream()
                                    .map(fault -> fault.of(field))
                                    .collect(Collectors.joining("; ")));
        } catch (ChecksBusy e) {
            return new TaskFault(TaskError.OVERLOADED, e.said());
        }
    }
}
