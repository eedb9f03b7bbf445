package io.orchestrion.server.keys;

import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.audit.AuditTrail;
import io.orchestrion.kernel.audit.TrailEntry;
import io.orchestrion.kernel.audit.TrailPage;
import io.orchestrion.kernel.audit.TrailPlace;
import io.orchestrion.kernel.audit.TrailQuery;
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
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.taskdoor.TasksDoor;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/// The audit by time, to be read: what people did, and what engines began and ended by themselves.
/// Its answer has the form of lists of the orchestrations door, whose acts it shows.
public final class AuditEventHandlers {
    private static final int LIST_MAX = 100;
    private static final int LIST_DEFAULT = 50;
    private static final int NAME_MAX = 100;
    private static final int CURSOR_MAX = 200;
    private static final String OLDEST = "oldest";
    private static final String NEWEST = "newest";

    private static final ObjectSpec SUBJECT =
            ObjectSpec.answer("AuditEventSubject")
                    .required(text("type").doc("Such as execution, approval, key."))
                    .required(text("id"))
                    .required(
                            text("part_of")
                                    .nullable()
                                    .doc(
                                            "Resource to which it belongs, such as the execution of"
                                                    + " an approval."));

    private static final ObjectSpec EVENT =
            ObjectSpec.answer("AuditEvent")
                    .required(instant("at"))
                    .required(
                            text("event")
                                    .doc(
                                            "For a person's act, the name of the action. For an"
                                                    + " engine's act, the name of the event in"
                                                    + " /v1/events.")
                                    .example("orchestration.approval.approve"))
                    .required(object("actor", AuditHandlers.ACTOR))
                    .required(object("subject", SUBJECT))
                    .required(
                            object("detail")
                                    .doc("Details, with the reason or note that was given."));

    private static final ObjectSpec ANSWER =
            ObjectSpec.answer("AuditEventPage")
                    .required(objects("items", EVENT))
                    .required(
                            text("next_cursor")
                                    .nullable()
                                    .doc(
                                            "Null when there is no more. A page may be empty and"
                                                    + " still have a cursor, because each request"
                                                    + " searches only a bounded part of the log."))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final Endpoint READ =
            Endpoint.get("listAuditEvents", "/v1/audit-events")
                    .door(TasksDoor.NAME)
                    .summary("What people and engines did to the account, by time")
                    .limit(RateLimits.AUDIT)
                    .scopes("operator", "admin")
                    .query(
                            text("subject")
                                    .length(1, NAME_MAX)
                                    .doc(
                                            "Only entries about the resource with this id, or about"
                                                    + " its parts."),
                            text("event")
                                    .length(1, NAME_MAX)
                                    .doc(
                                            "Only events of this name, or whose name begins with"
                                                    + " it and a dot.")
                                    .example("orchestration.approval"),
                            instant("from").doc("Only entries of this time or later."),
                            instant("to").doc("Only entries before this time."),
                            oneOf("order", OLDEST, NEWEST)
                                    .orElse(OLDEST)
                                    .doc("Which entries come first."),
                            integer("limit")
                                    .range(1, LIST_MAX)
                                    .orElse(LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."),
                            text("cursor")
                                    .length(1, CURSOR_MAX)
                                    .doc("next_cursor of the previous page."))
                    .response(200, ANSWER)
                    .build();

    public static final Catalogue CATALOGUE = new Catalogue(List.of(READ));

    private final AuditTrail trail;

    public AuditEventHandlers(AuditTrail trail) {
        this.trail = trail;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(READ, this::read);
    }

    private Answer read(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        TrailPlace after = cursor == null ? null : place(cursor);
        if (cursor != null && after == null) {
            return TaskErrorAnswers.badRequest(
                    call, "cursor must be the next_cursor of an earlier answer");
        }
        TrailPage page =
                trail.read(
                        new TrailQuery(
                                Callers.account(call),
                                query.text("order").equals(OLDEST),
                                query.textOrNull("subject"),
                                query.textOrNull("event"),
                                millis(query.instantOrNull("from")),
                                millis(query.instantOrNull("to")),
                                after,
                                query.int32("limit")));
        AgentContract contract =
                AgentContract.of(
                        true, NextAction.call(TaskAction.LIST_TASKS, "GET", "/v1/tasks").best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("items", page.entries(), AuditEventHandlers::write)
                                        .text("next_cursor", cursor(page.next()))
                                        .object("agent_contract", contract::write)));
    }

    private static void write(JsonWriter out, TrailEntry entry) {
        out.instant("at", entry.place().atMs())
                .text("event", entry.event())
                .object(
                        "actor",
                        actor -> AuditHandlers.write(actor, entry.actor(), entry.actorName()))
                .object(
                        "subject",
                        subject ->
                                subject.text("type", entry.subject().kind())
                                        .text("id", entry.subject().id())
                                        .text("part_of", entry.subject().within()))
                .raw("detail", entry.detail());
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : Long.valueOf(time.toEpochMilli());
    }

    private static @Nullable String cursor(@Nullable TrailPlace place) {
        return place == null
                ? null
                : Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(place.text().getBytes(StandardCharsets.US_ASCII));
    }

    private static @Nullable TrailPlace place(String cursor) {
        try {
            TrailPlace place =
                    TrailPlace.of(
                            new String(
                                    Base64.getUrlDecoder().decode(cursor),
                                    StandardCharsets.US_ASCII));
            return cursor.equals(cursor(place)) ? place : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
