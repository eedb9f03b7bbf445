package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.schema.ChecksBusy;
import io.orchestrion.orchestrations.definition.DefinitionGraph;
import io.orchestrion.orchestrations.definition.DefinitionSchema;
import io.orchestrion.orchestrations.definition.ReadDefinition;
import io.orchestrion.orchestrations.execution.DefinitionQuery;
import io.orchestrion.orchestrations.execution.DefinitionVersion;
import io.orchestrion.orchestrations.execution.Definitions;
import io.orchestrion.orchestrations.execution.Definitions.Changed;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.orchestrations.DefinitionGuidance.Known;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// The verbs on definitions: read the request, call one verb of the engine, say what came of it.
public final class DefinitionHandlers {
    static final String SCHEMA_TYPE = "application/schema+json";

    private static final byte[] SCHEMA = DefinitionSchema.text().getBytes(StandardCharsets.UTF_8);

    private final Definitions definitions;

    public DefinitionHandlers(Definitions definitions) {
        this.definitions = definitions;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(DefinitionEndpoints.CREATE, reading(this::create))
                .handle(DefinitionEndpoints.VALIDATE, reading(this::validate))
                .handle(DefinitionEndpoints.LIST, this::list)
                .handle(DefinitionEndpoints.GET, this::newest)
                .handle(DefinitionEndpoints.LIST_VERSIONS, this::versions)
                .handle(DefinitionEndpoints.CREATE_VERSION, reading(this::addVersion))
                .handle(DefinitionEndpoints.GET_VERSION, this::get)
                .handle(DefinitionEndpoints.REPLACE, reading(this::replace))
                .handle(DefinitionEndpoints.PUBLISH, reading(this::publish))
                .handle(DefinitionEndpoints.DEPRECATE, this::deprecate)
                .handle(DefinitionEndpoints.GRAPH, this::graph)
                .handle(DefinitionEndpoints.SCHEMA, _ -> Answer.of(200, SCHEMA_TYPE, SCHEMA));
    }

    /// Long checks of schemas take turns, and there is an end to how many may wait.
    private static Handler reading(Function<Call, Answer> handler) {
        return call -> {
            try {
                return handler.apply(call);
            } catch (ChecksBusy e) {
                return OrchestrationAnswers.error(
                        call, OrchestrationError.OVERLOADED, String.valueOf(e.getMessage()));
            }
        };
    }

    /// A version as the path names it.
    private record Ref(UUID id, int version) {
        /// Null for what can be none.
        static @Nullable Ref of(Call call) {
            UUID id = Callers.id(call, "definition_id");
            String number = call.pathParameter("version");
            if (id == null || !number.matches("[1-9][0-9]{0,9}")) {
                return null;
            }
            long version = Long.parseLong(number);
            return version > Integer.MAX_VALUE ? null : new Ref(id, (int) version);
        }
    }

