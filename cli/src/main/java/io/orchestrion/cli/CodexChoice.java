package io.orchestrion.cli;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/// Which model and which effort a job runs with: its own, for this job only, or the worker's.
record CodexChoice(@Nullable Chosen model, @Nullable Chosen effort) {
    /// @param from `job` or `worker`
    record Chosen(String value, String from) {}

    static CodexChoice of(ChildWork work, Invocation run) {
        return of(work, run.value("--codex-model"), run.value("--codex-effort"));
    }

    static CodexChoice of(ChildWork work, @Nullable String model, @Nullable String effort) {
        return new CodexChoice(chosen(work, "model", model), chosen(work, "effort", effort));
    }

    private static @Nullable Chosen chosen(ChildWork work, String name, @Nullable String own) {
        String asked = work.payloadJson().path("codex").path(name).stringValueOpt().orElse(null);
        if (asked != null) {
            return new Chosen(asked, "job");
        }
        return own == null ? null : new Chosen(own, "worker");
    }

    void putInto(Map<String, String> environment) {
        put(environment, "ORCHESTRION_CODEX_MODEL", model);
        put(environment, "ORCHESTRION_CODEX_EFFORT", effort);
    }

    /// A default of the worker's own surroundings is not to be taken for the job's.
    private static void put(Map<String, String> into, String name, @Nullable Chosen chosen) {
        if (chosen == null) {
            into.remove(name);
        } else {
            into.put(name, chosen.value());
        }
    }

    /// For the job's log: `model gpt-5-codex (job), effort high (worker)`; empty without any.
    String words() {
        String model = words("model", this.model);
        String effort = words("effort", this.effort);
        return model + (model.isEmpty() || effort.isEmpty() ? "" : ", ") + effort;
    }

    private static String words(String name, @Nullable Chosen chosen) {
        return chosen == null ? "" : name + " " + chosen.value() + " (" + chosen.from() + ")";
    }

    /// The same for programs.
    String json(int attempt) {
        ObjectNode payload =
                JsonMapper.shared()
                        .createObjectNode()
                        .put("phase", "start")
                        .put("attempt", attempt);
        if (model != null || effort != null) {
            ObjectNode codex = payload.putObject("codex");
            putInto(codex, "model", model);
            putInto(codex, "effort", effort);
        }
        return payload.toString();
    }

    private static void putInto(ObjectNode codex, String name, @Nullable Chosen chosen) {
        if (chosen != null) {
            codex.put(name, chosen.value()).put(name + "From", chosen.from());
        }
    }
}
