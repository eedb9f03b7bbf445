package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

/// Says where a nested object is described, such as `#/components/schemas/Task`; null describes it
/// in place.
@FunctionalInterface
public interface SchemaRefs {
    SchemaRefs IN_PLACE = spec -> null;

    @Nullable String ref(ObjectSpec spec);
}
