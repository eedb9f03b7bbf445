package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.orchestrations.definition.DefinitionLimits;
import io.orchestrion.orchestrations.execution.DefinitionVersion;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints for definitions and their versions.
public final class DefinitionEndpoints {
    private DefinitionEndpoints() {}

    private static final String ALL = OrchestrationsDoor.DEFINITIONS;
    private static final String ONE = ALL + "/{definition_id}";
    private static final String VERSIONS = ONE + "/versions";
    private static final String VERSION = VERSIONS + "/{version}";
    private static final String NOT_FOUND = "definition_not_found";

    /// What follows the document in a body of the largest document: a line break.
    private static final int BODY_MAX = DefinitionLimits.DOCUMENT_BYTES + 1024;

    static final Endpoint CREATE =
            taking(Endpoint.post("createDefinition", ALL))
                    .summary("Create definition as draft of version 1")
                    .request(DefinitionSpecs.DOCUMENT)
                    .answerHeader("Location", "The path of the new version.")
                    .response(201, DefinitionSpecs.CHANGED)
                    .build();

    static final Endpoint VALIDATE =
            taking(Endpoint.post("validateDefinition", ALL + "/validate"))
                    .summary("Report every fault of a definition, without storing it")
                    .request(DefinitionSpecs.DOCUMENT)
                    .response(200, DefinitionSpecs.VALIDATED)
                    .build();

    static final Endpoint LIST =
            OrchestrationSpecs.paged(
                            OrchestrationSpecs.reading(Endpoint.get("listDefinitions", ALL))
                                    .query(
                                            oneOf("status", DefinitionVersion.Status.words())
                                                    .doc("The newest version of that status."),
                                            text("name")
                                                    .length(1, DefinitionLimits.NAME_CHARACTERS)
                                                    .pattern(OrchestrationSpecs.LINE)
                                                    .doc("Full name, not a part of it.")))
                    .summary("List newest version of each definition, newest definitions first")
                    .response(200, DefinitionSpecs.PAGE)
                    .build();

    static final Endpoint GET =
            OrchestrationSpecs.reading(Endpoint.get("getDefinition", ONE), NOT_FOUND)
                    .summary("Get newest version of definition")
                    .response(200, DefinitionSpecs.ANSWER)
                    .build();

    static final Endpoint LIST_VERSIONS =
            OrchestrationSpecs.paged(
                            OrchestrationSpecs.reading(
                                    Endpoint.get("listDefinitionVersions", VERSIONS), NOT_FOUND))
                    .summary("List versions of definition, newest first")
                    .response(200, DefinitionSpecs.PAGE)
                    .build();

    static final Endpoint CREATE_VERSION =
            taking(Endpoint.post("createDefinitionVersion", VERSIONS), NOT_FOUND, "draft_exists")
                    .summary(
                            "Create next version as draft; without a body it is a copy of the"
                                    + " newest")
                    .request(DefinitionSpecs.NEXT_DOCUMENT)
                    .answerHeader("Location", "The path of the new version.")
                    .response(201, DefinitionSpecs.CHANGED)
                    .build();

    static final Endpoint GET_VERSION =
            OrchestrationSpecs.reading(Endpoint.get("getDefinitionVersion", VERSION), NOT_FOUND)
                    .summary("Get one version of definition")
                    .response(200, DefinitionSpecs.ANSWER)
                    .build();

    static final Endpoint REPLACE =
            taking(Endpoint.put("replaceDefinition", VERSION), NOT_FOUND, "definition_immutable")
                    .summary("Replace the document of a draft")
                    .request(DefinitionSpecs.DOCUMENT)
                    .response(200, DefinitionSpecs.CHANGED)
                    .build();

    static final Endpoint PUBLISH =
            verb("publishDefinition", "publish")
                    .summary("Publish draft; from then on executions can follow it")
                    .build();

    static final Endpoint DEPRECATE =
            verb("deprecateDefinition", "deprecate")
                    .summary("Deprecate published version; executions that follow it go on")
                    .build();

    static final Endpoint GRAPH =
            OrchestrationSpecs.reading(
                            Endpoint.get("getDefinitionGraph", VERSION + "/graph"), NOT_FOUND)
                    .summary("Get steps of definition and the transitions between them")
                    .query(DefinitionSpecs.format())
                    .response(200, DefinitionSpecs.GRAPH)
                    .answers(200, GraphAnswers.MERMAID)
                    .build();

    static final Endpoint SCHEMA =
            OrchestrationSpecs.reading(
                            Endpoint.get(
                                    "getDefinitionSchema",
                                    OrchestrationsDoor.ROOT + "/definition-schema"))
                    .summary("Get JSON Schema of definitions")
                    .answers(200, DefinitionHandlers.SCHEMA_TYPE)
                    .build();

    private static Endpoint.Builder taking(Endpoint.Builder endpoint, String... errors) {
        return OrchestrationSpecs.writing(endpoint, errors).maxBodyBytes(BODY_MAX);
    }

    private static Endpoint.Builder verb(String name, String verb) {
        return OrchestrationSpecs.writing(
                        Endpoint.post(name, VERSION + "/" + verb), NOT_FOUND, "invalid_transition")
                .request(OrchestrationSpecs.NOTHING)
                .response(200, DefinitionSpecs.CHANGED);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            CREATE,
                            VALIDATE,
                            LIST,
                            GET,
                            LIST_VERSIONS,
                            CREATE_VERSION,
                            GET_VERSION,
                            REPLACE,
                            PUBLISH,
                            DEPRECATE,
                            GRAPH,
                            SCHEMA));
}
