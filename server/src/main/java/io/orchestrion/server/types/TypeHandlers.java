package io.orchestrion.server.types;

import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.type.Types;
import io.orchestrion.kernel.type.WorkType;
import io.orchestrion.kernel.type.WorkType.Defaults;
import io.orchestrion.kernel.type.WorkType.Limits;
import io.orchestrion.kernel.type.WorkType.Spec;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.taskdoor.TaskFault;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/// Registering types of tasks, and pausing, draining and resuming them.
public final class TypeHandlers {
    private final Types types;
    private final TypeRules rules;

    public TypeHandlers(Types types, TypeRules rules) {
        this.types = types;
        this.rules = rules;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(TypeEndpoints.PUT, this::put)
                .handle(TypeEndpoints.LIST, this::list)
                .handle(TypeEndpoints.GET, this::get)
                .handle(TypeEndpoints.DELETE, this::delete)
                .handle(TypeEndpoints.PAUSE, call -> move(call, types::pause))
                .handle(TypeEndpoints.RESUME, call -> move(call, types::resume))
                .handle(TypeEndpoints.DRAIN, call -> move(call, types::drain))
                .handle(TypeEndpoints.SETTINGS, this::settings)
                .handle(TypeEndpoints.CHANGE_SETTINGS, this::changeSettings);
    }

    private Answer put(Call call) {
        Values body = call.json();
        String type = call.pathParameter("type");
        if (!possible(type)) {
            return TaskErrorAnswers.badRequest(
                    call,
                    "type must be 1 to "
                            + TaskDoorSpecs.TYPE_MAX
                            + " characters out of letters, digits, _ and -");
        }
        var budget = new CheckBudget();
        for (String field : List.of("payloadSchema", "resultSchema")) {
            TaskFault fault =
                    rules.schemaFault(Callers.account(call), field, body.jsonOrNull(field), budget);
            if (fault != null) {
                return TaskErrorAnswers.error(call, fault.error(), fault.message());
            }
        }
        return switch (types.put(Callers.account(call), PROFILE.queue(), spec(type, body))) {
            case Types.Put.Registered(var made) ->
                    answer(201, made).with("Location", "/v1/types/" + type);
            case Types.Put.Replaced(var made) -> answer(200, made);
            case Types.Put.TooMany() ->
                    TaskErrorAnswers.badRequest(
                            call,
                            "An account may have "
                                    + Types.MOST
                                    + " types and has that many; delete one first.");
        };
    }

    private static Spec spec(String type, Values body) {
        Long aging = body.integerOrNull("agingSeconds");
        return new Spec(
                type,
                body.textOrNull("description"),
                body.jsonOrNull("payloadSchema"),
                body.jsonOrNull("resultSchema"),
                defaults(body.objectOrNull("defaults")),
                aging == null ? null : aging * 1000,
                limits(body.objectOrNull("concurrencyLimit"), body.objectOrNull("rateLimit")));
    }

    private static Defaults defaults(@Nullable Values sent) {
        return sent == null
                ? Defaults.NONE
                : new Defaults(
                        int32(sent, "priority"),
                        int32(sent, "maxAttempts"),
                        int32(sent, "leaseDurationSeconds"));
    }

    private static Limits limits(@Nullable Values concurrency, @Nullable Values rate) {
        return new Limits(
                concurrency == null ? null : concurrency.int32("max"),
                rate == null ? null : rate.int32("max"),
                rate == null ? null : rate.integer("periodSeconds") * 1000);
    }