    /// Null for what is no UTF-8.
    private static @Nullable String document(byte[] body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static Answer noText(Call call) {
        return OrchestrationAnswers.badRequest(call, "The body is not valid UTF-8.");
    }

    private Answer create(Call call) {
        String document = document(call.jsonBytes());
        return document == null
                ? noText(call)
                : changed(
                        call,
                        201,
                        definitions.create(
                                Callers.account(call),
                                OrchestrationAnswers.person(call),
                                document));
    }

    private Answer validate(Call call) {
        String document = document(call.jsonBytes());
        if (document == null) {
            return noText(call);
        }
        ReadDefinition read = definitions.read(Callers.account(call), document);
        var definition = read.definition();
        boolean valid = definition != null && read.isPublishable();
        return Pages.json(
                200,
                out -> {
                    out.bool("valid", valid);
                    DefinitionJson.findings(out, read.findings());
                    out.text("checksum", definition == null ? null : definition.checksum());
                },
                DefinitionGuidance.validated(valid, read.isTaken()));
    }

    private Answer addVersion(Call call) {
        byte[] body = call.jsonBytes();
        UUID id = Callers.id(call, "definition_id");
        String document = document(body);
        if (document == null) {
            return noText(call);
        }
        return id == null
                ? notFound(call)
                : changed(
                        call,
                        201,
                        definitions.addVersion(
                                Callers.account(call),
                                OrchestrationAnswers.person(call),
                                id,
                                document.isBlank() ? null : document));
    }

    private Answer replace(Call call) {
        String document = document(call.jsonBytes());
        if (document == null) {
            return noText(call);
        }
        Ref ref = Ref.of(call);
        return ref == null
                ? notFound(call)
                : changed(
                        call,
                        200,
                        definitions.rewrite(
                                Callers.account(call),
                                OrchestrationAnswers.person(call),
                                ref.id(),
                                ref.version(),
                                document));
    }

    private Answer publish(Call call) {
        call.json();
        Ref ref = Ref.of(call);
        return ref == null
                ? notFound(call)
                : changed(
                        call,
                        200,
                        definitions.publish(
                                Callers.account(call),
                                OrchestrationAnswers.person(call),
                                ref.id(),
                                ref.version()));
    }

    private Answer deprecate(Call call) {
        call.json();
        Ref ref = Ref.of(call);
        return ref == null
                ? notFound(call)
                : changed(
                        call,
                        200,
                        definitions.deprecate(
                                Callers.account(call),
                                OrchestrationAnswers.person(call),
                                ref.id(),
                                ref.version()));
    }

    private static Answer changed(Call call, int status, Changed changed) {
        return switch (changed) {
            case Changed.Done(var version, var findings) -> done(call, status, version, findings);
            case Changed.NotFound() -> notFound(call);
            case Changed.Refused(var findings) -> refused(call, findings);
            case Changed.Immutable(var version) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.DEFINITION_IMMUTABLE,
                            "Version "
                                    + version.version()
                                    + " is "
                                    + version.status().word()
                                    + ", so its content stays as it is; create another version.",
                            DefinitionGuidance.refused(version));
            case Changed.WrongStatus(var version) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.INVALID_TRANSITION,
                            "Version "
                                    + version.version()
                                    + " is "
                                    + version.status().word()
                                    + ", which does not allow this.",
                            DefinitionGuidance.refused(version));
            case Changed.DraftExists(var draft) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.DRAFT_EXISTS,
                            "Version " + draft.version() + " is a draft already; change that one.",
                            DefinitionGuidance.draft(draft));
        };
    }

    private static Answer done(
            Call call, int status, DefinitionVersion version, List<Finding> findings) {
        Answer answer =
                Pages.json(
                        status,
                        out -> {
                            DefinitionJson.whole(out, Callers.account(call), version);
                            DefinitionJson.findings(out, findings);
                        },
                        DefinitionGuidance.changed(version, findings, call.method().equals("PUT")));
        return status == 201
                ? answer.with("Location", DefinitionGuidance.versionPath(version))
                : answer;
    }

    private static Answer refused(Call call, List<Finding> findings) {
        Finding first = findings.getFirst();
        String where = first.pointer().isEmpty() ? "" : first.pointer() + ": ";
        return OrchestrationAnswers.badRequest(
                call, where + first.message(), findings.stream().map(ErrorDetail::of).toList());
    }

    private static Answer notFound(Call call) {
        return OrchestrationAnswers.error(
                call,
                OrchestrationError.DEFINITION_NOT_FOUND,
                "The account has no such definition, or no such version.");
    }

    private Answer list(Call call) {
        var query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        int limit = query.int32("limit");
        String status = query.textOrNull("status");
        UUID account = Callers.account(call);
        List<DefinitionVersion> found =
                definitions.list(
                        new DefinitionQuery(
                                account,
                                status == null
                                        ? null
                                        : DefinitionVersion.Status.named(status).orElseThrow(),
                                query.textOrNull("name"),
                                cursor.place(),
                                limit + 1));
        return Pages.page(
                found,
                limit,
                DefinitionVersion::id,
                (out, version) -> DefinitionJson.listed(out, account, version),
                DefinitionGuidance.listed());
    }

    private Answer versions(Call call) {
        Cursor cursor = Cursor.ofNumber(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        int limit = call.queryValues().int32("limit");
        UUID account = Callers.account(call);
        UUID id = Callers.id(call, "definition_id");
        List<DefinitionVersion> found =
                id == null
                        ? List.of()
                        : definitions.versions(account, id, cursor.number(), limit + 1);
        if (found.isEmpty() && (id == null || cursor.place() == null || !exists(account, id))) {
            return notFound(call);
        }
        return Pages.page(
                found,
                limit,
                version -> Pages.numberPlace(version.version()),
                (out, version) -> DefinitionJson.listed(out, account, version),
                DefinitionGuidance.listed());
    }

    private boolean exists(UUID account, UUID id) {
        return !definitions.versions(account, id, null, 1).isEmpty();
    }

    private Answer newest(Call call) {
        UUID id = Callers.id(call, "definition_id");
        List<DefinitionVersion> found =
                id == null ? List.of() : definitions.versions(Callers.account(call), id, null, 1);
        return found.isEmpty() ? notFound(call) : shown(call, found.getFirst(), Known.NEWEST);
    }

    private Answer get(Call call) {
        Ref ref = Ref.of(call);
        DefinitionVersion version =
                ref == null
                        ? null
                        : definitions.get(Callers.account(call), ref.id(), ref.version());
        return version == null ? notFound(call) : shown(call, version, Known.ALONE);
    }

    private static Answer shown(Call call, DefinitionVersion version, Known known) {
        return Pages.json(
                200,
                out -> DefinitionJson.whole(out, Callers.account(call), version),
                DefinitionGuidance.of(version, known));
    }

    private Answer graph(Call call) {
        Ref ref = Ref.of(call);
        DefinitionVersion version =
                ref == null
                        ? null
                        : definitions.get(Callers.account(call), ref.id(), ref.version());
        if (version == null) {
            return notFound(call);
        }
        DefinitionGraph graph = definitions.graph(version);
        return GraphAnswers.of(call, graph, DefinitionGuidance.of(version, Known.ALONE));
    }
}
