package io.orchestrion.runs.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The JSON Schemas of plans, for editors, generators and models. The reader does not use them, as
/// its own findings say more; a test holds them together.
public final class PlanSchema {
    private PlanSchema() {}

    /// Of a whole plan: draft 2020-12, as JSON text, within [PlanLimits#USUAL].
    public static String plan() {
        return text("plan.schema.json");
    }

    /// Of what an agent plans for itself.
    public static String tasks() {
        return text("tasks.schema.json");
    }

    private static String text(String name) {
        try (InputStream file = PlanSchema.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
