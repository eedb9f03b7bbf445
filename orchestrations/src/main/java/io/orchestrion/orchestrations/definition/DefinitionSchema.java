package io.orchestrion.orchestrations.definition;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The JSON Schema of the document, for editors and generators. The reader does not use it, as its
/// own findings say more; a test holds the two together.
public final class DefinitionSchema {
    private static final String FILE = "definition.schema.json";

    private DefinitionSchema() {}

    /// Draft 2020-12, as JSON text.
    public static String text() {
        try (InputStream file = DefinitionSchema.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException(FILE + " is missing");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
