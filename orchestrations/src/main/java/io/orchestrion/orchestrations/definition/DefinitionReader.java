package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.DocumentParser;
import io.orchestrion.kernel.document.Findings;
import io.orchestrion.kernel.document.SchemaReader;
import io.orchestrion.orchestrations.expression.CelUse;
import io.orchestrion.orchestrations.expression.ExpressionFault;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/// Reads documents.
public final class DefinitionReader {
    private final Schemas schemas;
    private final HandlerReader handlers;

    /// @param builtins names of the functions that `builtin:` handlers may call; looked at with
    ///     each document
    public DefinitionReader(Schemas schemas, Set<String> builtins) {
        this.schemas = schemas;
        handlers = new HandlerReader(builtins);
    }

    /// Reads a document and finds all that is wrong with it, for authoring and for publishing. A
    /// bad document is an answer and no exception.
    ///
    /// @param account whose document it is: long checks of schemas take turns by account
    /// @throws io.orchestrion.kernel.schema.ChecksBusy if schemas take long and too many others
    /// wait
    public ReadDefinition read(UUID account, String json) {
        var findings = new Findings();
        Definition definition = shape(json, handlers, schemas.reader(account), findings);
        if (definition != null) {
            List<CelUse> cel = cel(definition);
            if (cel.size() > DefinitionLimits.CEL_EXPRESSIONS) {
                findings.add(
                        DocumentCode.OUT_OF_BOUNDS,
                        cel.get(DefinitionLimits.CEL_EXPRESSIONS).pointer(),
                        "The definition has more than "
                                + DefinitionLimits.CEL_EXPRESSIONS
                                + " expressions of CEL.",
                        "Use references and conditions where they do.");
                return new ReadDefinition(findings.list(), null);
            }
            for (CelUse use : cel) {
                ExpressionFault fault = use.fault();
                if (fault != null) {
                    ExpressionFindings.to(findings).accept(fault);
                }
            }
            new GraphCheck(definition, findings).run();
        }
        return new ReadDefinition(findings.list(), definition);
    }

    /// A definition whose document was read before and stored ([Definition#text]). Nothing is
    /// checked again, and CEL is compiled when it is first evaluated.
    ///
    /// @throws IllegalStateException if the text is none of a definition
    public Definition stored(String text) {
        var findings = new Findings();
        Definition definition =
                shape(text, new HandlerReader(null), new SchemaReader(_ -> null), findings);
        if (definition == null) {
            throw new IllegalStateException(
                    "The stored document is not one of a definition: "
                            + findings.list().getFirst().message());
        }
        return definition;
    }

    private static @Nullable Definition shape(
            String json, HandlerReader handlers, SchemaReader schemas, Findings findings) {
        JsonNode document = new DocumentParser(DefinitionLimits.BOUNDS, findings).parse(json);
        return document == null || findings.refusesDocument()
                ? null
                : new DocumentReader(handlers, schemas).read(document, findings);
    }

    private static List<CelUse> cel(Definition definition) {
        return Stream.concat(
                        definition.steps().stream().flatMap(StepSpec::cel),
                        definition.output() == null
                                ? Stream.empty()
                                : definition.output().cel().stream())
                .toList();
    }
}
