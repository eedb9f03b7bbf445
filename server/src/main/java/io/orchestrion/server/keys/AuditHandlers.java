package io.orchestrion.server.keys;

import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.AuditEntry;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskAction;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TasksDoor;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// The audit log, to be read: its one endpoint with its bodies. Nothing here writes it.
public final class AuditHandlers {
    private static final int LIST_MAX = 200;
    private static final int LIST_DEFAULT = 100;
    /// The largest whole number that every reader of JSON keeps exact.
    private static final long ID_MAX = 9_007_199_254_740_991L;

    private static final String OLDEST = "oldest";
    private static final String NEWEST = "newest";
    private static final String KEY = "key";
    private static final String SERVER = "server";

    static final ObjectSpec ACTOR =
            ObjectSpec.answer("AuditActor")
                    .required(oneOf("type", KEY, SERVER))
                    .required(text("id").pattern(TaskDoorSpecs.UUID_PATTERN).nullable())
                    .required(text("name").nullable().doc("Name of the key at that time."));

    private static final ObjectSpec SUBJECT =
            ObjectSpec.answer("AuditSubject").required(text("type")).required(text("id"));

    private static final ObjectSpec ENTRY =
            ObjectSpec.answer("AuditEntry")
                    .required(
                            integer("id")
                                    .range(1, ID_MAX)
                                    .doc("Counts up by one within the account, without a gap."))
                    .required(instant("at"))
                    .required(object("actor", ACTOR))
                    .required(text("action").example("operation.created"))
                    .required(object("subject", SUBJECT))
                    .required(object("detail"));

    private static final ObjectSpec ANSWER =
            ObjectSpec.answer("AuditPage")
                    .required(objects("entries", ENTRY))
                    .required(
                            integer("nextAfter")
                                    .range(0, ID_MAX)
                                    .nullable()
                                    .doc("Cursor for the next page. Null when there is no more."))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final Endpoint READ =
            Endpoint.get("listAudit", "/v1/audit")
                    .door(TasksDoor.NAME)
                    .summary("Who did what to the account, oldest first")
                    .limit(RateLimits.AUDIT)
                    .scopes("operator", "admin")
                    .query(
                            oneOf("order", OLDEST, NEWEST)
                                    .orElse(OLDEST)
                                    .doc("Which entries come first."),
                            integer("after")
                                    .range(0, ID_MAX)
                                    .doc("Only what comes after the entry with this id."),
                            integer("limit")
                                    .range(1, LIST_MAX)
                                    .orElse(LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."))
                    .response(200, ANSWER)
                    .build();

    public static final Catalogue CATALOGUE = new Catalogue(List.of(READ));

    private final Audit audit;

    public AuditHandlers(Audit audit) {
        this.audit = audit;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(READ, this::read);
    }

    private Answer read(Call call) {
        Values query = call.queryValues();
        UUID account = Callers.account(call);
        Long after = query.integerOrNull("after");
        int limit = query.int32("limit");
        List<AuditEntry> found =
                query.text("order").equals(OLDEST)
                        ? audit.oldestFirst(account, after == null ? Audit.FIRST : after, limit + 1)
                        : audit.newestFirst(account, after == null ? Audit.LAST : after, limit + 1);
        List<AuditEntry> page = found.subList(0, Math.min(limit, found.size()));
        Long next = found.size() > limit ? Long.valueOf(page.getLast().seq()) : null;
        AgentContract contract =
                AgentContract.of(
                        true, NextAction.call(TaskAction.LIST_TASKS, "GET", "/v1/tasks").best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("entries", page, AuditHandlers::write)
                                        .integer("nextAfter", next)
                                        .object("agent_contract", contract::write)));
    }

    private static void write(JsonWriter out, AuditEntry entry) {
        out.integer("id", entry.seq())
                .instant("at", entry.atMs())
                .object("actor", actor -> write(actor, entry.actor(), entry.actorName()))
                .text("action", entry.action())
                .object(
                        "subject",
                        subject ->
                                subject.text("type", entry.subject().kind())
                                        .text("id", entry.subject().id()))
                .raw("detail", entry.detail());
    }

    static void write(JsonWriter out, Actor actor, @Nullable String name) {
        switch (actor) {
            case Actor.Key(var id) ->
                    out.text("type", KEY).text("id", id.toString()).text("name", name);
            case Actor.Server() -> out.text("type", SERVER).nil("id").nil("name");
        }
    }
}
