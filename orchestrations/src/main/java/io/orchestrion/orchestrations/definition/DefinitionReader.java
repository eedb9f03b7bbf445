package io.orchestrion.orchestrations.definition;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Reads documents.
public final class DefinitionReader {
    private final Schemas schemas;
    private final Set<String> builtins;

    /// @param builtins names of the functions that `builtin:` handlers may call
    public DefinitionReader(Schemas schemas, Set<String> builtins) {
        this.schemas = schemas;
        this.builtins = Set.copyOf(builtins);
    }

    /// Reads a document and finds all that is wrong with it, for authoring and for publishing. A bad
    /// document is an answer and no exception.
    ///
    /// @param account whose document it is: long checks of schemas take turns by account
    /// @throws io.orchestrion.kernel.schema.ChecksBusy if schemas take long and too many others wait
    public ReadDefinition read(UUID account, String json) {
        return new ReadDefinition(List.of(), null);
    }

    /// A definition whose document was read before and stored ([Definition#text]). Nothing is
    /// checked again, and CEL is compiled when it is first evaluated.
    ///
    /// @throws IllegalStateException if the text is none of a definition
    public Definition stored(String text) {
        throw new IllegalStateException();
    }
}
