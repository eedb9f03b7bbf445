package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A definition as an author wrote it, with defaults filled in. Two are equal when their documents
/// say the same, whatever the order of their fields. It can be kept and used by many threads.
public final class Definition {
    private final Parts parts;
    private final Map<String, StepSpec> byId;
    private final StoredDocument document;

    /// What the reader found in the document.
    ///
    /// @param inputSchema as JSON text
    /// @param outputSchema as JSON text
    /// @param output null for the result of the last step
    record Parts(
            String name,
            @Nullable String description,
            String startStepId,
            List<StepSpec> steps,
            Policies policies,
            String inputSchema,
            @Nullable String outputSchema,
            @Nullable Mapping output,
            Map<String, ErrorClass> errorOverrides) {}

    Definition(Parts parts, StoredDocument document) {
        this.parts = parts;
        this.document = document;
        var steps = new LinkedHashMap<String, StepSpec>();
        // A draft may have an id twice; it is never executed.
        parts.steps.forEach(step -> steps.putIfAbsent(step.id(), step));
        byId = Collections.unmodifiableMap(steps);
    }

    public String name() {
        return parts.name;
    }

    public @Nullable String description() {
        return parts.description;
    }

    /// The first step that runs. In a draft it may name no step.
    public String startStepId() {
        return parts.startStepId;
    }

    /// In the order of the document.
    public List<StepSpec> steps() {
        return parts.steps;
    }

    public @Nullable StepSpec step(String id) {
        return byId.get(id);
    }

    public Policies policies() {
        return parts.policies;
    }

    /// JSON Schema of an execution's input, as JSON text.
    public String inputSchema() {
        return parts.inputSchema;
    }

    /// JSON Schema of an execution's output, as JSON text; null for any.
    public @Nullable String outputSchema() {
        return parts.outputSchema;
    }

    /// Null for the result of the last step.
    public @Nullable Mapping output() {
        return parts.output;
    }

    /// Classes of error codes that differ from the retry matrix.
    public Map<String, ErrorClass> errorOverrides() {
        return parts.errorOverrides;
    }

    /// The document for storing and for export: compact, with the fields in the order in which they
    /// were sent. Reading it gives an equal definition.
    public String text() {
        return document.text();
    }

    /// SHA-256 of what the document says, in lower-case hex: the same for equal definitions.
    public String checksum() {
        return document.checksum();
    }

    public DefinitionGraph graph() {
        return DefinitionGraph.of(this);
    }

    /// Without those whose id an earlier one has.
    List<StepSpec> distinctSteps() {
        return List.copyOf(byId.values());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Definition definition && document.equals(definition.document);
    }

    @Override
    public int hashCode() {
        return document.hashCode();
    }

    @Override
    public String toString() {
        return "Definition[" + parts.name + " " + document.checksum() + "]";
    }
}
