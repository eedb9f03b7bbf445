package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.json.JsonWriter;

import org.jspecify.annotations.Nullable;

/// Moments that may not have come.
final class Times {
    private Times() {}

    static void write(JsonWriter out, String name, @Nullable Long epochMillis) {
        if (epochMillis == null) {
            out.nil(name);
        } else {
            out.instant(name, epochMillis.longValue());
        }
    }
}