    private static @Nullable Integer int32(Values sent, String field) {
        Long value = sent.integerOrNull(field);
        return value == null ? null : Math.toIntExact(value);
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        String after = cursor == null ? "" : readCursor(cursor);
        if (after == null) {
            return TaskErrorAnswers.badRequest(
                    call, "cursor must be the nextCursor of an earlier answer");
        }
        int limit = query.int32("limit");
        List<WorkType> found = types.list(Callers.account(call), PROFILE.queue(), after, limit + 1);
        List<WorkType> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? cursor(page.getLast().spec().kind()) : null;
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("types", page, TypeHandlers::writeListed)
                                        .text("nextCursor", next)
                                        .object("agent_contract", contract()::write)));
    }

    private static String cursor(String kind) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(("1:" + kind).getBytes(StandardCharsets.US_ASCII));
    }

    private static @Nullable String readCursor(String cursor) {
        try {
            String text =
                    new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
            boolean ours = text.startsWith("1:") && possible(text.substring(2));
            return ours && cursor(text.substring(2)).equals(cursor) ? text.substring(2) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private Answer get(Call call) {
        String type = call.pathParameter("type");
        WorkType found =
                possible(type) ? types.get(Callers.account(call), PROFILE.queue(), type) : null;
        return found == null ? noSuchType(call) : answer(200, found);
    }

    private Answer delete(Call call) {
        String type = call.pathParameter("type");
        if (!possible(type) || !types.delete(Callers.account(call), PROFILE.queue(), type)) {
            return noSuchType(call);
        }
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.text("type", type)
                                        .bool("deleted", true)
                                        .object("agent_contract", contract()::write)));
    }

    private interface Move {
        @Nullable WorkType of(UUID account, String queue, String kind);
    }

    private static Answer move(Call call, Move move) {
        call.json();
        String type = call.pathParameter("type");
        WorkType now =
                possible(type) ? move.of(Callers.account(call), PROFILE.queue(), type) : null;
        return now == null ? noSuchType(call) : answer(200, now);
    }

    private Answer settings(Call call) {
        return settings(types.strict(Callers.account(call)));
    }

    private Answer changeSettings(Call call) {
        Boolean strict = call.json().boolOrNull("strictTypes");
        if (strict != null) {
            types.setStrict(Callers.account(call), strict);
        }
        return settings(call);
    }

    private static Answer settings(boolean strict) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.object("settings", each -> each.bool("strictTypes", strict))
                                        .object("agent_contract", contract()::write)));
    }

    private static Answer answer(int status, WorkType type) {
        return Answer.json(
                status,
                JsonWriter.object(
                        out ->
                                out.object("type", each -> write(each, type))
                                        .object("agent_contract", contract()::write)));
    }

    private static void write(JsonWriter out, WorkType type) {
        writeListed(out, type);
        out.raw("payloadSchema", type.spec().payloadSchema())
                .raw("resultSchema", type.spec().resultSchema());
    }

    private static void writeListed(JsonWriter out, WorkType type) {
        Spec spec = type.spec();
        Limits limits = spec.limits();
        Integer concurrency = limits.concurrencyMax();
        Integer rate = limits.rateMax();
        out.text("type", spec.kind())
                .text("description", spec.description())
                .bool("payloadChecked", spec.payloadSchema() != null)
                .bool("resultChecked", spec.resultSchema() != null)
                .object(
                        "defaults",
                        each ->
                                each.integer("priority", wide(spec.defaults().priority()))
                                        .integer("maxAttempts", wide(spec.defaults().maxAttempts()))
                                        .integer(
                                                "leaseDurationSeconds",
                                                wide(spec.defaults().leaseSeconds())))
                .integer("agingSeconds", seconds(spec.agingMs()));
        if (concurrency == null) {
            out.nil("concurrencyLimit");
        } else {
            out.object("concurrencyLimit", each -> each.integer("max", wide(concurrency)));
        }
        if (rate == null) {
            out.nil("rateLimit");
        } else {
            out.object(
                    "rateLimit",
                    each ->
                            each.integer("max", wide(rate))
                                    .integer("periodSeconds", seconds(limits.periodMs())));
        }
        out.bool("paused", type.paused());
        instant(out, "pausedAt", type.state().pausedMs());
        out.bool("draining", type.draining());
        instant(out, "drainingAt", type.state().drainingMs());
        out.bool("reranking", type.state().reranking())
                .instant("createdAt", type.state().createdMs())
                .instant("updatedAt", type.state().updatedMs());
    }

    private static void instant(JsonWriter out, String name, @Nullable Long millis) {
        out.instant(name, millis == null ? null : Instant.ofEpochMilli(millis));
    }

    private static @Nullable Long wide(@Nullable Integer value) {
        return value == null ? null : value.longValue();
    }

    private static @Nullable Long seconds(@Nullable Long millis) {
        return millis == null ? null : millis / 1000;
    }

    private static boolean possible(String type) {
        return type.length() <= TaskDoorSpecs.TYPE_MAX && type.matches(TaskDoorSpecs.TYPE_PATTERN);
    }

    private static AgentContract contract() {
        return AgentContract.of(true, TaskActions.create().best());
    }

    private static Answer noSuchType(Call call) {
        return TaskErrorAnswers.error(
                call,
                TaskError.TYPE_NOT_FOUND,
                "No such type is registered; PUT /v1/types/{type} registers one, GET /v1/types"
                        + " lists them.");
    }
}
